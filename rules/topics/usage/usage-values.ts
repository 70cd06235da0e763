import { broken, decide, held, type Judgement } from '../../core/judgement.ts'
import { about, type ExchangeRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { isShare, isUncut, type UsageRow, usageKind, usageOperations, usageReport } from '../../known/usage.ts'

const BY_TAG = 'list-usage-by-tag'

/**
 * The values of usage reports: v1 reports percentages of all lines, so that each lies between 0 and 100, v2 bytes
 * (categories 'Usage v1' and 'Usage v2'); the third parameter limits the rows of usage by tag (operation rule 14).
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

/** Shares are told too roughly from this on to see what they add up to. */
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
