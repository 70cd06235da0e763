import type { ComponentChildren, VNode } from 'preact'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { CHANGES, type ComparedReport, type Comparison, isRegression } from '../../compare/compare.ts'
import { counted, number } from '../../counted.ts'
import { comparedInWords, rulesInWords, toneOf } from '../../replay-words.ts'
import { formatAddress, WHOLE } from '../model/address.ts'
import { byLevel } from '../model/summary.ts'
import { CHANGE_WORDS, LEVELS, moment, OVERALL } from '../model/words.ts'
import { IdLink, inWords, StackedBar } from './parts.tsx'
import { Linked, Text } from './text.tsx'

interface ClaimProps {
  readonly report: Report
  readonly replay?: ReplayReport | undefined
  readonly comparison?: Comparison | undefined
}

/** The answer in one sentence: the verdict, or how other reports differ from it. Then how many requirements have which. */
export function Claim(props: ClaimProps): VNode {
  const { report, comparison } = props
  const { tone, title, because } = comparison ? comparedClaim(comparison) : ownClaim(props)
  return (
    <section id="claim" class={`claim tone-${tone}`} tabIndex={-1} aria-labelledby="claim-title">
      <h1 id="claim-title">{title}</h1>
      <p class="because">{because}</p>
      {!comparison && <Levels report={report} />}
      <p class="soft">
        <Text value={report.target.baseUrl} most={120} cut />, specification {report.specification},{' '}
        {moment(report.startedAt)}
      </p>
      <Accounts report={report} />
    </section>
  )
}

type Said = Readonly<Record<'title' | 'because', ComponentChildren>> & { readonly tone: string }

function ownClaim({ report, replay }: ClaimProps): Said {
  const { tone, means } = OVERALL[report.verdict]
  const broken = new Set(report.requirements.flatMap(({ id, findings }) => (findings.length > 0 ? [id] : [])))
  const ids = new Set(report.requirements.map(({ id }) => id))
  const title = (
    <>
      <Name name={[report.target.name || 'The target', report.target.version].filter(Boolean).join(' ')} />{' '}
      {replay ? 'answers' : 'is'} <span class="overall">{replay ? repliesAs(replay) : report.verdict}</span>
    </>
  )
  if (replay) {
    const words = `By the rules: ${rulesInWords(replay)}. ${comparedInWords(replay)}`
    return { tone: toneOf(replay), title, because: <Linked value={words} ids={ids} broken={broken} /> }
  }
  const because = (
    <>
      <strong>Not certifiable</strong> because{' '}
      <Linked value={report.reason || 'no reason was given'} ids={ids} broken={broken} />.
    </>
  )
  return { tone, title, because: report.verdict === 'conformant' ? means : because }
}

/** What a comparison says first: whether something got worse. */
function comparedClaim({ reports, requirements, counts, regression }: Comparison): Said {
  const [first, ...others] = reports.map(nameOf)
  const worse = others.filter((_, index) => requirements.some(({ cells }) => isRegression(cells[index + 1]))).length
  const differing = CHANGES.filter((change) => change !== 'same' && counts[change] > 0)
  const words = differing.map((change) => `${number(counts[change])} ${CHANGE_WORDS[change]}`)
  return {
    tone: regression ? 'fail' : 'pass',
    title: (
      <>
        <Name
          name={
            others.length === 1
              ? (others[0] ?? '')
              : `${regression ? Math.max(1, worse) : 'None'} of ${others.length} reports`
          }
        />{' '}
        is <span class="overall">{regression || others.length > 1 ? 'worse' : 'not worse'}</span> than{' '}
        <Name name={first ?? ''} />
      </>
    ),
    because:
      words.length === 0
        ? 'All requirements have the same verdict.'
        : `${words.join(', ')}; ${counted(counts.same, 'requirement')} the same.`,
  }
}

function nameOf({ target, name, baseUrl }: ComparedReport, _index: number, all: readonly ComparedReport[]): string {
  // Two runs of one version are told apart by the names of their reports.
  return target !== '' && all.filter((one) => one.target === target).length === 1 ? target : name || baseUrl
}

function Name({ name }: { readonly name: string }): VNode {
  return <Text as="span" kind="name" value={name} most={200} />
}

/** Each level by itself, as they are never added up. Requirements that were not run are hatched: they never look like success. */
function Levels({ report }: Pick<ClaimProps, 'report'>): VNode {
  return (
    <ul class="levels plain">
      {[...byLevel(report.requirements)].map(([level, counts]) => (
        <li key={level} title={LEVELS[level]}>
          <a href={formatAddress({ ...WHOLE, anchor: 'requirements', levels: [level] })}>
            <strong>{level}</strong> <span class="soft">{inWords(counts)}</span>
            <StackedBar counts={counts} />
          </a>
        </li>
      ))}
    </ul>
  )
}

function repliesAs(replay: ReplayReport): string {
  if (replay.counts.compared === 0) return 'nothing that could be compared'
  return replay.counts.different > 0 ? 'differently' : 'as recorded'
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
