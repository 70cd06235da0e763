import { at } from '../../schemas/pointer.ts'
import type { Judgement } from '../judgement.ts'
import { about, type HistoryRule, type Oracle } from '../rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../view.ts'
import { idIn, isSettled, isWholeList, listIn, madeBy, recordIn, scopeOf, scopeWithin } from './reads.ts'

interface Existence {
  readonly type: string
  /** what was made can be found */
  readonly made?: string
  /** what is listed can be read by itself */
  readonly got?: string
  /** what can be read by itself is listed */
  readonly listed?: string
  /** operations that may give one another name */
  readonly changes: readonly string[]
}

type Way = 'read' | 'list'

interface Thing {
  readonly id: string | undefined
  readonly name: string | undefined
  /** the exchange that made it, and when it was answered */
  readonly exchange: string
  readonly at: number
  /** the newest exchange that showed it, or did not, by the way that was tried */
  readonly shown: Readonly<Partial<Record<Way, string>>>
  readonly missed: Readonly<Partial<Record<Way, string>>>
}

interface Things {
  readonly things: ReadonlyMap<string, Thing>
  /** whether a read has ever shown what it was asked for: else the path of reads may be another one */
  readonly readable: boolean
}

const MOST = 1_000

/**
 * What was made exists: it can be read by itself, and is listed (section 'What the service does', the category table).
 * Found by one way and not by the other is held against the other; found by neither, against the creation. A read that
 * finds nothing counts only where reads have found something before, since only the binding knows their path.
 */
