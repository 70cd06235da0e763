import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import {
  CHANGES,
  type Change,
  type ComparedGap,
  type ComparedReport,
  type ComparedRequirement,
  type Comparison,
  type NamedReport,
  onlyDifferences,
} from '../../compare/compare.ts'
import { counted, number } from '../../counted.ts'
import { visible } from '../../text.ts'
import { reportsIn } from '../model/data.ts'
import { CHANGE_WORDS, moment, OVERALL } from '../model/words.ts'
import { useEvents } from './browser.ts'
import { Button, Mark, Part, Statement, Texts, VerdictMark } from './parts.tsx'
import { Text } from './text.tsx'

interface CompareProps {
  readonly reports: readonly NamedReport[]
  readonly whole: Comparison
  change(reports: readonly NamedReport[]): void
}

/** Requirement by requirement, what became of it in each report. */
export function Compare({ reports, whole, change }: CompareProps): VNode {
  const [all, setAll] = useState(false)
  const names = reports.map(({ name }) => visible(name))
  const without = (place: number): NamedReport[] => reports.filter((_, index) => index !== place)
  const shown = all ? whole : onlyDifferences(whole)
  return (
    <Part id="compare" title="Comparison" lead="The first report is the baseline; the worst changes come first.">
      {reports.length > 2 && <Trend reports={reports} />}
      {whole.notes.length > 0 && <Texts items={whole.notes} most={400} kind="accounts" />}
      <label class="switch screen-only">
        <input type="checkbox" checked={all} onChange={({ currentTarget }) => setAll(currentTarget.checked)} /> Show
        what is the same, too
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Requirements and reports">
        <table class="compare">
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              {whole.reports.map((report, place) => (
                <Head
                  key={place}
                  report={report}
                  lead={place > 0 ? () => change([...reports.slice(place, place + 1), ...without(place)]) : undefined}
                  remove={place > 0 || reports.length > 2 ? () => change(without(place)) : undefined}
                />
              ))}
            </tr>
          </thead>
          {CHANGES.map((kind) => {
            const rows = shown.requirements.filter((row) => row.change === kind)
            const title = `${counted(rows.length, 'requirement')} ${CHANGE_WORDS[kind]}`
            return <Group key={kind} kind={kind} title={title} rows={rows.map(requirementRow)} names={names} />
          })}
          <Group
            kind=""
            title={`Where the text is silent: what each does (${counted(shown.gaps.length, 'gap')})`}
            rows={shown.gaps.map(gapRow)}
            names={names}
          />
        </table>
      </section>
    </Part>
  )
}

const TREND = { width: 720, height: 90, margin: 8 }

