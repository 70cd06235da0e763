import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { takenIn } from '../../known/batches.ts'
import { reportedFor, type UsageReport, usageReport } from '../../known/usage.ts'
import { roundingOf } from './usage-values.ts'

/** What one report says of the sender. */
interface Told {
  readonly exchange: string
  readonly start: number
  readonly end: number
  readonly share: number
}

interface Sender {
  /** of all lines; undefined: they have several, or none were sent */
  readonly names: { readonly host: string; readonly tag: string } | undefined
  /** when the last of the lines was taken, milliseconds since the epoch */
  readonly end: number
  readonly sent: readonly string[]
  readonly byHost: Told | undefined
  readonly byTag: Told | undefined
}

const NOTHING: Sender = { names: undefined, end: 0, sent: [], byHost: undefined, byTag: undefined }
const HAIR = 1e-6
/** Rows of a report by host that sum to this little beside 100 are all hosts. */
const APART = 0.001

/**
 * The same lines have the same share by host and by tag: both are of all lines of the period (category 'Usage v1'). The
 * report by tag stands between two by host that tell the same share, further apart than a target takes to settle, and only
 * where the shares of all hosts sum to the whole is it known which of the two is wrong.
 */
export const tagSharesRule: HistoryRule<Sender> = {
  name: 'tag shares',
  intended: true,
  bound: 1_000,
  key: ({ intent }) => (intent?.probe === probes.sharesOfOneSender ? intent.group : undefined),
  init: () => NOTHING,
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') return { state: withSent(state, view), judgements: [] }
    const report = usageReport(view, oracle)
    if (!report || !state.names || view.intent?.final === false) return { state, judgements: [] }
    if (view.operation?.id === 'list-usage-by-tag') {
      return { state: { ...state, byTag: toldBy(view, report, state.names.tag) }, judgements: [] }
    }
    if (view.operation?.id !== 'list-usage-by-host') return { state, judgements: [] }
    const now = isWhole(report) ? toldBy(view, report, state.names.host) : undefined
    return {
      state: { ...state, byHost: now, byTag: undefined },
      judgements: now ? judge(state, now, view, oracle) : [],
    }
  },
  end: () => [],
}

function withSent(state: Sender, view: ExchangeView): Sender {
  const batch = takenIn(view)
  const senders = (batch?.lines ?? []).map(({ sender }) => sender)
  const [first] = senders
  const [tag] = first?.tags ?? []
  const same = senders.every((one) => one?.host === first?.host && one?.tags.length === 1 && one.tags[0] === tag)
  const known = batch && first && tag !== undefined && same && state.sent.length === 0
  return {
    ...NOTHING,
    names: known ? { host: first.host, tag } : undefined,
    end: batch?.end ?? 0,
    sent: [...state.sent, view.id],
  }
}

function toldBy(view: ExchangeView, report: UsageReport, name: string): Told | undefined {
  const share = reportedFor(report, name)
  const { _start: start, _end: end } = view.exchange
  return share === undefined || share <= 0 ? undefined : { exchange: view.id, start, end, share }
}

function isWhole({ rows }: UsageReport): boolean {
  const values = rows.flatMap(({ value }) => (typeof value === 'number' ? value : []))
  const sum = values.reduce((total, value) => total + value, 0)
  const grace = 2 * rows.length * roundingOf(values) + APART
  return values.length === rows.length && Math.abs(sum - 100) <= grace
}

function judge({ byHost, byTag, end, sent }: Sender, now: Told, view: ExchangeView, oracle: Oracle): Judgement[] {
  if (!byHost || !byTag) return []
  const base = {
    ...about(view),
    operation: 'list-usage-by-tag',
    requirement: 'USAGE-TAGS-SHARE',
    edge: probes.sharesOfOneSender,
    exchanges: [...sent, byHost.exchange, now.exchange, byTag.exchange],
  }
  const grace = 2 * (roundingOf([byHost.share]) + roundingOf([byTag.share])) + HAIR
  // As more lines of others come in, the share sinks from the one report to the other.
  const [least, most] = [Math.min(byHost.share, now.share) - grace, Math.max(byHost.share, now.share) + grace]
  if (byTag.share >= least && byTag.share <= most) return [{ ...base, outcome: 'held' }]
  if (byHost.share !== now.share) return [{ ...base, outcome: 'inconclusive' }]
  const { settleMs } = oracle
  const moments = [end, byHost.start, byHost.end, byTag.start, byTag.end, now.start]
  const apart = [0, 2, 4].every((index) => (moments[index + 1] ?? 0) - (moments[index] ?? 0) >= settleMs)
  if (!apart) return [{ ...base, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'lines have another share by tag than by host, though all of them have both',
      expected: `${now.share} percent of all lines`,
      actual: `${byTag.share}`,
    },
  ]
}
