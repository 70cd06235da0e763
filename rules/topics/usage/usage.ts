import { at, fieldAt } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type ExchangeRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { isShare, measured } from '../../known/usage.ts'

/** Where the binding says the rows of usage by tag are, and what their fields are called. */
interface UsageShape {
  readonly rows: string
  readonly name: string
  /** field of the percentage */
  readonly value: string
}

/**
 * Usage v1 reports a percentage of all lines, so each row lies between 0 and 100 (section 'What the service does');
 * the third parameter limits the number of rows (operation rule 14).
 */
export const usageRule: ExchangeRule = {
  name: 'usage',
  operations: ['list-usage-by-tag'],
  judge(view, oracle) {
    const shape = oracle.binding.answers.get('GAP-USAGE-TAGS-BODY')?.value
    if (view.operation?.id !== 'list-usage-by-tag' || !view.accepted || !isShape(shape)) return []
    const rows = at(jsonOf(view.response), shape.rows)
    if (!Array.isArray(rows)) return []
    return [...judgePercentages(view, rows.filter(isRecord), shape), ...judgeLimit(view, rows.length, oracle)]
  },
}

function judgePercentages(
  view: ExchangeView,
  rows: readonly Record<string, unknown>[],
  shape: UsageShape,
): Judgement[] {
  const base = { ...about(view), requirement: 'USAGE-TAGS-PERCENTAGE', exchanges: [view.id] }
  const values = rows.map((row) => measured(fieldAt(row, shape.value))).filter((value) => typeof value === 'number')
  if (values.length === 0) return []
  const outside = values.find((value) => !isShare(value))
  if (outside === undefined) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      pointer: `${shape.rows}/*/${shape.value.replace(/^\//, '')}`,
      message: 'a share is not a percentage',
      expected: 'a number from 0 to 100',
      actual: shown(outside),
    },
  ]
}

function judgeLimit(view: ExchangeView, count: number, oracle: Oracle): Judgement[] {
  const parameter = oracle.binding.answers.get('GAP-USAGE-LIMIT-PARAMETER')?.value
  const asked = view.exchange.request.queryString.filter(({ name }) => name === parameter).map(({ value }) => value)
  // What another form of the number means ('1e1', ' 5', two of them) is not stated.
  if (asked.length !== 1 || !/^[1-9]\d*$/.test(asked[0] ?? '')) return []
  const limit = Number(asked[0])
  const base = { ...about(view), requirement: 'USAGE-TAGS-LIMIT', edge: `limit ${limit}`, exchanges: [view.id] }
  if (count < limit) return []
  if (count === limit) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'a report has more rows than were asked for',
      expected: `at most ${limit} rows`,
      actual: `${count} rows`,
    },
  ]
}

function isShape(value: unknown): value is UsageShape {
  return isRecord(value) && typeof value.rows === 'string' && typeof value.value === 'string'
}
