import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { idIn, isSurelyWhole, listedName, listIn, madeBy, recordIn, scopeOf, scopeWithin } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'

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
  /** by id; by name, where the id is not known */
  readonly things: Map<string, Thing>
  /** how many of them have no id that is known */
  nameless: number
  /** whether a read has ever shown what it was asked for: else the path of reads may be another one */
  readable: boolean
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
    init: () => ({ things: new Map(), nameless: 0, readable: false }),
    knowsNothing: ({ things }) => things.size === 0,
    step(state, view, oracle) {
      const { create, read, list } = oracle.binding.resources.get(rule.type) ?? {}
      switch (view.operation?.id) {
        case create:
          noteMade(state, view, rule, oracle)
          return { state, judgements: [] }
        case read:
          return { state, judgements: afterRead(state, view, rule, oracle) }
        case list:
          return { state, judgements: afterList(state, view, rule, oracle) }
        default:
          noteChanged(state, view, rule, oracle)
          return { state, judgements: [] }
      }
    },
    end: () => [],
  }
}

function keyOf({ id, name }: Pick<Thing, 'id' | 'name'>): string {
  return id ?? `name ${name}`
}

function put(state: Things, thing: Thing): void {
  const key = keyOf(thing)
  const before = state.things.get(key)
  if (before && before.id === undefined) state.nameless -= 1
  if (thing.id === undefined) state.nameless += 1
  state.things.set(key, thing)
}

function drop(state: Things, thing: Thing): void {
  const key = keyOf(thing)
  if (state.things.get(key)?.exchange !== thing.exchange) return
  if (thing.id === undefined) state.nameless -= 1
  state.things.delete(key)
}

function noteMade(state: Things, view: ExchangeView, rule: Existence, { binding }: Oracle): void {
  if (!view.accepted || view.violations.length > 0 || view.intent?.kind === 'observe') return
  const id = madeBy(view, binding, rule.type)
  const named = at(jsonOf(view.request), `/${binding.resources.get(rule.type)?.label ?? ''}`)
  const name = typeof named === 'string' ? named : undefined
  if (id === undefined && name === undefined) return
  put(state, { id, name, exchange: view.id, at: view.exchange._end, shown: {}, missed: {} })
  if (state.things.size <= MOST) return
  const [oldest] = state.things.values()
  if (oldest) drop(state, oldest)
}

/** After a change or a removal nothing is known of what it may have been about. */
function noteChanged(state: Things, view: ExchangeView, rule: Existence, { binding }: Oracle): void {
  if (leftAlone(view)) return
  const changed = view.operation?.id ?? ''
  const renamed = rule.changes.includes(changed)
  if (!renamed && changed !== binding.resources.get(rule.type)?.delete) {
    state.things.clear()
    state.nameless = 0
    return
  }
  if (state.nameless > 0) {
    for (const thing of [...state.things.values()]) if (thing.id === undefined) drop(state, thing)
  }
  const thing = withId(state, idIn(view, binding, rule.type))
  if (!thing) return
  if (renamed) put(state, { ...thing, name: undefined, at: view.exchange._end })
  else drop(state, thing)
}

function withId({ things, nameless }: Things, id: string | undefined): Thing | undefined {
  if (id !== undefined) {
    const thing = things.get(id)
    return thing?.id === id ? thing : undefined
  }
  return nameless === 0 ? undefined : [...things.values()].find((one) => one.id === undefined)
}

function afterRead(state: Things, view: ExchangeView, rule: Existence, oracle: Oracle): readonly Judgement[] {
  const id = idIn(view, oracle.binding, rule.type)
  const thing = withId(state, id)
  // Once a read has shown something, another one is looked at only where it is about something that was made.
  if (!thing && state.readable) return NOTHING
  const found = isFound(view, id, rule, oracle)
  if (found === true) state.readable = true
  if (!thing || found === undefined || view.exchange._start < thing.at) return NOTHING
  return note(state, thing, thing, 'read', found, view, rule, oracle)
}

const NOTHING: readonly Judgement[] = []

/** Whether the answer shows what was asked for; undefined where it says neither. */
function isFound(view: ExchangeView, id: string | undefined, rule: Existence, oracle: Oracle): boolean | undefined {
  if (view.status === 404 || view.status === 410) return false
  const record = view.accepted ? recordIn(view) : undefined
  const told = record?.[oracle.binding.resources.get(rule.type)?.key ?? 'id']
  return told === undefined ? undefined : String(told).toLowerCase() === id?.toLowerCase()
}

