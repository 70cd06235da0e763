import type { VNode } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import outline from '../../../schemas/outline.json' with { type: 'json' }
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report, RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { isTraffic } from '../../basis.ts'
import { type Comparison, compareReports } from '../../compare/compare.ts'
import { number } from '../../counted.ts'
import { toneOf } from '../../replay-words.ts'
import { formatAddress, matches, selected, type View, WHOLE } from '../model/address.ts'
import type { PageData } from '../model/data.ts'
import { OVERALL, VERDICTS } from '../model/words.ts'
import { goToSearch, useAddress, useKeys, usePrinting, useVisit } from './browser.ts'
import { Claim } from './claim.tsx'
import { Compare, Drop } from './compare.tsx'
import { BrokenExchanges, Failures, ServerErrors, toCard, Warnings } from './failures.tsx'
import { Gaps, ThingsToDo } from './gaps.tsx'
import { Latency } from './latency.tsx'
import { Button, Facts, Printing } from './parts.tsx'
import { Differences } from './replay.tsx'
import { Requirements } from './requirements.tsx'
import { Run } from './run.tsx'
import { Specification } from './specification.tsx'
import { Text } from './text.tsx'

/** The page: one report, and beside it those that somebody wants to compare it with. */
export function App({ data }: { readonly data: PageData }): VNode {
  const [own] = data.reports
  return own ? <ReportPage data={data} report={own.report} /> : <p class="waiting">There is no report in this page.</p>
}

function ReportPage({ data, report }: { readonly data: PageData; readonly report: Report }): VNode {
  const { replay, cuts } = data
  const results = report.requirements
  const [reports, setReports] = useState(data.reports)
  const printing = usePrinting()
  const { view, visits, change } = useAddress((asked) => settled(asked, results))
  const found = useMemo(() => selected(results, view), [results, view])
  const [failed, warned] = useMemo(() => [brokenBy(results, ['fail', 'error']), brokenBy(results, ['warn'])], [results])
  const comparison = useMemo(() => (reports.length > 1 ? compareReports(reports) : undefined), [reports])
  useVisit(view.anchor, visits)
  const isPartial = report.verdict === 'partial'
  const isUnjudged = results.some(({ verdict }) => verdict === 'not-run')
  const { anchor } = view
  // What the table asks for is no reason to draw all the rest again.
  const before = useMemo(
    () => (
      <>
        <Claim report={report} replay={replay} comparison={comparison} />
        {comparison && <Compare reports={reports} whole={comparison} change={setReports} />}
        {replay && <Differences replay={replay} />}
        {isTraffic(report) && <BrokenExchanges results={[...failed, ...warned]} />}
        {isPartial && <ThingsToDo results={results} />}
        <Failures results={failed} anchor={anchor} />
        <Warnings results={warned} first={failed.length === 0} anchor={anchor} />
        <Specification outline={outline.sections} results={results} />
        <ServerErrors report={report} />
        {!isPartial && <ThingsToDo results={results} />}
      </>
    ),
    [reports, anchor, printing],
  )
  const after = useMemo(
    () => (
      <>
        <Gaps report={report} />
        <Latency report={report} />
        <Run report={report} cuts={cuts} />
      </>
    ),
    [report, printing],
  )
  const parts: readonly (readonly [isThere: unknown, id: string, label: string])[] = [
    [comparison, 'compare', 'Comparison'],
    [replay, 'differences', 'Differences'],
    [isTraffic(report) && failed.length + warned.length > 0, 'exchanges', 'Exchanges'],
    [isPartial && isUnjudged, 'to-do', 'To do'],
    [failed.length, 'failures', `Failures ${number(failed.length)}`],
    [warned.length, 'warnings', `Warnings ${number(warned.length)}`],
    [true, 'specification', 'Specification'],
    [report.serverErrors?.kinds.length, 'server-errors', 'Server errors'],
    [!isPartial && isUnjudged, 'to-do', 'To do'],
    [true, 'requirements', 'Requirements'],
    [true, 'gaps', 'Gaps'],
    [true, 'latency', 'Latency'],
    [true, 'run', 'Run'],
  ]
  return (
    <Printing.Provider value={printing}>
      <Bar
        report={report}
        view={view}
        {...toneAndSign(report, replay, comparison)}
        parts={parts.filter(([isThere]) => isThere)}
      />
      <main>
        {before}
        <Requirements results={results} found={found} view={view} change={change} />
        {after}
        <Drop
          add={(more) => {
            setReports((now) => [...now, ...more])
            location.hash = '#claim'
          }}
        />
      </main>
      <Keys />
      <footer>
        {report.suite.name} {report.suite.version}, specification {report.specification}. This page holds all that it
        shows, and asks for nothing from anywhere.
      </footer>
    </Printing.Provider>
  )
}

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['j k', 'the next failure, and the one before'],
  ['/', 'search in the failures; without any, in the requirements'],
  ['?', 'these keys'],
  ['Escape', 'closes them'],
]

/** What the keys do; shown by one of them. */
function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  useKeys({
    j: () => toCard(1),
    k: () => toCard(-1),
    '/': () => goToSearch(document.querySelector<HTMLInputElement>('input[type="search"]')),
    '?': () => window.current?.showModal(),
  })
  return (
    <dialog ref={window} class="keys" aria-label="Keys">
      <h2>Keys</h2>
      <Facts pairs={KEYS.map(([key, meaning]) => [key, meaning])} />
      <Button label="Close" press={() => window.current?.close()} />
    </dialog>
  )
}

/** Those with one of the verdicts, in the order of the verdicts. */
function brokenBy(results: readonly RequirementResult[], verdicts: readonly Verdict[]): RequirementResult[] {
  return verdicts.flatMap((verdict) => results.filter((result) => result.verdict === verdict))
}

/** A link leads to its requirement, whatever was filtered before. */
function settled(view: View, results: readonly RequirementResult[]): View {
  const named = results.find((result) => result.id === view.anchor)
  return named && !matches(named, view) ? { ...WHOLE, anchor: view.anchor } : view
}

interface BarProps {
  readonly report: Report
  readonly view: View
  readonly tone: Verdict
  readonly sign: string
  readonly parts: readonly (readonly [isThere: unknown, id: string, label: string])[]
}

/** How good or bad the page is as a whole: a comparison comes before the verdict of one report. */
function toneAndSign(report: Report, replay?: ReplayReport, comparison?: Comparison): Pick<BarProps, 'tone' | 'sign'> {
  const tone = comparison ? (comparison.regression ? 'fail' : 'pass') : replay && toneOf(replay)
  return tone ? { tone, sign: VERDICTS[tone].sign } : OVERALL[report.verdict]
}

function Bar({ report, view, tone, sign, parts }: BarProps): VNode {
  return (
    <header class="bar screen-only">
      <a class="skip" href={formatAddress({ ...view, anchor: parts[0]?.[1] ?? '' })}>
        Skip to {parts[0]?.[2].toLowerCase()}
      </a>
      <a class={`brand tone-${tone}`} href={formatAddress({ ...view, anchor: 'claim' })}>
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        <Text value={report.target.name || 'assay'} most={40} cut />
      </a>
      <nav aria-label="Parts of the report">
        {parts.map(([, id, label]) => (
          <a key={id} href={formatAddress({ ...view, anchor: id })}>
            {label}
          </a>
        ))}
      </nav>
    </header>
  )
}
