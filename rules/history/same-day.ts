import { isDeepStrictEqual } from 'node:util'
import { at, fieldAt } from '../../schemas/pointer.ts'
import { isRecord } from '../request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../rule.ts'
import { shown } from '../shown.ts'
import { measured, usageKind } from '../usage.ts'
import { type ExchangeView, jsonOf } from '../view.ts'

interface Asked {
  readonly exchange: string
  readonly url: string
  readonly report: unknown
}

/** Which requirement it is depends on the report. */
function requirementOf(view: ExchangeView): string {
  const kind = usageKind(view)
  if (kind?.version === 2) return 'USAGE-V2-DAY'
  return kind?.by === 'app' || kind?.by === 'host' ? 'USAGE-V1-DAY' : 'USAGE-TAGS-DAY'
}

/**
 * Two moments of one day give the same usage report (section 'What the service does', usage rules). The intent's
 * probe is `same-day`; its group holds three questions: A, B, A. Where the two answers to A differ, nothing is said.
 * Only known fields are compared: an answer may repeat the moments that were asked for. A question without an answer, or one
 * sent again, does not take the place of another.
 */
export const sameDayRule: HistoryRule<readonly Asked[]> = {
  name: 'same day',
  intended: true,
  bound: 1_000,
  key: (view) => (view.intent?.probe === 'same-day' ? view.intent.group : undefined),
  init: () => [],
  step(state, view, oracle) {
    if (!view.accepted) return { state, judgements: [] }
    const now = { exchange: view.id, url: view.exchange.request.url, report: rowsOf(view, oracle) }
    const asked = [...state, now].slice(-3)
    const [before, other, after] = asked
    if (!before || !other || !after || before.url !== after.url || before.url === other.url) {
      return { state: asked, judgements: [] }
    }
    const base = { ...about(view), requirement: requirementOf(view), exchanges: asked.map(({ exchange }) => exchange) }
    if (isEmpty(before.report) || !isDeepStrictEqual(before.report, after.report)) {
      return { state: asked, judgements: [{ ...base, outcome: 'inconclusive' }] }
    }
    if (isDeepStrictEqual(before.report, other.report))
      return { state: asked, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: asked,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'two moments of one day give different reports',
          expected: shown(before.report),
          actual: shown(other.report),
        },
      ],
    }
  },
  end: () => [],
}

/**
 * The rows of a report, sorted: their order is not stated. Of each what the binding has a name for: what else it holds may
 * repeat the moments that were asked for. Undefined where nobody knows where they are.
 */
function rowsOf(view: ExchangeView, { binding }: Oracle): unknown {
  const tags =
    view.operation?.id === 'list-usage-by-tag' ? binding.answers.get('GAP-USAGE-TAGS-BODY')?.value : undefined
  const told = isRecord(tags) ? tags : undefined
  const pointer = told?.rows ?? view.operation?.answer.list ?? ''
  const rows = typeof pointer === 'string' ? at(jsonOf(view.response), pointer) : undefined
  if (!Array.isArray(rows)) return undefined
  const names = [told?.name, told?.value, ...Object.values(view.operation?.fields ?? {})].filter(isText)
  const known = rows.map((row) => names.map((name) => (isRecord(row) ? measured(fieldAt(row, name)) : undefined)))
  const named = known.map((values) => [JSON.stringify(values), values] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, values]) => values)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isEmpty(report: unknown): boolean {
  return !Array.isArray(report) || report.length === 0
}