/** How many requirements failed in each run, the oldest first. */
function Trend({ reports }: Pick<CompareProps, 'reports'>): VNode {
  const runs = [...reports]
    .sort((a, b) => (a.report.startedAt < b.report.startedAt ? -1 : 1))
    .map(({ name, report }) => ({
      label: report.target.version || name,
      day: report.startedAt.slice(0, 10),
      failed: report.requirements.filter(({ verdict }) => verdict === 'fail').length,
    }))
  const most = Math.max(1, ...runs.map(({ failed }) => failed))
  const { width, height, margin } = TREND
  const points = runs.map(({ failed }, index) => ({
    x: (width * (index + 0.5)) / runs.length,
    y: height - margin - (failed / most) * (height - 2 * margin),
  }))
  return (
    <figure class="trend">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label="Failures of each run">
        <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {points.map(({ x, y }) => (
          <line key={x} x1={x} x2={x} y1={y} y2={height} />
        ))}
      </svg>
      <figcaption style={{ gridTemplateColumns: `repeat(${runs.length}, minmax(0, 1fr))` }}>
        {runs.map(({ label, day, failed }, index) => (
          <span key={index}>
            <strong>{number(failed)} failed</strong> <Text as="span" value={label} most={40} cut />{' '}
            <span class="soft">{day}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

interface HeadProps {
  readonly report: ComparedReport
  /** makes it the baseline; undefined: it is */
  readonly lead: (() => void) | undefined
  readonly remove: (() => void) | undefined
}

function Head({ report, lead, remove }: HeadProps): VNode {
  const { tone, sign } = OVERALL[report.verdict] ?? OVERALL.invalid
  return (
    <th scope="col" class="report">
      <Text as="strong" value={report.target || report.name} most={80} />
      <Mark tone={tone} sign={sign} label={report.verdict} />
      <span class="soft">
        <Text value={report.name} most={80} />, {moment(report.startedAt)}
        {(report.serverErrors ?? 0) > 0 && `, ${counted(report.serverErrors ?? 0, 'server error')}`}
      </span>
      <span class="actions screen-only">
        {lead ? <Button kind="quiet" label="Make it the baseline" press={lead} /> : <span class="soft">baseline</span>}
        {remove && <Button kind="quiet" label="Remove" press={remove} name={`Remove ${report.name}`} />}
      </span>
    </th>
  )
}

interface GroupRow {
  readonly id: string
  readonly text: string
  readonly level?: string
  /** for each report, how it is painted and what it shows */
  readonly cells: readonly (readonly [kind: Change, shown: VNode])[]
}

interface GroupProps {
  readonly kind: string
  readonly title: string
  readonly rows: readonly GroupRow[]
  /** of the reports */
  readonly names: readonly string[]
}

function Group({ kind, title, rows, names }: GroupProps): VNode | null {
  if (rows.length === 0) return null
  return (
    <tbody>
      <tr class={`group ${kind}`.trim()}>
        <th scope="rowgroup" colSpan={names.length + 1}>
          {title}
        </th>
      </tr>
      {rows.map(({ id, text, level, cells }) => (
        <tr key={id}>
          <th scope="row">
            <Statement id={id} text={text}>
              {level && <span class="soft"> {level}</span>}
            </Statement>
          </th>
          {cells.map(([change, shown], place) => (
            <td key={place} data-label={names[place]} class={change === 'same' ? undefined : `changed ${change}`}>
              {shown}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function requirementRow({ cells, ...row }: ComparedRequirement): GroupRow {
  const shown = cells.map(({ change, verdict, note }): GroupRow['cells'][number] => [
    change,
    <>
      {verdict === 'absent' ? <span class="soft">not known</span> : <VerdictMark verdict={verdict} />}
      {note !== '' && <Text as="span" kind="note soft" value={note} most={160} />}
    </>,
  ])
  return { ...row, cells: shown }
}

function gapRow({ cells, differs, ...row }: ComparedGap): GroupRow {
  const shown = cells.map((seen): GroupRow['cells'][number] => [
    differs ? 'different' : 'same',
    seen.length === 0 ? <span class="soft">nothing seen</span> : <Texts items={seen} most={240} />,
  ])
  return { ...row, cells: shown }
}

interface DropProps {
  add(reports: readonly NamedReport[]): void
}

/** Takes further reports: dropped anywhere on the page, or chosen. */
export function Drop({ add }: DropProps): VNode {
  const [problems, setProblems] = useState<readonly string[]>([])
  const field = useRef<HTMLInputElement>(null)

  async function take(files: FileList | null | undefined): Promise<void> {
    const reports: NamedReport[] = []
    const said: string[] = []
    for (const file of files ?? []) {
      const found = reportsIn(await file.text())
      if (typeof found === 'string') said.push(`${file.name} ${found}`)
      else for (const report of found) reports.push({ name: file.name, report })
    }
    setProblems(said)
    if (reports.length > 0) add(reports)
  }
  const over = useDrop((files) => void take(files))

  return (
    <div class="drop screen-only">
      <p>
        <Button label="Compare with other reports…" press={() => field.current?.click()} />{' '}
        <span class="soft">or drop report.json or report.html files anywhere on this page. Nothing leaves it.</span>
      </p>
      <input
        ref={field}
        class="hidden"
        type="file"
        multiple
        accept=".json,.html"
        tabIndex={-1}
        aria-label="Reports to compare with"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files).then(() => {
            if (field.current) field.current.value = ''
          })
        }}
      />
      <div role="alert">
        {problems.map((problem) => (
          <Text key={problem} as="p" kind="problem" value={problem} most={300} />
        ))}
      </div>
      {over && (
        <div class="over" aria-hidden="true">
          <p>Drop reports to compare</p>
        </div>
      )}
    </div>
  )
}

/** Takes files that are dropped anywhere on the page; whether some are held over it. */
function useDrop(take: (files: FileList | undefined) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(take)
  latest.current = take
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
  useEvents({
    dragover(event) {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    dragleave(event) {
      if (event.relatedTarget === null) setOver(false)
    },
    drop(event) {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      latest.current(event.dataTransfer?.files)
    },
  })
  return over
}
