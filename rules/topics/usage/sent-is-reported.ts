import { probes } from '../../../schemas/records/intents.ts'
import { broken, decide, held, type Judgement, observed } from '../../core/judgement.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { isOwnName } from '../../known/lines.ts'
import type { LinesKnown, Sent } from '../../known/lines-store.ts'
import {
  isUncut,
  reportedFor,
  type UsageReport,
  type UsageRow,
  usageKind,
  usageMisfit,
  usageOperations,
  usageReport,
} from '../../known/usage.ts'

/** operation -> that its report names what was used, and that it counts the lines of its period */
const REQUIREMENTS: Readonly<Record<string, readonly [named: string, period: string]>> = {
  'list-usage-by-app': ['USAGE-V1-BY-APP', 'USAGE-V1-PERIOD'],
  'list-usage-by-host': ['USAGE-V1-BY-HOST', 'USAGE-V1-PERIOD'],
  'list-usage-by-tag': ['USAGE-TAGS-AGGREGATES', 'USAGE-TAGS-PERIOD'],
  'list-usage-v2-by-app': ['USAGE-V2-BY-APP', 'USAGE-V2-STORED'],
  'list-usage-v2-by-host': ['USAGE-V2-BY-HOST', 'USAGE-V2-STORED'],
  'list-usage-v2-by-tag': ['USAGE-V2-BY-TAG', 'USAGE-V2-STORED'],
}

const DAY = 86_400
/** Days may be cut in any zone. */
const ZONES = 15 * 3_600

/**
 * USAGE-V1-BY-APP and the others above: what was sent under a name of the run's own is in the report of its period under
 * that name, and in no report of another period (categories 'Usage v1' and 'Usage v2'). Only names are looked at: how much a
 * target counts is its own.
 */
export const sentIsReportedRule: Rule<LinesKnown> = {
  name: 'what was sent is in the report of its period',
  operations: () => usageOperations,
  judge(view, known, oracle) {
    const requirements = REQUIREMENTS[view.operation?.id ?? '']
    if (!requirements || !view.accepted) return []
    const report = usageReport(view, oracle)
    const base = { ...about(view), exchanges: [view.id] }
    if (!report) {
      const message = usageMisfit(view, oracle)
      return message === undefined
        ? []
        : requirements.map((requirement): Judgement => ({ ...base, requirement, outcome: 'misfit', message }))
    }
    if (view.intent?.probe === probes.lastDay) {
      const names = usesOf(view, known.sent.all, report)
      if (names.size === 0) return []
      const counted = report.rows.some(({ name, value }) => names.has(name) && value !== 0)
      const what = `${view.operation?.id}: lines of the day of to are ${counted ? 'counted' : 'not counted'}`
      return [observed({ ...base, requirement: 'GAP-USAGE-LAST-DAY' }, what)]
    }
    if (view.intent?.kind === 'observe' || report.from === undefined || report.to === undefined) return []
    const before = known.sent.all.filter(({ end }) => end <= view.exchange._start)
    const uses = usesOf(view, before, report)
    if (uses.size === 0) return []
    const rows = new Map(report.rows.toReversed().map((row) => [row.name, row]))
    return [...uses].flatMap(([name, use]) =>
      judgeName(name, use, rows.get(name), requirements, view, report, known, oracle),
    )
  },
}

function judgeName(
  name: string,
  { batch, inside, outside, single }: Use,
  row: UsageRow | undefined,
  [named, period]: readonly [named: string, period: string],
  view: ExchangeView,
  report: UsageReport,
  { tags }: LinesKnown,
  oracle: Oracle,
): Judgement[] {
  const base = { ...about(view), edge: name, exchanges: [batch.exchange, view.id] }
  if (outside) {
    const claim = { ...base, requirement: period }
    // Which names a report lists is not shown: one may stand there with nothing counted.
    if (!row || row.value === 0) return [held(claim)]
    if (view.exchange._case === undefined && !isOwnName(name)) return []
    return [
      broken(claim, {
        message: 'a report counts lines of another period',
        expected: `no row for ${name}, which has no line in the period`,
        actual: `a row with ${reportedFor(report, name)}`,
      }),
    ]
  }
  const claim = { ...base, requirement: named }
  if (row) return inside || row.value !== 0 ? [held(claim)] : []
  if (!inside || !isUncut(report) || !(single || (tags.has(name) && !isPart(name, report)))) return []
  const fault = {
    message: 'a report leaves out what was sent in its period',
    expected: `a row for ${name}`,
    actual: `${report.rows.length} rows without it`,
  }
  return [decide(claim, fault, doubtOf(view, batch.end, oracle))]
}

/** Whether a row stands for several names, of which this is one. */
function isPart(name: string, { rows }: UsageReport): boolean {
  return rows.some((row) => row.name !== name && row.name.includes(name))
}

/** How the lines of one name stand to the period of a report. */
interface Use {
  /** the newest of them */
  batch: Sent
  /** they all are of the period, in every zone */
  inside: boolean
  /** none of them is, nor did any arrive in it: a target may store a line under the time of its arrival */
  outside: boolean
  /** a line carries no other name of the kind */
  single: boolean
}

function usesOf(
  view: ExchangeView,
  batches: readonly Sent[],
  { from = 0, to = 0 }: UsageReport,
): ReadonlyMap<string, Use> {
  const by = usageKind(view)?.by
  const found = new Map<string, Use>()
  const isOutside = (time: number): boolean => time < from - DAY - ZONES || time > to + DAY + ZONES
  for (const batch of batches) {
    if (batch.mayBeDropped) continue
    for (const { sender, time } of batch.lines) {
      if (!sender || time === undefined) continue
      const names = by === 'app' ? [sender.app] : by === 'host' ? [sender.host] : sender.tags
      for (const name of names) {
        if (name === '') continue
        let use = found.get(name)
        if (!use) {
          use = { batch, inside: true, outside: true, single: false }
          found.set(name, use)
        }
        use.batch = batch
        use.inside &&= time / 1000 >= from + ZONES && time / 1000 <= to - DAY - ZONES
        use.outside &&= isOutside(time / 1000) && isOutside(batch.start / 1000)
        use.single ||= names.length === 1
      }
    }
  }
  return found
}
