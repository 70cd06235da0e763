import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  CHANGES,
  type Change,
  type ComparedGap,
  type ComparedReport,
  type ComparedRequirement,
  compareReports,
  type NamedReport,
  onlyDifferences,
} from '../../compare/compare.ts'
import { counted, number } from '../../counted.ts'
import { visible } from '../../text.ts'
import { reportsIn } from '../model/data.ts'
import { moment, OVERALL } from '../model/words.ts'
import { Part, Statement, VerdictMark } from './parts.tsx'
import { Text } from './text.tsx'

interface CompareProps {
  readonly reports: readonly NamedReport[]
  /** makes one the baseline */
  lead(place: number): void
  remove(place: number): void
}

const WORDS: Readonly<Record<Change, string>> = {
  'newly-failing': 'newly failing',
  'newly-warning': 'newly warning',
  vanished: 'vanished',
  fixed: 'fixed',
  appeared: 'appeared',
  different: 'different in another way',
  same: 'the same',
}

/** Requirement by requirement, what became of it in each report. */
export function Compare({ reports, lead, remove }: CompareProps): VNode {
  const [all, setAll] = useState(false)
  const whole = compareReports(reports)
  const names = reports.map(({ name }) => visible(name))
  const shown = all ? whole : onlyDifferences(whole)
  const differing = CHANGES.filter((change) => change !== 'same' && whole.counts[change] > 0)
  return (
    <Part
      id="compare"
      title="Comparison"
      lead={
        differing.length === 0
          ? `All ${counted(whole.requirements.length, 'requirement')} have the same verdict.`
          : `Compared with the first: ${differing.map((change) => `${number(whole.counts[change])} ${WORDS[change]}`).join(', ')}; ${number(whole.counts.same)} the same.`
      }
    >
      {whole.notes.length > 0 && (
        <ul class="accounts">
          {whole.notes.map((note) => (
            <li key={note}>
              <Text value={note} most={400} />
            </li>
          ))}
        </ul>
      )}
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
                <Head key={place} report={report} place={place} few={reports.length <= 2} lead={lead} remove={remove} />
              ))}
            </tr>
          </thead>
          {CHANGES.map((change) => (
            <Group
              key={change}
              change={change}
              rows={shown.requirements.filter((row) => row.change === change)}
              names={names}
            />
          ))}
          <GapRows gaps={shown.gaps} names={names} />
        </table>
      </section>
    </Part>
  )
}

interface HeadProps {
  readonly report: ComparedReport
  readonly place: number
  readonly few: boolean
  lead(place: number): void
  remove(place: number): void
}

function Head({ report, place, few, lead, remove }: HeadProps): VNode {
  const { tone, sign } = OVERALL[report.verdict] ?? OVERALL.invalid
  return (
    <th scope="col" class="report">
      <strong>
        <Text value={report.target || report.name} most={80} />
      </strong>
      <span class={`verdict tone-${tone}`}>
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        {report.verdict}
      </span>
      <span class="soft">
        <Text value={report.name} most={80} />, {moment(report.startedAt)}
        {(report.serverErrors ?? 0) > 0 && `, ${counted(report.serverErrors ?? 0, 'server error')}`}
      </span>
      <span class="actions screen-only">
        {place > 0 ? (
          <button type="button" class="quiet" onClick={() => lead(place)}>
            Make it the baseline
          </button>
        ) : (
          <span class="soft">baseline</span>
        )}
        {(place > 0 || !few) && (
          <button type="button" class="quiet" onClick={() => remove(place)} aria-label={`Remove ${report.name}`}>
            Remove
          </button>
        )}
      </span>
    </th>
  )
}

interface GroupProps {
  readonly change: Change
  readonly rows: readonly ComparedRequirement[]
  /** of the reports */
  readonly names: readonly string[]
}

function Group({ change, rows, names }: GroupProps): VNode | null {
  if (rows.length === 0) return null
  return (
    <tbody>
      <GroupHead name={change} width={names.length + 1}>
        {counted(rows.length, 'requirement')} {WORDS[change]}
      </GroupHead>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <Statement id={row.id} text={row.text}>
              <span class="soft"> {row.level}</span>
            </Statement>
          </th>
          {row.cells.map((cell, place) => (
            <td
              key={place}
              data-label={names[place]}
              class={cell.change === 'same' ? undefined : `changed ${cell.change}`}
            >
              {cell.verdict === 'absent' ? <span class="soft">not known</span> : <VerdictMark verdict={cell.verdict} />}
              {cell.note !== '' && (
                <span class="note soft">
                  <Text value={cell.note} most={160} />
                </span>
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function GapRows({
  gaps,
  names,
}: {
  readonly gaps: readonly ComparedGap[]
  readonly names: readonly string[]
}): VNode | null {
  if (gaps.length === 0) return null
  return (
    <tbody>
      <GroupHead name="" width={names.length + 1}>
        Where the text is silent: what each does ({counted(gaps.length, 'gap')})
      </GroupHead>
      {gaps.map((gap) => (
        <tr key={gap.id}>
          <th scope="row">
            <Statement id={gap.id} text={gap.text} />
          </th>
          {gap.cells.map((seen, place) => (
            <td key={place} data-label={names[place]} class={gap.differs ? 'changed different' : undefined}>
              {seen.length === 0 ? (
                <span class="soft">nothing seen</span>
              ) : (
                <ul class="plain">
                  {seen.map((what) => (
                    <li key={what}>
                      <Text value={what} most={240} />
                    </li>
                  ))}
                </ul>
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

interface GroupHeadProps {
  readonly name: string
  readonly width: number
  readonly children: ComponentChildren
}

function GroupHead({ name, width, children }: GroupHeadProps): VNode {
  return (
    <tr class={`group ${name}`.trim()}>
      <th scope="rowgroup" colSpan={width}>
        {children}
      </th>
    </tr>
  )
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
        <button type="button" onClick={() => field.current?.click()}>
          Compare with other reports…
        </button>{' '}
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
          <p key={problem} class="problem">
            <Text value={problem} most={300} />
          </p>
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
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const dragged = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent): void => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      latest.current(event.dataTransfer?.files)
    }
    addEventListener('dragover', dragged)
    addEventListener('dragleave', left)
    addEventListener('drop', dropped)
    return () => {
      removeEventListener('dragover', dragged)
      removeEventListener('dragleave', left)
      removeEventListener('drop', dropped)
    }
  }, [])
  return over
}