function afterList(state: Things, view: ExchangeView, rule: Existence, oracle: Oracle): readonly Judgement[] {
  const list = view.accepted && state.things.size > 0 ? listIn(view) : undefined
  if (!list) return NOTHING
  const whole = isSurelyWhole(view, list)
  const { key = 'id', label = '' } = oracle.binding.resources.get(rule.type) ?? {}
  const ids = new Set(list.map((element) => String(element[key] ?? '')))
  const names = new Map(list.map((element) => [listedName(element[label], view), element[key]]))
  const judgements: Judgement[] = []
  for (const thing of [...state.things.values()]) {
    if (view.exchange._start < thing.at) continue
    const name = listedName(thing.name, view)
    const byName = name !== undefined && names.has(name)
    // Where elements carry no ids, one whose name is not known, or shown in another way, may be any of them.
    const traffic = view.exchange._case === undefined
    if (!byName && ids.has('') && (traffic || thing.name === undefined)) continue
    const told = byName && thing.id === undefined ? names.get(name) : thing.id
    const known = { ...thing, id: told === undefined ? undefined : String(told) }
    const listed = byName || (thing.id !== undefined && ids.has(thing.id))
    if (!listed && !whole) {
      if (!traffic && judgements.every(({ outcome }) => outcome !== 'observed')) {
        judgements.push(leftOut(view, thing, list.length))
      }
      continue
    }
    judgements.push(...note(state, thing, known, 'list', listed, view, rule, oracle))
  }
  return judgements
}

/** A list as long as a page, or one that says that it goes on, without something that was made. */
function leftOut(view: ExchangeView, { exchange }: Thing, length: number): Judgement {
  const actual = `${view.operation?.id}: a list of ${length} does not show everything that was made`
  return { ...about(view), requirement: 'GAP-LIST-PAGES', outcome: 'observed', exchanges: [exchange, view.id], actual }
}

/** `stored`: the thing as it stands in the state; `thing`: what is known of it now. */
function note(
  state: Things,
  stored: Thing,
  thing: Thing,
  way: Way,
  found: boolean,
  view: ExchangeView,
  rule: Existence,
  oracle: Oracle,
): readonly Judgement[] {
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
  const keep = (changed: Thing): void => {
    drop(state, stored)
    put(state, changed)
  }
  const counts = (tried: Way): boolean => tried === 'list' || state.readable

  if (found) {
    const judgements = [...say('made', 'held'), ...say(way, 'held')]
    const { [other]: miss } = thing.missed
    if (miss !== undefined && counts(other)) {
      drop(state, stored)
      return [...judgements, ...say(other, 'broken', miss)]
    }
    const missed = miss === undefined ? {} : { [other]: miss }
    keep({ ...thing, shown: { ...thing.shown, [way]: view.id }, missed })
    return judgements
  }
  if (!isSettled(view, thing.at, oracle)) {
    const [first] = [...say(way, 'inconclusive'), ...say('made', 'inconclusive')]
    return first ? [first] : []
  }
  const seen = thing.shown[other]
  if (seen !== undefined) {
    if (counts(way)) {
      drop(state, stored)
      return say(way, 'broken', seen)
    }
    keep(missing(thing, way, view))
    return say(way, 'inconclusive')
  }
  const readable = oracle.binding.operations.get(resource?.read ?? '')?.offered === true && thing.id !== undefined
  if (thing.missed[other] !== undefined || (way === 'list' && !readable)) {
    drop(state, stored)
    return say('made', 'broken', thing.missed[other])
  }
  keep(missing(thing, way, view))
  return []
}

function missing(thing: Thing, way: Way, view: ExchangeView): Thing {
  return { ...thing, missed: { ...thing.missed, [way]: view.id } }
}

const SAYS: Readonly<Record<Way | 'made', (type: string) => Pick<Judgement, 'message' | 'expected' | 'actual'>>> = {
  made: (type) => ({
    message: `${oneOf(type)} whose creation was answered with success is not there`,
    expected: `the new ${inWords(type)} can be found`,
    actual: 'it is not found',
  }),
  read: (type) => ({
    message: `${oneOf(type)} that is listed is not found when it is asked for`,
    expected: `the ${inWords(type)}`,
    actual: 'it is not found',
  }),
  list: (type) => ({
    message: `${oneOf(type)} that can be read is not in the list`,
    expected: `the ${inWords(type)} among the others`,
    actual: 'it is not listed',
  }),
}
