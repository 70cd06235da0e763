import type { Judgement } from '../../core/judgement.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { isShare, isUncut, type UsageRow, usageKind, usageOperations, usageReport } from '../../known/usage.ts'

/**
 * The values of usage reports by application and by host, and of all of v2: v1 reports percentages, v2 bytes (categories
 * 'Usage v1' and 'Usage v2'). Usage by tag has a rule of its own.
 */
export const usageValuesRule: ExchangeRule = {
  name: 'usage values',
  operations: usageOperations.filter((id) => id !== 'list-usage-by-tag'),
  judge(view, oracle) {
    const kind = usageKind(view)
    const report = usageReport(view, oracle)
    const rows = report?.rows.filter(isMeasured) ?? []
    if (!kind || !report || rows.length === 0 || view.operation?.id === 'list-usage-by-tag') return []
    const all = rows.length === report.rows.length
    const base = { ...about(view), exchanges: [view.id], pointer: `*/${report.field}` }
    if (kind.version === 2) {
      const wrong = rows.find(({ value }) => !(value >= 0))
      if (!wrong) return [{ ...base, requirement: 'USAGE-V2-BYTES', outcome: 'held' }]
      return [
        {
          ...base,
          requirement: 'USAGE-V2-BYTES',
          outcome: 'broken',
          message: 'usage v2 reports something other than bytes',
          expected: 'a number of at least 0',
          actual: shown(wrong.value),
        },
      ]
    }
    const wrong = rows.find(({ value }) => !isShare(value))
    if (wrong) {
      return [
        {
          ...base,
          requirement: 'USAGE-V1-PERCENTAGE',
          outcome: 'broken',
          message: 'a share is not a percentage',
          expected: 'a number from 0 to 100',
          actual: shown(wrong.value),
        },
      ]
    }
    if (kind.by === 'host' && all && isUncut(report) && areFractions(rows)) {
      return [
        {
          ...base,
          requirement: 'USAGE-V1-PERCENTAGE',
          outcome: 'broken',
          message: 'shares are fractions, not percentages',
          expected: 'shares of all hosts that add up to about 100, as each line has a host',
          actual: `they add up to ${sumOf(rows).toFixed(3)}`,
        },
      ]
    }
    return [{ ...base, requirement: 'USAGE-V1-PERCENTAGE', outcome: 'held' }, judgeSum(rows, base)]
  },
}

interface Measured extends UsageRow {
  readonly value: number
}

function isMeasured(row: UsageRow): row is Measured {
  return typeof row.value === 'number'
}

/** Each line has one application and one host, so that shares add up to the whole at most. Rounding is forgiven. */
function judgeSum(rows: readonly Measured[], base: Omit<Judgement, 'requirement' | 'outcome'>): Judgement {
  const sum = sumOf(rows)
  const grace = graceOf(rows)
  if (sum <= 100 + grace) return { ...base, requirement: 'USAGE-V1-SUM', outcome: 'held' }
  return {
    ...base,
    requirement: 'USAGE-V1-SUM',
    outcome: 'broken',
    message: 'the shares of one report are more than the whole',
    expected: 'a sum of at most 100',
    actual: `${sum.toFixed(3)} in ${rows.length} rows`,
  }
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
