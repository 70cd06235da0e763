import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { carries, idIn, listedName, listIn, madeBy, mayBeDisconnected, recordIn, scopeOf } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { writtenFields } from '../../core/written-fields.ts'
import { isSettled } from '../../known/doubt.ts'

interface Showing {
  readonly type: string
  readonly requirement: string
  /** operations that change one */
  readonly changes: readonly string[]
  /** the one of them that replaces it; a list is held to what it sent as well */
  readonly update?: string
  /** only these fields are compared; left out: all that were sent */
  readonly only?: readonly string[]
  /** whether lists show the whole of their elements; else only a read by itself is judged */
  readonly lists: boolean
}

interface Written {
  readonly sent: Readonly<Record<string, unknown>>
  readonly exchange: string
  readonly at: number
  readonly updated: boolean
}

interface Known {
  readonly byId: Map<string, Written>
  /** made by a request whose answer did not tell the id */
  readonly byName: Map<string, Written>
}

const MOST = 1_000

/**
 * What was made is read as it was sent, and listed so. Where the answer to a creation tells no id, it is learnt from the
 * list, by the name that was given. What an update sent is judged here in lists only: reads have a rule of their own.
 */
export function showsRule(rule: Showing): HistoryRule<Known> {
  return {
    name: `shows ${rule.type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations(binding) {
      const { create, read, list, delete: remove } = binding.resources.get(rule.type) ?? {}
      return [create, read, list, remove, ...rule.changes]
    },
    key(view, { binding }) {
      const { create, read, list, delete: remove } = binding.resources.get(rule.type) ?? {}
      const id = view.operation?.id
      const concerned = id !== undefined && [create, read, list, remove, ...rule.changes].includes(id)
      return concerned ? scopeOf(view, binding, rule.type) : undefined
    },
    init: () => ({ byId: new Map(), byName: new Map() }),
    knowsNothing: ({ byId, byName }) => byId.size === 0 && byName.size === 0,
    step(state, view, oracle) {
      const resource = oracle.binding.resources.get(rule.type)
      const operation = view.operation?.id
      if (operation === resource?.list) return afterList(state, view, rule, oracle)
      if (operation !== resource?.read) {
        noteWritten(state, view, rule, oracle)
        return { state, judgements: [] }
      }
      const id = idIn(view, oracle.binding, rule.type) ?? ''
      const entry = state.byId.get(id)
      const record = view.accepted && entry ? recordIn(view) : undefined
      if (!entry || entry.updated || !record || view.exchange._start < entry.at) return { state, judgements: [] }
      const judgements = compare(entry, record, view, rule, oracle)
      if (judgements.some(({ outcome }) => outcome === 'broken')) state.byId.delete(id)
      return { state, judgements }
    },
    end: () => [],
  }
}

function noteWritten({ byId, byName }: Known, view: ExchangeView, rule: Showing, oracle: Oracle): void {
  const { binding } = oracle
  const { create, label = '' } = binding.resources.get(rule.type) ?? {}
  const makes = view.operation?.id === create
  if (!view.accepted && leftAlone(view)) return
  const body = jsonOf(view.request)
  const good = view.accepted && view.violations.length === 0 && view.intent?.kind !== 'observe' && isRecord(body)
  const id = makes ? madeBy(view, binding, rule.type) : idIn(view, binding, rule.type)
  // Which of those without an id was changed or removed is not known.
  if (!makes) byName.clear()
  if (id !== undefined) byId.delete(id)
  if (good && (makes || view.operation?.id === rule.update)) {
    const entry = {
      sent: writtenFields(body, view.operation?.id, oracle),
      exchange: view.id,
      at: view.exchange._end,
      updated: !makes,
    }
    const name = at(body, `/${label}`)
    if (id !== undefined) byId.set(id, entry)
    else if (typeof name === 'string') byName.set(name, entry)
  }
  for (const map of [byId, byName]) {
    const [oldest] = map.keys()
    if (map.size > MOST && oldest !== undefined) map.delete(oldest)
  }
}

function afterList(
  state: Known,
  view: ExchangeView,
  rule: Showing,
  oracle: Oracle,
): { state: Known; judgements: Judgement[] } {
  const { key = 'id', label = '' } = oracle.binding.resources.get(rule.type) ?? {}
  const { byId, byName } = state
  const judgements: Judgement[] = []
  if (byId.size === 0 && byName.size === 0) return { state, judgements }
  for (const element of (view.accepted ? listIn(view) : undefined) ?? []) {
    const id = element[key]
    const name = String(element[label])
    if (typeof id !== 'string' && typeof id !== 'number') continue
    const entry = byId.get(String(id)) ?? byName.get(name)
    if (!entry || view.exchange._start < entry.at) continue
    const found = rule.lists ? compare(entry, element, view, rule, oracle) : []
    judgements.push(...found)
    if (found.some(({ outcome }) => outcome === 'inconclusive')) continue
    byName.delete(name)
    if (found.some(({ outcome }) => outcome === 'broken')) byId.delete(String(id))
    else byId.set(String(id), entry)
  }
  return { state, judgements }
}

function compare(
  entry: Written,
  record: Readonly<Record<string, unknown>>,
  view: ExchangeView,
  rule: Showing,
  oracle: Oracle,
): Judgement[] {
  const { label, create, normalises } = oracle.binding.resources.get(rule.type) ?? {}
  const compared = Object.entries(entry.sent).filter(
    ([name, value]) =>
      record[name] !== undefined &&
      !normalises?.includes(name) &&
      (rule.only?.includes(name) ?? true) &&
      !mayBeDisconnected(name, view, record[name], value),
  )
  const [first] = compared
  if (!first) return []
  const strange = compared.find(
    ([name, value]) =>
      !(name === label
        ? carries(listedName(record[name], view), listedName(value, view))
        : resembles(record[name], value)),
  )
  const base = {
    ...about(view),
    operation: (entry.updated ? rule.update : create) ?? '',
    requirement: rule.requirement,
    exchanges: [entry.exchange, view.id],
  }
  if (!strange) return [{ ...base, outcome: 'held' }]
  if (!isSettled(view, entry.at, oracle)) return [{ ...base, outcome: 'inconclusive' }]
  const [name, value] = strange
  return [
    {
      ...base,
      outcome: 'broken',
      pointer: `/${name}`,
      edge: `field ${name}`,
      message: `the field ${name} is shown with another value than was written`,
      expected: shown(value),
      actual: shown(record[name]),
    },
  ]
}
