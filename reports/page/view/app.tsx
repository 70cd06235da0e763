import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import outline from '../../../schemas/outline.json' with { type: 'json' }
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report, RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { isTraffic } from '../../basis.ts'
import { number } from '../../counted.ts'
import { toneOf } from '../../replay-words.ts'
import { formatAddress, matches, selected, type View, WHOLE } from '../model/address.ts'
import type { PageData } from '../model/data.ts'
import { OVERALL, VERDICTS } from '../model/words.ts'
import { useAddress, usePrinting, useVisit } from './browser.ts'
import { About, Claim } from './claim.tsx'
import { Compare, Drop } from './compare.tsx'
import { BrokenExchanges, Failures, ServerErrors, Warnings } from './failures.tsx'
import { Gaps, ThingsToDo } from './gaps.tsx'
import { Latency } from './latency.tsx'
import { Legend, Overview, Specification } from './overview.tsx'
import { Printing } from './parts.tsx'
import { Differences } from './replay.tsx'
import { Requirements } from './requirements.tsx'
import { Run } from './run.tsx'
import { Text } from './text.tsx'

/** The page: one report, and beside it those that somebody wants to compare it with. */
export function App({ data }: { readonly data: PageData }): VNode {
  const [own] = data.reports
  return own ? <ReportPage data={data} report={own.report} /> : <p class="waiting">There is no report in this page.</p>
}

function ReportPage({ data, report }: { readonly data: PageData; readonly report: Report }): VNode {
  const { replay } = data
  const results = report.requirements
  const [reports, setReports] = useState(data.reports)
  const printing = usePrinting()
  const { view, visits, change } = useAddress((asked) => settled(asked, results))
  const found = useMemo(() => selected(results, view), [results, view])
  const [failed, warned] = useMemo(() => [brokenBy(results, ['fail', 'error']), brokenBy(results, ['warn'])], [results])
  useVisit(view.anchor, visits)

  const compared = reports.length > 1
  const parts: readonly (readonly [isThere: unknown, id: string, label: string])[] = [
    [compared, 'compare', 'Comparison'],
    [replay, 'differences', 'Differences'],
    [isTraffic(report) && failed.length + warned.length > 0, 'exchanges', 'Exchanges'],
    [true, 'failures', `Failures ${number(failed.length)}`],
    [warned.length, 'warnings', `Warnings ${number(warned.length)}`],
    [true, 'specification', 'Specification'],
    [report.serverErrors?.kinds.length, 'server-errors', 'Server errors'],
    [results.some(({ verdict }) => verdict === 'not-run'), 'to-do', 'To do'],
    [true, 'requirements', 'Requirements'],
    [true, 'gaps', 'Gaps'],
    [true, 'latency', 'Latency'],
    [true, 'run', 'Run'],
  ]
  return (
    <Printing.Provider value={printing}>
      <Bar report={report} view={view} replay={replay} parts={parts.filter(([isThere]) => isThere)} />
      <main>
        <Claim report={report} replay={replay} />
        {compared && <Compare reports={reports} change={setReports} />}
        {replay && <Differences replay={replay} />}
        {isTraffic(report) && <BrokenExchanges results={[...failed, ...warned]} />}
        <Failures results={failed} anchor={view.anchor} />
        <Warnings results={warned} open={failed.length === 0} anchor={view.anchor} />
        <Specification outline={outline.sections} results={results} />
        <ServerErrors report={report} />
        <ThingsToDo results={results} />
        <About report={report} />
        <Legend results={results} />
        <Requirements results={results} found={found} view={view} change={change} />
        <Overview results={results} />
        <Gaps report={report} />
        <Latency report={report} />
        <Run report={report} cuts={data.cuts} />
        <Drop
          add={(more) => {
            setReports((now) => [...now, ...more])
            location.hash = '#compare'
          }}
        />
      </main>
      <footer>
        {report.suite.name} {report.suite.version}, specification {report.specification}. This page holds all that it
        shows, and asks for nothing from anywhere.
      </footer>
    </Printing.Provider>
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
  readonly replay: ReplayReport | undefined
  readonly parts: readonly (readonly [isThere: unknown, id: string, label: string])[]
}

function Bar({ report, view, replay, parts }: BarProps): VNode {
  const tone = replay ? toneOf(replay) : OVERALL[report.verdict].tone
  const { sign } = replay ? VERDICTS[tone] : OVERALL[report.verdict]
  return (
    <header class="bar screen-only">
      <a class="skip" href={formatAddress({ ...view, anchor: 'failures' })}>
        Skip to failures
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
