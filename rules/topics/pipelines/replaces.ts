import type { Judgement } from '../../core/judgement.ts'
import { carries, fieldEdge, idIn, madeBy, mayBeDisconnected, readerOf, recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { mayBeHidden, resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown as inWords } from '../../core/shown.ts'
import {
  alsoShown,
  alsoShownWithin,
  isLeftOpen,
  losesWithin,
  NONE_SHOWN,
  type ShownFields,
} from '../../core/shown-fields.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { writtenFields } from '../../core/written-fields.ts'
import { isSettled } from '../../known/doubt.ts'
import { followsRefusals } from '../../known/refusals.ts'

interface Replacement {
  /** operation that replaces */
  readonly operation: string
  /** resource that it replaces */
  readonly type: string
  readonly requirement: string
  /** field -> requirement, where it has one of its own */
  readonly fields?: Readonly<Record<string, string>>
  /** what the values of all other fields are held to, where the text names no more than the verb: then `requirement` says that the update shows at all */
  readonly values?: string
  /** the operation makes the resource: its id stands in the answer, not in the path */
  readonly makes: boolean
  /** operations that change the same resource in other ways: after one of them nothing is known */
  readonly others: readonly string[]
  /** the text leaves open how values are kept: only the field that names the resource has to come back as it was sent */
  readonly normalised?: boolean
  /** what reads have shown may not vanish all the same */
  readonly stays?: boolean
  /** gap that names the field with the kind of the thing: whether an update may change it is open, and what it is configured with hangs on it */
  readonly kind?: string
}

type Fields = Readonly<Record<string, unknown>>

interface Written {
  /** the newest accepted replacement; undefined where nobody can know what is stored */
  readonly sent: Fields | undefined
  readonly exchange: string
  readonly at: number
  readonly shown: ShownFields
  /** that it was made as, or first sent with */
  readonly kind: unknown
  /** what the write before that one sent: an update that is not carried out leaves it so */
  readonly before?: Fields | undefined
}

const NONE: readonly Judgement[] = []
const UNKNOWN: Written = { sent: undefined, exchange: '', at: 0, shown: NONE_SHOWN, kind: undefined }

/**
 * What was sent is what a later read shows (operation rules 1, 2, 5 and 6). Nothing is said of fields that no read of the
 * same thing has shown, nor of values that the binding says are kept in a form of their own.
 */
export function replacesRule(rule: Replacement): HistoryRule<Written> {
  return {
    name: `replaces ${rule.type}`,
    bound: 10_000,
    others: 'all',
    operations(binding) {
      const { create, read, delete: remove } = binding.resources.get(rule.type) ?? {}
      return [rule.operation, create, read, remove, ...rule.others]
    },
    key(view, { binding }) {
      const id = view.operation?.id
      if (id === undefined) return undefined
      const resource = binding.resources.get(rule.type)
      if (id === rule.operation ? rule.makes : id === resource?.create) return madeBy(view, binding, rule.type)
      const concerned =
        id === rule.operation || rule.others.includes(id) || id === resource?.read || id === resource?.delete
      return concerned ? idIn(view, binding, rule.type) : undefined
    },
    init: () => UNKNOWN,
    step(state, view, oracle) {
      const kind = rule.kind === undefined ? undefined : oracle.binding.answers.get(rule.kind)?.value
      if (view.operation?.id === rule.operation) return { state: written(state, view, kind, oracle), judgements: [] }
      if (view.operation?.id !== readerOf(oracle.binding, rule.type, 'read')) {
        if (leftAlone(view)) return { state, judgements: NONE }
        const { shown } = state
        const before = madeWith(view, rule, oracle)
        return { state: { ...UNKNOWN, shown, kind: kindIn(view, kind), before }, judgements: NONE }
      }
      if (followsRefusals(view)) return { state, judgements: [] }
      const gone = rule.stays === true ? isGone(state, view, rule, oracle) : undefined
      if (gone) return { state: gone.outcome === 'broken' ? UNKNOWN : state, judgements: [gone] }
      // Of an answer that nothing is known to compare with only the first is read, for the fields that it shows.
      const record = view.accepted && (state.sent || state.shown === NONE_SHOWN) ? recordIn(view) : undefined
      if (!record) return { state, judgements: NONE }
      const shown = (rule.stays === true ? alsoShownWithin : alsoShown)(state.shown, record)
      const next = shown === state.shown ? state : { ...state, shown }
      if (!state.sent || view.exchange._start < state.at) return { state: next, judgements: NONE }
      const seen = rule.values === undefined ? undefined : judgeSeen(state, record, view, rule, oracle)
      if (seen && seen.outcome !== 'held')
        return { state: seen.outcome === 'broken' ? UNKNOWN : next, judgements: [seen] }
      const judgements: Judgement[] = seen ? [seen] : []
      const { label, normalises } = oracle.binding.resources.get(rule.type) ?? {}
      const { operation } = rule
      const { caseId } = about(view)
      const exchanges = [state.exchange, view.id]
      for (const name of Object.keys(state.sent)) {
        const value = state.sent[name]
        const exact = rule.normalised !== true || name === label
        const open =
          exact || rule.stays === true ? isLeftOpen(record, name, value, state.shown) : record[name] === undefined
        if (open || mayBeDisconnected(name, view, record[name], value)) continue
        if (hangsOnKind(name, kind, state, record)) continue
        const requirement = rule.fields?.[name] ?? rule.values ?? rule.requirement
        if (normalises?.includes(name) && oracle.ledger.get(requirement)?.level === 'declared') continue
        const edge = fieldEdge(name)
        const lost = rule.stays === true && losesWithin(name, record[name], value, state.shown)
        const same = exact ? carries(record[name], value, mayBeHidden) : resembles(record[name], value)
        if (same && !lost) judgements.push({ operation, caseId, requirement, edge, exchanges, outcome: 'held' })
        else if (!isSettled(view, state.at, oracle))
          judgements.push({ operation, caseId, requirement, edge, exchanges, outcome: 'inconclusive' })
        else {
          judgements.push({
            operation,
            caseId,
            requirement,
            edge,
            exchanges,
            outcome: 'broken',
            pointer: `/${name}`,
            message:
              record[name] === undefined
                ? `the field ${name} was shown before, and is not read back any more`
                : `the field ${name} is read back with another value than was sent`,
            expected: inWords(value),
            actual: inWords(record[name]),
          })
        }
      }
      return { state: next, judgements }
    },
    end: () => [],
  }
}

/**
 * What reads have shown, and was changed with success and nothing else, is not there any more. What lies in another thing
 * may have gone with that; in traffic a removal may be what the recording lacks.
 */
function isGone(
  { sent, exchange, at, shown }: Written,
  view: ExchangeView,
  { operation, requirement }: Replacement,
  oracle: Oracle,
): Judgement | undefined {
  const isMissing = view.conclusive && (view.status === 404 || view.status === 410)
  const isAlone = view.exchange._case !== undefined && Object.keys(view.params).length === 1
  if (!isMissing || !isAlone || sent === undefined || shown === NONE_SHOWN || view.exchange._start < at)
    return undefined
  const base = { operation, caseId: about(view).caseId, requirement, edge: 'there', exchanges: [exchange, view.id] }
  if (!isSettled(view, at, oracle)) return { ...base, outcome: 'inconclusive' }
  return {
    ...base,
    outcome: 'broken',
    message: 'what was updated is not there any more',
    expected: 'what the update sent',
    actual: `status ${view.status}`,
  }
}

/** What it was made with, where that is known. */
function madeWith(view: ExchangeView, { type, values }: Replacement, { binding }: Oracle): Fields | undefined {
  if (values === undefined || !view.accepted || view.operation?.id !== binding.resources.get(type)?.create)
    return undefined
  const body = jsonOf(view.request)
  return isRecord(body) ? body : undefined
}

/**
 * That an update is seen in a later read. Which value a field has afterwards may be the target's choice; but where every
 * field that differs is read just as the write before had sent it, the update has not been carried out. What is read with
 * a third value says neither, unless the binding says that the target keeps the field in a form of its own.
 */
function judgeSeen(
  { sent = {}, before = {}, exchange, at }: Written,
  record: Fields,
  view: ExchangeView,
  { operation, requirement, type }: Replacement,
  oracle: Oracle,
): Judgement | undefined {
  const isSame = (name: string): boolean => before[name] !== undefined && resembles(before[name], sent[name])
  const telling = Object.keys(sent).filter((name) => record[name] !== undefined && !mayBeHidden(name) && !isSame(name))
  const [first] = telling
  if (first === undefined) return undefined
  const isAsBefore = (name: string): boolean => before[name] !== undefined && carries(record[name], before[name])
  const { normalises } = oracle.binding.resources.get(type) ?? {}
  const isSeen = (name: string): boolean =>
    resembles(record[name], sent[name]) ||
    (normalises?.includes(name) === true && before[name] !== undefined && !isAsBefore(name))
  const base = { operation, caseId: about(view).caseId, requirement, edge: 'seen', exchanges: [exchange, view.id] }
  if (telling.some(isSeen)) return { ...base, outcome: 'held' }
  if (!telling.every(isAsBefore)) return undefined
  if (!isSettled(view, at, oracle)) return { ...base, outcome: 'inconclusive' }
  return {
    ...base,
    outcome: 'broken',
    pointer: `/${first}`,
    message: 'an update was accepted, and a later read shows nothing of it',
    expected: inWords(sent[first]),
    actual: `${inWords(record[first])}, as it was sent before`,
  }
}

function written(state: Written, view: ExchangeView, kind: unknown, oracle: Oracle): Written {
  const body = jsonOf(view.request)
  const next = { ...state, exchange: view.id, at: view.exchange._end }
  if (view.accepted) {
    const good = view.violations.length === 0 && view.intent?.kind !== 'observe' && isRecord(body)
    return {
      ...next,
      sent: good ? writtenFields(body, view.operation?.id, oracle) : undefined,
      kind: state.kind ?? kindIn(view, kind),
      before: good ? (state.sent ?? state.before) : undefined,
    }
  }
  return leftAlone(view) ? state : { ...next, sent: undefined, before: undefined }
}

function kindIn(view: ExchangeView, field: unknown): unknown {
  const body = jsonOf(view.request)
  return typeof field === 'string' && isRecord(body) ? body[field] : undefined
}

/** Whether a field is open because the kind that was sent with it is not, or may not be, the kind of the thing. */
function hangsOnKind(
  name: string,
  field: unknown,
  { sent, kind }: Written,
  record: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof field !== 'string') return false
  if (name === field) return true
  return name === 'user_config' && sent?.[field] !== undefined && sent[field] !== (record[field] ?? kind)
}