export function existsRule(rule: Existence): HistoryRule<Things> {
  return {
    name: `exists ${rule.type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations({ resources }) {
      const { create, read, list, delete: remove, needs = [] } = resources.get(rule.type) ?? {}
      return [create, read, list, remove, ...rule.changes, ...needs.map((type) => resources.get(type)?.delete)]
    },
    key(view, { binding }) {
      const resource = binding.resources.get(rule.type)
      const id = view.operation?.id
      if (id === undefined || !resource) return undefined
      const own = [resource.create, resource.read, resource.list, resource.delete, ...rule.changes]
      if (own.includes(id)) return scopeOf(view, binding, rule.type)
      const parent = resource.needs?.find((type) => binding.resources.get(type)?.delete === id)
      return parent === undefined ? undefined : scopeWithin(view)
    },
    init: () => ({ things: new Map(), readable: false }),
    step(state, view, oracle) {
      const { create, read, list } = oracle.binding.resources.get(rule.type) ?? {}
      switch (view.operation?.id) {
        case create:
          return { state: { ...state, things: withMade(state.things, view, rule, oracle) }, judgements: [] }
        case read:
          return afterRead(state, view, rule, oracle)
        case list:
          return afterList(state, view, rule, oracle)
        default:
          return { state: { ...state, things: withChanged(state.things, view, rule, oracle) }, judgements: [] }
      }
    },
    end: () => [],
  }
}

function withMade(
  things: Things['things'],
  view: ExchangeView,
  rule: Existence,
  { binding }: Oracle,
): Things['things'] {
  if (!view.accepted || view.violations.length > 0 || view.intent?.kind === 'observe') return things
  const id = madeBy(view, binding, rule.type)
  const named = at(jsonOf(view.request), `/${binding.resources.get(rule.type)?.label ?? ''}`)
  const name = typeof named === 'string' ? named : undefined
  if (id === undefined && name === undefined) return things
  const next = new Map(things)
  next.set(id ?? `name ${name}`, { id, name, exchange: view.id, at: view.exchange._end, shown: {}, missed: {} })
  const [oldest] = next.keys()
  if (next.size > MOST && oldest !== undefined) next.delete(oldest)
  return next
}

/** After a change or a removal nothing is known of what it may have been about. */
function withChanged(
  things: Things['things'],
  view: ExchangeView,
  rule: Existence,
  { binding }: Oracle,
): Things['things'] {
  if (leftAlone(view)) return things
  const changed = view.operation?.id ?? ''
  const renamed = rule.changes.includes(changed)
  if (!renamed && changed !== binding.resources.get(rule.type)?.delete) return new Map()
  const id = idIn(view, binding, rule.type)
  const next = new Map<string, Thing>()
  for (const [key, thing] of things) {
    if (thing.id === undefined) continue
    if (thing.id !== id) next.set(key, thing)
    else if (renamed) next.set(key, { ...thing, name: undefined, at: view.exchange._end })
  }
  return next
}

function afterRead(state: Things, view: ExchangeView, rule: Existence, oracle: Oracle): Step {
  const id = idIn(view, oracle.binding, rule.type)
  const found = isFound(view, id, rule, oracle)
  const readable = state.readable || found === true
  const thing = [...state.things.values()].find((one) => one.id === id)
  if (!thing || found === undefined || view.exchange._start < thing.at) {
    return { state: { ...state, readable }, judgements: [] }
  }
  return note({ ...state, readable }, thing, 'read', found, view, rule, oracle)
}

/** Whether the answer shows what was asked for; undefined where it says neither. */
function isFound(view: ExchangeView, id: string | undefined, rule: Existence, oracle: Oracle): boolean | undefined {
  if (view.status === 404 || view.status === 410) return false
  const record = view.accepted ? recordIn(view) : undefined
  const told = record?.[oracle.binding.resources.get(rule.type)?.key ?? 'id']
  return told === undefined ? undefined : String(told).toLowerCase() === id?.toLowerCase()
}

function afterList(before: Things, view: ExchangeView, rule: Existence, oracle: Oracle): Step {
  const list = view.accepted ? listIn(view) : undefined
  if (!list) return { state: before, judgements: [] }
  const whole = isWholeList(view, list)
  const { key = 'id', label = '' } = oracle.binding.resources.get(rule.type) ?? {}
  const ids = new Set(list.map((element) => String(element[key] ?? '')))
  const names = new Map(list.map((element) => [element[label], element[key]]))
  const judgements: Judgement[] = []
  let state = before
  for (const thing of before.things.values()) {
    if (view.exchange._start < thing.at) continue
    const byName = thing.name !== undefined && names.has(thing.name)
    // Where elements carry no ids, one whose name is not known may be any of them.
    if (!byName && thing.name === undefined && ids.has('')) continue
    const told = byName && thing.id === undefined ? names.get(thing.name) : thing.id
    const known = { ...thing, id: told === undefined ? undefined : String(told) }
    const listed = byName || (thing.id !== undefined && ids.has(thing.id))
    if (!listed && !whole) continue
    const step = note(state, known, 'list', listed, view, rule, oracle)
    state = step.state
    judgements.push(...step.judgements)
  }
  return { state, judgements }
}

interface Step {
  readonly state: Things
  readonly judgements: Judgement[]
}

function note(
  state: Things,
  thing: Thing,
  way: Way,
  found: boolean,
  view: ExchangeView,
  rule: Existence,
  oracle: Oracle,
): Step {
  const resource = oracle.binding.resources.get(rule.type)
  const other: Way = way === 'read' ? 'list' : 'read'
  const own = { read: rule.got, list: rule.listed }
  const operations = { read: resource?.read, list: resource?.list, made: resource?.create }
  const say = (
    about_: Way | 'made',
    outcome: Judgement['outcome'],
    ...between: (string | undefined)[]
  ): Judgement[] => {
    const requirement = about_ === 'made' ? rule.made : own[about_]
    if (requirement === undefined) return []
    const exchanges = [thing.exchange, ...between.filter((id) => id !== undefined), view.id]
    const base = { ...about(view), operation: operations[about_] ?? '', requirement, outcome, exchanges }
    return outcome === 'broken' ? [{ ...base, ...SAYS[about_](rule.type) }] : [base]
  }
  const keep = (changed: Thing): Things => {
    const things = new Map(state.things)
    for (const [key, one] of things) if (one.exchange === thing.exchange) things.delete(key)
    return { ...state, things: things.set(changed.id ?? `name ${changed.name}`, changed) }
  }
  const drop = (): Things => ({
    ...state,
    things: new Map([...state.things].filter(([, one]) => one.exchange !== thing.exchange)),
  })
  const counts = (tried: Way): boolean => tried === 'list' || state.readable

  if (found) {
    const judgements = [...say('made', 'held'), ...say(way, 'held')]
    const { [other]: miss } = thing.missed
    if (miss !== undefined && counts(other)) {
      return { state: drop(), judgements: [...judgements, ...say(other, 'broken', miss)] }
    }
    const missed = miss === undefined ? {} : { [other]: miss }
    return { state: keep({ ...thing, shown: { ...thing.shown, [way]: view.id }, missed }), judgements }
  }
  if (!isSettled(view, thing.at, oracle)) {
    const [first] = [...say(way, 'inconclusive'), ...say('made', 'inconclusive')]
    return { state, judgements: first ? [first] : [] }
  }
  const seen = thing.shown[other]
  if (seen !== undefined) {
    if (counts(way)) return { state: drop(), judgements: say(way, 'broken', seen) }
    return { state: keep(missing(thing, way, view)), judgements: say(way, 'inconclusive') }
  }
  const readable = oracle.binding.operations.get(resource?.read ?? '')?.offered === true && thing.id !== undefined
  if (thing.missed[other] !== undefined || (way === 'list' && !readable)) {
    return { state: drop(), judgements: say('made', 'broken', thing.missed[other]) }
  }
  return { state: keep(missing(thing, way, view)), judgements: [] }
}

function missing(thing: Thing, way: Way, view: ExchangeView): Thing {
  return { ...thing, missed: { ...thing.missed, [way]: view.id } }
}

const SAYS: Readonly<Record<Way | 'made', (type: string) => Pick<Judgement, 'message' | 'expected' | 'actual'>>> = {
  made: (type) => ({
    message: `a ${type} whose creation was answered with success is not there`,
    expected: `the new ${type} can be found`,
    actual: 'it is not found',
  }),
  read: (type) => ({
    message: `a ${type} that is listed is not found when it is asked for`,
    expected: `the ${type}`,
    actual: 'it is not found',
  }),
  list: (type) => ({
    message: `a ${type} that can be read is not in the list`,
    expected: `the ${type} among the others`,
    actual: 'it is not listed',
  }),
}
