import { isDeepStrictEqual } from 'node:util'
import { at, fieldAt } from '../../../schemas/pointer.ts'
import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, claimOf, type ExchangeRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import type { Batch } from '../../known/batches.ts'
import { batchesIn, type GroupRule, sendsLines } from '../../known/groups.ts'
import {
  isShare,
  isUncut,
  measured,
  type UsageRow,
  usageKind,
  usageOperations,
  usagePlaces,
  usageReport,
} from '../../known/usage.ts'

const BY_TAG = 'list-usage-by-tag'

/**
 * The values of usage reports. v1 reports percentages of all lines, between 0 and 100; v2 reports bytes (categories
 * 'Usage v1' and 'Usage v2'). The third parameter limits the rows of usage by tag (operation rule 14).
 */
export const usageValuesRule: ExchangeRule = {
  name: 'usage values',
  operations: usageOperations,
  judge(view, oracle) {
    const kind = usageKind(view)
    const report = usageReport(view, oracle)
    if (!kind || !report) return []
    const byTag = view.operation?.id === BY_TAG
    const limited = byTag ? judgeLimit(view, report.rows.length, oracle) : []
    const rows = report.rows.filter(isMeasured)
    if (rows.length === 0) return limited
    const base = { ...about(view), exchanges: [view.id], pointer: `*/${report.field}` }
    if (kind.version === 2) {
      const message = 'usage v2 reports something other than bytes'
      const wrong = rows.find(({ value }) => !(value >= 0))
      const fault = wrong && { message, expected: 'a number of at least 0', actual: shown(wrong.value) }
      return [decide({ ...base, requirement: 'USAGE-V2-BYTES' }, fault, undefined)]
    }
    const claim = { ...base, requirement: byTag ? 'USAGE-TAGS-PERCENTAGE' : 'USAGE-V1-PERCENTAGE' }
    const wrong = rows.find(({ value }) => !isShare(value))
    if (wrong) {
      const fault = { message: 'a share is not a percentage', expected: 'a number from 0 to 100' }
      return [broken(claim, { ...fault, actual: shown(wrong.value) }), ...limited]
    }
    if (byTag) return [held(claim), ...limited]
    if (kind.by === 'host' && rows.length === report.rows.length && isUncut(report) && areFractions(rows)) {
      const fault = {
        message: 'shares are fractions, not percentages',
        expected: 'shares of all hosts that add up to about 100, as each line has a host',
        actual: `they add up to ${sumOf(rows).toFixed(3)}`,
      }
      return [broken(claim, fault)]
    }
    // Each line has one application and one host, so that shares add up to the whole at most. Rounding is forgiven.
    const fault = {
      message: 'the shares of one report are more than the whole',
      expected: 'a sum of at most 100',
      actual: `${sumOf(rows).toFixed(3)} in ${rows.length} rows`,
    }
    const isMore = sumOf(rows) > 100 + graceOf(rows)
    return [held(claim), decide({ ...base, requirement: 'USAGE-V1-SUM' }, isMore ? fault : undefined, undefined)]
  },
}

interface Measured extends UsageRow {
  readonly value: number
}

function isMeasured(row: UsageRow): row is Measured {
  return typeof row.value === 'number'
}

function judgeLimit(view: ExchangeView, count: number, { binding }: Oracle): Judgement[] {
  const parameter = binding.answers.get('GAP-USAGE-LIMIT-PARAMETER')?.value
  const asked = view.exchange.request.queryString.filter(({ name }) => name === parameter).map(({ value }) => value)
  // What another form of the number means ('1e1', ' 5', two of them) is not stated.
  if (asked.length !== 1 || !/^[1-9]\d*$/.test(asked[0] ?? '')) return []
  const limit = Number(asked[0])
  if (count < limit) return []
  const message = 'a report has more rows than were asked for'
  const fault = { message, expected: `at most ${limit} rows`, actual: `${count} rows` }
  const claim = { ...about(view), requirement: 'USAGE-TAGS-LIMIT', edge: `limit ${limit}`, exchanges: [view.id] }
  return [decide(claim, count > limit ? fault : undefined, undefined)]
}

function sumOf(rows: readonly Measured[]): number {
  return rows.reduce((total, { value }) => total + value, 0)
}

/** What rounding may have added to all shares together: which way they are rounded is not said. */
function graceOf(rows: readonly Measured[]): number {
  return 2 * rows.length * roundingOf(rows.map(({ value }) => value)) + 0.001
}

