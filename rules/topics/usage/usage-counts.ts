import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, DROPPING, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, isOwnName, receivedLines } from '../../known/lines.ts'
import { isUncut, reportedFor, type UsageReport, usageKind, usageMisfit, usageReport } from '../../known/usage.ts'

interface Counted {
  readonly batches: readonly Batch[]
  /** lines sent from here on may be dropped: they are another rule's matter */
  readonly troubled: boolean
  /** tags that exports have shown at lines of the run: how many a target keeps of each line is not stated */
  readonly tags: ReadonlySet<string>
}

/** operation -> that its report names what was used, and that it counts the lines of its period */
const REQUIREMENTS: Readonly<Record<string, readonly [string, string]>> = {
  'list-usage-by-app': ['USAGE-V1-BY-APP', 'USAGE-V1-PERIOD'],
  'list-usage-by-host': ['USAGE-V1-BY-HOST', 'USAGE-V1-PERIOD'],
  'list-usage-by-tag': ['USAGE-TAGS-AGGREGATES', 'USAGE-TAGS-PERIOD'],
  'list-usage-v2-by-app': ['USAGE-V2-BY-APP', 'USAGE-V2-STORED'],
  'list-usage-v2-by-host': ['USAGE-V2-BY-HOST', 'USAGE-V2-STORED'],
  'list-usage-v2-by-tag': ['USAGE-V2-BY-TAG', 'USAGE-V2-STORED'],
}

const EXPORTS = new Set(['export-v1', 'export-v2'])
const DAY = 86_400
/** Days may be cut in any zone. */
const ZONES = 15 * 3_600

/**
 * What was sent under a name of the run's own is in the report of its period under that name, and in no report of
 * another period (categories 'Usage v1' and 'Usage v2'). Only names are looked at: how much a target counts is its own.
 */
export const usageCountsRule: HistoryRule<Counted> = {
  name: 'usage counts',
  bound: 1_000,
  overlap: 'own',
  others: 'all',
  operations: () => ['ingest-lines', ...EXPORTS, ...Object.keys(REQUIREMENTS), ...DROPPING],
  key(view) {
    const id = view.operation?.id ?? ''
    const concerned = id === 'ingest-lines' || id in REQUIREMENTS || DROPPING.has(id)
    return concerned || (EXPORTS.has(id) && view.exchange._case !== undefined) ? 'usage' : undefined
  },
  init: () => ({ batches: [], troubled: false, tags: new Set() }),
  step(state, view, oracle) {
    if (DROPPING.has(view.operation?.id ?? '')) return { state: { ...state, troubled: true }, judgements: [] }
    if (view.operation?.id === 'ingest-lines') {
      const batch = state.troubled ? undefined : takenIn(view)
      return { state: batch ? { ...state, batches: withBatch(state.batches, batch) } : state, judgements: [] }
    }
    if (EXPORTS.has(view.operation?.id ?? '')) return { state: withTags(state, view), judgements: [] }
    const report = usageReport(view, oracle)
    if (report && view.intent?.probe === probes.lastDay)
      return { state, judgements: lookAtLastDay(view, report, state.batches) }
    const misnamed = report ? undefined : usageMisfit(view, oracle)
    if (misnamed !== undefined) return { state, judgements: unread(view, misnamed) }
    if (!report || view.intent?.kind === 'observe') return { state, judgements: [] }
    const before = state.batches.filter(({ end }) => end <= view.exchange._start)
    return { state, judgements: judgeNames(view, report, before, state.tags, oracle) }
  },
  end: () => [],
}

/** Whether a report until now counts the newest lines, which an earlier report has shown. */
function lookAtLastDay(view: ExchangeView, report: UsageReport, batches: readonly Batch[]): Judgement[] {
  const names = [...namesOf(view, batches).keys()]
  if (names.length === 0) return []
  const counted = report.rows.some(({ name, value }) => names.includes(name) && value !== 0)
  const actual = `${view.operation?.id}: lines of the day of to are ${counted ? 'counted' : 'not counted'}`
  return [{ ...about(view), requirement: 'GAP-USAGE-LAST-DAY', outcome: 'observed', exchanges: [view.id], actual }]
}

