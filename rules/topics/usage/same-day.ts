import { isDeepStrictEqual } from 'node:util'
import { at, fieldAt } from '../../../schemas/pointer.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import type { Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import type { Batch } from '../../known/batches.ts'
import { batchesIn, claimOf, type GroupRule, sendsLines } from '../../known/groups.ts'
import { measured, usageKind } from '../../known/usage.ts'

/** Which requirement it is depends on the report. */
function requirementOf(view: ExchangeView): string {
  const kind = usageKind(view)
  if (kind?.version === 2) return 'USAGE-V2-DAY'
  return kind?.by === 'app' || kind?.by === 'host' ? 'USAGE-V1-DAY' : 'USAGE-TAGS-DAY'
}

/**
 * USAGE-V1-DAY, USAGE-V2-DAY, USAGE-TAGS-DAY: two moments of one day give the same usage report (section 'What the service
 * does', usage rules). The intent's probe is `same-day`; its group holds three questions: A, B, A. Where the two answers to
 * A differ, nothing is said. Only known fields are compared: an answer may repeat the moments that were asked for. Where the
 * group sent lines of its own, only rows under their names are compared: those do not depend on what others do. Shares do,
 * and so names alone are compared where the shares of the two A differ. A question without an answer does not take the
 * place of another.
 */
export const sameDayRule: GroupRule = {
  name: 'moments of one day give the same report',
  sees: ({ intent }) => intent?.probe === probes.sameDay,
  judge(view, before, oracle) {
    const three = [...before, view].filter((one) => one.accepted && !sendsLines(one)).slice(-3)
    const [first, other, last] = three
    const urls = three.map(({ exchange }) => exchange.request.url)
    if (!first || !other || last !== view || urls[0] !== urls[2] || urls[0] === urls[1]) return []
    const claim = claimOf(requirementOf(view), three)
    const batches = batchesIn(before)
    const own = namesIn(batches, usageKind(view)?.by ?? 'app')
    const [a, b, again] = three.map((one) => rowsOf(one, oracle, own))
    const read = own.size > 0 && !isDeepStrictEqual(a, again) ? countedIn : (report: unknown) => report
    const sent = Math.max(...batches.map(({ end }) => end))
    if (own.size > 0 && first.exchange._start - sent < oracle.settleMs) {
      return [unclear(claim, 'not judged: lines were sent within the settle time before the reports')]
    }
    if (isEmpty(read(a))) return [unclear(claim, 'not judged: the report has no rows')]
    if (!isDeepStrictEqual(read(a), read(again)))
      return [unclear(claim, 'not judged: the same request gets two answers')]
    if (isDeepStrictEqual(read(a), read(b))) return [held(claim)]
    return [
      broken(claim, {
        message: 'two moments of one day give different reports',
        expected: shown(a),
        actual: shown(b),
      }),
    ]
  },
}

/** The names under which lines of the run were sent that a report counts. */
function namesIn(batches: readonly Batch[], by: 'app' | 'host' | 'tag'): ReadonlySet<string> {
  const senders = batches.flatMap(({ lines }) => lines.flatMap(({ sender }) => sender ?? []))
  return new Set(senders.flatMap((sender) => (by === 'tag' ? sender.tags : sender[by])))
}

/** The names of rows with something counted. */
function countedIn(report: unknown): unknown {
  if (!Array.isArray(report)) return report
  return report.filter(([, value]: readonly unknown[]) => value !== 0).map(([name]: readonly unknown[]) => name)
}

/**
 * The rows of a report, sorted: their order is not stated. Of each what the binding has a name for: what else it holds may
 * repeat the moments that were asked for, its name and its value first. `own`: only rows with these names; none: all.
 * Undefined where nobody knows where they are.
 */
function rowsOf(view: ExchangeView, { binding }: Oracle, own: ReadonlySet<string>): unknown {
  const tags =
    view.operation?.id === 'list-usage-by-tag' ? binding.answers.get('GAP-USAGE-TAGS-BODY')?.value : undefined
  const told = isRecord(tags) ? tags : undefined
  const pointer = told?.rows ?? view.operation?.answer.list ?? ''
  const rows = typeof pointer === 'string' ? at(jsonOf(view.response), pointer) : undefined
  if (!Array.isArray(rows)) return undefined
  const fields = view.operation?.fields ?? {}
  const name = told?.name ?? fields.name
  const value = told?.value ?? fields.percent ?? fields.bytes
  const names = [name, value, ...Object.values(fields)].filter(isText)
  const isOwn = (row: unknown): boolean =>
    own.size === 0 || (isText(name) && isRecord(row) && own.has(String(fieldAt(row, name))))
  const known = rows
    .filter(isOwn)
    .map((row) => names.map((name) => (isRecord(row) ? measured(fieldAt(row, name)) : undefined)))
  const named = known.map((values) => [JSON.stringify(values), values] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, values]) => values)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isEmpty(report: unknown): boolean {
  return !Array.isArray(report) || report.length === 0
}