/** From this on shares are too rough to see what they add up to. */
const ROUGH = 0.1

/** Whether the shares of all hosts add up to one. That is no share of a hundred: all others would have no host. */
function areFractions(rows: readonly Measured[]): boolean {
  const grace = graceOf(rows)
  return grace < ROUGH && Math.abs(sumOf(rows) - 1) <= grace
}

/** What rounding may have added to each of the values, judged by their decimal places. */
export function roundingOf(values: readonly number[]): number {
  const places = values.reduce((most, value) => Math.max(most, (String(value).split('.')[1] ?? '').length), 0)
  return 0.5 * 10 ** -Math.min(places, 10)
}

/** Which requirement it is depends on the report. */
function requirementOf(view: ExchangeView): string {
  const kind = usageKind(view)
  if (kind?.version === 2) return 'USAGE-V2-DAY'
  return kind?.by === 'app' || kind?.by === 'host' ? 'USAGE-V1-DAY' : 'USAGE-TAGS-DAY'
}

/**
 * USAGE-V1-DAY, USAGE-V2-DAY, USAGE-TAGS-DAY: two moments of one day give the same usage report (section 'What the service
 * does', usage rules). The intent's probe is `same-day`; its group holds three questions: A, B, A. If the two answers
 * to A differ, nothing is judged. Only known fields are compared: an answer may repeat the moments that were asked for.
 * Where the group sent lines of its own, only rows under their names are compared: those do not depend on what others
 * do. Shares do, and so names alone are compared where the shares of the two A differ. A question without an answer
 * does not take the place of another.
 */
export const sameDayRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'same-day',
  judge(view, before, oracle) {
    const three = [...before, view].filter((one) => one.accepted && !sendsLines(one)).slice(-3)
    const [first, other, last] = three
    const urls = three.map(({ exchange }) => exchange.request.url)
    if (!first || !other || last !== view || urls[0] !== urls[2] || urls[0] === urls[1]) return []
    const claim = claimOf(requirementOf(view), three)
    const batches = batchesIn(before)
    const own = namesIn(batches, usageKind(view)?.by ?? 'app')
    const [a, b, again] = three.map((one) => rowsOf(one, oracle, own))
    // Where reads may be old, two equal ones do not tell that others did nothing in between.
    const depends = own.size > 0 && (oracle.settleMs > 0 || !isDeepStrictEqual(a, again))
    const read = depends ? countedIn : (report: unknown) => report
    const sent = Math.max(...batches.map(({ end }) => end))
    if (own.size > 0 && first.exchange._start - sent < oracle.settleMs) {
      return [unclear(claim, 'not judged: lines were sent within the settle time before the reports')]
    }
    // Nothing counted is the same on any day.
    const counted = [a, b].map(countedIn)
    if (!counted.every(Array.isArray) || counted.every((names) => names.length === 0))
      return [unclear(claim, 'not judged: the report counts nothing')]
    if (!isDeepStrictEqual(read(a), read(again)))
      return [unclear(claim, 'not judged: the same request gets two responses')]
    if (isDeepStrictEqual(read(a), read(b))) return [held(claim)]
    const message = 'two moments of one day give different reports'
    return [broken(claim, { message, expected: shown(a), actual: shown(b) })]
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
 * The rows of a report, sorted: their order is not stated. Of each, the fields that the binding has a name for. Other
 * fields may repeat the requested times, its name and its value first. `own`: only rows with these names; none: all.
 * Undefined if their places are unknown.
 */
function rowsOf(view: ExchangeView, oracle: Oracle, own: ReadonlySet<string>): unknown {
  const fields = view.operation?.fields ?? {}
  const { rows: pointer = '', name, value = fields.percent ?? fields.bytes } = usagePlaces(view, oracle)
  const rows = at(jsonOf(view.response), pointer)
  if (!Array.isArray(rows)) return undefined
  const names = [name, value, ...Object.values(fields)].filter((one) => one !== undefined)
  const isOwn = (row: unknown): boolean =>
    own.size === 0 || (name !== undefined && isRecord(row) && own.has(String(fieldAt(row, name))))
  const known = rows
    .filter(isOwn)
    .map((row) => names.map((name) => (isRecord(row) ? measured(fieldAt(row, name)) : undefined)))
  const named = known.map((values) => [JSON.stringify(values), values] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, values]) => values)
}