function unread(view: ExchangeView, message: string): Judgement[] {
  const base = { ...about(view), exchanges: [view.id], outcome: 'misfit', message } as const
  return (REQUIREMENTS[view.operation?.id ?? ''] ?? []).map((requirement) => ({ ...base, requirement }))
}

function withTags(state: Counted, view: ExchangeView): Counted {
  const lines = view.accepted ? receivedLines(view) : undefined
  const own = (lines ?? []).filter((line) => isMarked(line) && (line.sender?.tags.length ?? 0) > 1)
  return own.length === 0
    ? state
    : { ...state, tags: new Set([...state.tags, ...own.flatMap(({ sender }) => sender?.tags ?? [])]) }
}

function judgeNames(
  view: ExchangeView,
  report: UsageReport,
  batches: readonly Batch[],
  tags: ReadonlySet<string>,
  oracle: Oracle,
): Judgement[] {
  const [named, period] = REQUIREMENTS[view.operation?.id ?? ''] ?? []
  const { from, to } = report
  if (named === undefined || period === undefined || from === undefined || to === undefined) return []
  const wanted = namesOf(view, batches)
  const judged: Judgement[] = []
  for (const [name, { batch, times, arrivals, single }] of wanted) {
    const base = { ...about(view), edge: name, exchanges: [batch.exchange, view.id] }
    const row = report.rows.find((one) => one.name === name)
    const stands = row !== undefined
    const surely = times.every((time) => time >= from + ZONES && time <= to - DAY - ZONES)
    const never = [...times, ...arrivals].every((time) => time < from - DAY - ZONES || time > to + DAY + ZONES)
    if (never) {
      // Which names a report lists is not shown: one may stand there with nothing counted.
      if (!stands || row.value === 0) judged.push({ ...base, requirement: period, outcome: 'held' })
      else if (view.exchange._case !== undefined || isOwnName(name)) {
        judged.push({
          ...base,
          requirement: period,
          outcome: 'broken',
          message: 'a report counts lines of another period',
          expected: `no row for ${name}, which has no line in the period`,
          actual: `a row with ${reportedFor(report, name)}`,
        })
      }
    } else if (stands && (surely || row.value !== 0)) judged.push({ ...base, requirement: named, outcome: 'held' })
    else if (surely && isUncut(report) && (single || (tags.has(name) && !isPart(name, report)))) {
      if (!isSettled(view, batch.end, oracle)) judged.push({ ...base, requirement: named, outcome: 'inconclusive' })
      else {
        judged.push({
          ...base,
          requirement: named,
          outcome: 'broken',
          message: 'a report leaves out what was sent in its period',
          expected: `a row for ${name}`,
          actual: `${report.rows.length} rows without it`,
        })
      }
    }
  }
  return judged
}

/** Whether a row stands for several names, of which this is one. */
function isPart(name: string, { rows }: UsageReport): boolean {
  return rows.some((row) => row.name !== name && row.name.includes(name))
}

interface Use {
  readonly batch: Batch
  /** UNIX times in seconds */
  readonly times: readonly number[]
  /** when they were sent, in UNIX seconds: a target may store a line under the time of its arrival */
  readonly arrivals: readonly number[]
  /** a line carries no other name of the kind */
  readonly single: boolean
}

function namesOf(view: ExchangeView, batches: readonly Batch[]): ReadonlyMap<string, Use> {
  const by = usageKind(view)?.by
  const found = new Map<string, { batch: Batch; times: number[]; arrivals: number[]; single: boolean }>()
  for (const batch of batches) {
    for (const { sender, time } of batch.lines) {
      if (!sender || time === undefined) continue
      const names = by === 'app' ? [sender.app] : by === 'host' ? [sender.host] : sender.tags
      for (const name of names.filter((one) => one !== '')) {
        const use = found.get(name) ?? { batch, times: [], arrivals: [], single: false }
        use.times.push(time / 1000)
        use.arrivals.push(batch.start / 1000)
        found.set(name, { ...use, batch, single: use.single || names.length === 1 })
      }
    }
  }
  return found
}
