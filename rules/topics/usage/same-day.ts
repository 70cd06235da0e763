import { isDeepStrictEqual } from 'node:util'
import { probes } from '../../../schemas/intents.ts'
import { at, fieldAt } from '../../../schemas/pointer.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { takenIn } from '../../known/batches.ts'
import { measured, usageKind } from '../../known/usage.ts'

interface Asked {
  readonly exchange: string
  readonly url: string
  /** when it was asked for, milliseconds since the epoch */
  readonly start: number
  readonly report: unknown
}

interface Days {
  readonly asked: readonly Asked[]
  /** names that lines of the run were sent under, by what reports count */
  readonly names: Readonly<Record<'app' | 'host' | 'tag', ReadonlySet<string>>>
  /** when the last of these lines was taken */
  readonly sent: number
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
 * Only known fields are compared: an answer may repeat the moments that were asked for. Where the group sent lines of its
 * own, only rows under their names are compared: those do not depend on what others do. Shares do, and so names alone
 * are compared where the shares of the two A differ. A question without an answer, or one sent again, does not take the
 * place of another.
 */
export const sameDayRule: HistoryRule<Days> = {
  name: 'same day',
  intended: true,
  bound: 1_000,
  key: (view) => (view.intent?.probe === probes.sameDay ? view.intent.group : undefined),
  init: () => ({ asked: [], names: { app: new Set(), host: new Set(), tag: new Set() }, sent: 0 }),
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') return { state: withLines(state, view), judgements: [] }
    if (!view.accepted) return { state, judgements: [] }
    const { _start: start } = view.exchange
    const own = state.names[usageKind(view)?.by ?? 'app']
    const now = { exchange: view.id, url: view.exchange.request.url, start, report: rowsOf(view, oracle, own) }
    const next = { ...state, asked: [...state.asked, now].slice(-3) }
    const [before, other, after] = next.asked
    if (!before || !other || !after || before.url !== after.url || before.url === other.url) {
      return { state: next, judgements: [] }
    }
    const exchanges = next.asked.map(({ exchange }) => exchange)
    const base = { ...about(view), requirement: requirementOf(view), exchanges }
    const same = (read: (report: unknown) => unknown, one: Asked, two: Asked): boolean =>
      isDeepStrictEqual(read(one.report), read(two.report))
    const whole = (report: unknown): unknown => report
    const read = own.size > 0 && !same(whole, before, after) ? countedIn : whole
    const early = own.size > 0 && before.start - state.sent < oracle.settleMs
    if (early || isEmpty(read(before.report)) || !same(read, before, after)) {
      return { state: next, judgements: [{ ...base, outcome: 'inconclusive' }] }
    }
    if (same(read, before, other)) return { state: next, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: next,
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

function withLines(state: Days, view: ExchangeView): Days {
  const batch = takenIn(view)
  if (!batch) return state
  const senders = batch.lines.flatMap(({ sender }) => sender ?? [])
  const { app, host, tag } = state.names
  return {
    ...state,
    names: {
      app: new Set([...app, ...senders.map((sender) => sender.app)]),
      host: new Set([...host, ...senders.map((sender) => sender.host)]),
      tag: new Set([...tag, ...senders.flatMap(({ tags }) => tags)]),
    },
    sent: Math.max(state.sent, batch.end),
  }
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
