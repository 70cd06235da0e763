import type { VNode } from 'preact'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { comparedInWords, rulesInWords, toneOf } from '../../replay-words.ts'
import { unansweredInWords } from '../../to-do.ts'
import { formatAddress, WHOLE } from '../model/address.ts'
import { tally } from '../model/summary.ts'
import { duration, moment, OVERALL, VERDICT_ORDER } from '../model/words.ts'
import { Facts, IdLink, Part, VerdictMark } from './parts.tsx'
import { Linked, Text } from './text.tsx'

/** The verdict in one sentence, and how many requirements have which. */
export function Claim({
  report,
  replay,
}: {
  readonly report: Report
  readonly replay?: ReplayReport | undefined
}): VNode {
  const { target } = report
  const { tone, means } = OVERALL[report.verdict]
  const ids = new Set(report.requirements.map(({ id }) => id))
  const counts = tally(report.requirements)
  return (
    <section
      id="claim"
      class={`claim tone-${replay ? toneOf(replay) : tone}`}
      tabIndex={-1}
      aria-labelledby="claim-title"
    >
      <h1 id="claim-title">
        <Text
          as="span"
          kind="name"
          value={[target.name || 'The target', target.version].filter(Boolean).join(' ')}
          most={200}
        />{' '}
        {replay ? 'answers' : 'is'} <span class="overall">{replay ? repliesAs(replay) : report.verdict}</span>
      </h1>
      <p class="because">
        {replay && <Linked value={`By the rules: ${rulesInWords(replay)}. ${comparedInWords(replay)}`} ids={ids} />}
        {!replay && report.verdict === 'conformant' && means}
        {!replay && report.verdict !== 'conformant' && (
          <>
            <strong>Not certifiable</strong> because <Linked value={report.reason || 'no reason was given'} ids={ids} />
            .
          </>
        )}
      </p>
      <p class="counts">
        {VERDICT_ORDER.filter((verdict) => counts[verdict] > 0).map((verdict) => (
          <a key={verdict} href={formatAddress({ ...WHOLE, anchor: 'requirements', verdicts: [verdict] })}>
            {number(counts[verdict])} <VerdictMark verdict={verdict} />
          </a>
        ))}
        <span class="soft">
          <Text value={target.baseUrl} most={120} cut />, specification {report.specification},{' '}
          {moment(report.startedAt)}
        </span>
      </p>
      <Accounts report={report} />
    </section>
  )
}

function repliesAs(replay: ReplayReport): string {
  if (replay.counts.compared === 0) return 'nothing that could be compared'
  return replay.counts.different > 0 ? 'differently' : 'as recorded'
}

/** What was certified, and how. */
export function About({ report }: { readonly report: Report }): VNode {
  return (
    <Part id="about" title="This report" screenOnly>
      <Facts
        pairs={[
          ['Target', <Text key="t" value={report.target.baseUrl} most={300} />],
          ['Date', moment(report.startedAt)],
          ['Requests', `${number(report.requests)} in ${duration(report.durationMs)}`],
          ['Server errors', report.serverErrors && number(report.serverErrors.count)],
          ['Binding', bindingWords(report)],
          ['Suite', `${report.suite.name} ${report.suite.version}`],
          ['Profile', `${report.profile}${report.strict ? ', strict' : ''}`],
          ['Seed', String(report.seed)],
          ['Only', report.only.length > 0 && <Text key="o" value={report.only.join(', ')} most={300} />],
          ['Merged from', report.basis && report.basis.runs.length > 1 && counted(report.basis.runs.length, 'run')],
          [
            'Left behind',
            report.leftovers.length > 0 && <a href="#run">{counted(report.leftovers.length, 'thing')}</a>,
          ],
          [
            'Features claimed',
            <span key="f" class="tags">
              {report.features.map((feature) => (
                <Text key={feature} as="span" kind="tag" value={feature} most={100} />
              ))}
            </span>,
          ],
        ]}
      />
    </Part>
  )
}

function bindingWords(report: Report): VNode | string {
  const { binding } = report
  if (binding.name === '') return 'none: what the specification leaves open was not tried'
  const rest = binding.chain.filter((name) => name !== binding.name)
  return (
    <>
      <Text value={binding.name} most={200} />
      {rest.length > 0 && <span class="soft"> on {rest.join(', ')}</span>}
      <span class="soft">
        , {counted(binding.answered.length, 'gap')} answered, {unansweredInWords(report)}
      </span>
    </>
  )
}

/** What was expected of the run, and what changed since an earlier one. */
function Accounts({ report }: { readonly report: Report }): VNode | null {
  const { expectations, baseline, problems } = report
  if (!expectations && !baseline && problems.length === 0) return null
  const list = (label: string, ids: readonly string[]): VNode | null =>
    ids.length === 0 ? null : (
      <li key={label}>
        <strong>{label}:</strong>{' '}
        {ids.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <IdLink id={id} />
          </span>
        ))}
      </li>
    )
  return (
    <ul class="accounts">
      {problems.map((problem) => (
        <li key={problem}>
          <strong>assay itself:</strong> <Text value={problem} most={400} />
        </li>
      ))}
      {expectations && list('Failed unexpectedly', expectations.unexpected)}
      {expectations && list('Expected to fail, but holds', expectations.stale)}
      {expectations && list('Failed as expected', expectations.met)}
      {expectations && list('Expected to fail, not judged', expectations.unchecked)}
      {baseline && list('Worse than the baseline', baseline.worse)}
      {baseline && list('Fixed since the baseline', baseline.fixed)}
      {baseline && list('Known from the baseline', baseline.known)}
    </ul>
  )
}
