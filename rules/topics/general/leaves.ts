import type { Binding } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { carries, recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'
import { naming, type Refused, refusedIn, withRefused } from '../../known/refusals.ts'

interface Leaving {
  /** operation that changes something */
  readonly operation: string
  /** operation that reads it */
  reader(binding: Binding): string | undefined
  /** operations that make, change or remove it in other ways: after one of them nothing is known */
  others(binding: Binding): readonly (string | undefined)[]
  /** what all of them are about */
  id(view: ExchangeView, oracle: Oracle): string | undefined
  /** pointer to what is stored in the request's body */
  readonly sent: string
  /** fields that the server keeps count of by itself */
  readonly ignored: readonly string[]
  /** that what was sent is stored: broken where it does not stay, and no refused request tells why */
  readonly applies: string
  /** field -> requirement, where its value is held to one of its own */
  readonly fields?: Readonly<Record<string, string>>
}

interface Left {
  /** what the newest good change that was accepted sent; undefined where nobody can know what is stored */
  readonly known: Readonly<Record<string, unknown>> | undefined
  readonly exchange: string
  readonly at: number
  /** fields that a read has shown as they were sent: only these tell whether something was carried out */
  readonly faithful: ReadonlySet<string>
  /** those of them that were read so since the newest change */
  readonly stood: ReadonlySet<string>
  readonly refused: readonly Refused[]
}

const NO_NAMES: ReadonlySet<string> = new Set()
const NOTHING: Left = { known: undefined, exchange: '', at: 0, faithful: NO_NAMES, stood: NO_NAMES, refused: [] }

/**
 * A change that was refused is not carried out: what it sent is not read afterwards (sections 'Authentication' and
 * 'Errors'). Only of a run, which means requests to be refused.
 */
export function leavesRule(rule: Leaving): HistoryRule<Left> {
  return {
    name: `leaves ${rule.operation}`,
    bound: 10_000,
    intended: true,
    operations: (binding) => [rule.operation, rule.reader(binding), ...rule.others(binding)],
    key(view, oracle) {
      const { binding } = oracle
      const id = view.operation?.id
      const concerned = id === rule.operation || id === rule.reader(binding) || rule.others(binding).includes(id)
      return view.intent && id !== undefined && concerned ? rule.id(view, oracle) : undefined
    },
    init: () => NOTHING,
    step(state, view, oracle) {
      if (view.operation?.id === rule.operation) return { state: afterChange(state, view, rule), judgements: [] }
      if (view.operation?.id === rule.reader(oracle.binding)) return afterRead(state, view, rule, oracle)
      return { state: leftAlone(view) ? state : NOTHING, judgements: [] }
    },
    end: () => [],
  }
}

function afterChange(state: Left, view: ExchangeView, rule: Leaving): Left {
  const refused = refusedIn(view)
  if (refused) {
    if (!state.known) return state
    const part = at(refused.sent, rule.sent)
    return { ...state, refused: withRefused(state.refused, { ...refused, sent: isRecord(part) ? part : {} }) }
  }
  if (!view.accepted) return leftAlone(view) ? state : { ...NOTHING, faithful: state.faithful }
  const good = view.violations.length === 0 && view.intent?.kind !== 'observe'
  const part = at(jsonOf(view.request), rule.sent)
  const known = good && isRecord(part) ? part : undefined
  return { ...state, known, exchange: view.id, at: view.exchange._end, stood: NO_NAMES, refused: [] }
}

function afterRead(
  state: Left,
  view: ExchangeView,
  rule: Leaving,
  oracle: Oracle,
): { state: Left; judgements: Judgement[] } {
  const { known, refused } = state
  const record = view.accepted && known ? recordIn(view) : undefined
  if (!known || !record || view.exchange._start < (refused.at(-1)?.at ?? state.at)) return { state, judgements: [] }
  const names = Object.keys(known).filter((name) => !rule.ignored.includes(name))
  const stands = names.filter((name) => carries(record[name], known[name]))
  const faithful = new Set([...state.faithful, ...stands])
  const next = { ...state, faithful }
  if (refused.length === 0) return { state: { ...next, stood: new Set(stands) }, judgements: [] }
  const telling = names.filter((name) => faithful.has(name))
  const lost = telling.filter((name) => !stands.includes(name))
  const settled = isSettled(view, refused.at(-1)?.at ?? state.at, oracle)
  if (!settled && lost.length === 0) return { state: next, judgements: [] }
  const base = { ...about(view), operation: rule.operation }
  const judgements = lost.length > 0 ? blame(state, view, lost, record, rule) : []
  if (!settled) return { state: next, judgements: judgements.map(withoutBlame) }
  if (lost.length > 0) return { state: { ...NOTHING, faithful }, judgements }
  // What would have shown had it been carried out, and does not.
  const held = refused.filter((one) => telling.some((name) => tells(one.sent[name], known[name])))
  return {
    state: { ...next, refused: [] },
    judgements: held.map((one) => ({ ...base, ...naming(one), exchanges: [one.exchange, view.id], outcome: 'held' })),
  }
}

function withoutBlame({ operation, caseId, requirement, exchanges }: Judgement): Judgement {
  return { operation, caseId, requirement, exchanges, outcome: 'inconclusive' }
}

/** Whose values are read is who was carried out; where nobody's are, what was there has not stayed. */
function blame(
  { known = {}, stood, refused, exchange }: Left,
  view: ExchangeView,
  lost: readonly string[],
  record: Readonly<Record<string, unknown>>,
  rule: Leaving,
): Judgement[] {
  const finding = (name: string): Pick<Judgement, 'operation' | 'caseId' | 'pointer' | 'expected' | 'actual'> => ({
    ...about(view),
    operation: rule.operation,
    pointer: `/${name}`,
    expected: shown(known[name]),
    actual: shown(record[name]),
  })
  const done = refused.flatMap((one): Judgement[] => {
    const name = lost.find((field) => shows(record[field], one.sent[field]))
    if (name === undefined) return []
    const message = `a request was refused (${one.why}) and carried out all the same: ${name} is read as it was sent there`
    return [
      { ...finding(name), ...naming(one), exchanges: [exchange, one.exchange, view.id], outcome: 'broken', message },
    ]
  })
  const name = lost.find((field) => stood.has(field))
  if (done.length > 0 || name === undefined) return done
  const message = `${name} has not stayed, though whatever was sent since was refused`
  const exchanges = [exchange, ...refused.slice(-1).map((one) => one.exchange), view.id]
  return [{ ...finding(name), requirement: rule.fields?.[name] ?? rule.applies, exchanges, outcome: 'broken', message }]
}

/** Whether what is read is what was sent: of an empty list or object only another empty one is. */
function shows(read: unknown, sent: unknown): boolean {
  if (sent === undefined || read === undefined) return false
  const empty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0
  return empty ? JSON.stringify(read) === JSON.stringify(sent) : carries(read, sent)
}

/** Whether a value that was sent can be told from the one that is stored. */
function tells(sent: unknown, stored: unknown): boolean {
  return sent !== undefined && !carries(stored, sent)
}
