import type { Judgement } from '../core/judgement.ts'
import { idIn, isSurelyWhole, isThere, listedName, listIn, nextPageOf, recordIn } from '../core/reads.ts'
import type { Oracle, Rule } from '../core/rule.ts'
import { askedFor, type ExchangeView, jsonOf } from '../core/view.ts'
import type { Kind } from './kinds.ts'
import type { Refused } from './refusals.ts'

/** An exchange that did something, and when it was answered, milliseconds since the epoch. */
export interface Fact {
  readonly exchange: string
  readonly at: number
}

export type Way = 'read' | 'list'
type Element = Readonly<Record<string, unknown>>

/** What a good request made. Nothing since may have removed it, and no read or list has contradicted another about it. */
export interface Made {
  /** undefined: the answer did not tell, and no list has */
  id: string | undefined
  /** as the request named it; undefined: it may have another name by now */
  name: string | undefined
  readonly exchange: string
  /** when it was asked for; and when it was answered by the target's clock, or NaN */
  readonly start: number
  readonly date: number
  /** when it was answered, or the newest change of it */
  at: number
  /** the newest exchange that showed it, or did not, by the way that was tried */
  readonly shown: Record<Way, string | undefined>
  readonly missed: Record<Way, string | undefined>
  /** whether a list has shown its name, or surely does not */
  named: boolean
  /** what the newest list tells as the time of its creation */
  created: unknown
  /** how many others the request put into it; undefined: none, or they may be others by now */
  holds: number | undefined
}

/** What was shown, or may have been removed. */
export interface Shown {
  /** it has been there, and was not removed with success since */
  seen: boolean
  /** a request may have removed it: lists that show it later may be old */
  lost: boolean
  /** since then: the first list, and the newest read */
  list: Fact | undefined
  read: string | undefined
  /** how it was shown, where its kind outlives a removal */
  as: Readonly<Partial<Record<Way, string>>> | undefined
}

/**
 * Stand for what was never put in: a part of the store knows a thing once for each client, mostly that it was shown. Maps of
 * their own for everything else would fill the memory, and the caches of the processor.
 */
export const NOTHING: Map<string, never> = new Map<string, never>()
export const NOBODY: Set<string> = new Set()

/** What is known of the things of one collection. */
export class Things {
  /** by id; by name, those whose id is not known */
  made: Map<string, Made> = NOTHING
  withoutId: Map<string, Made> = NOTHING
  shown: Map<string, Shown> = NOTHING
  /** what was shown before it was removed with success: by which of the two ways; or copied to another place */
  removed: Map<string, Fact & { readonly by: Readonly<Record<Way, boolean>> }> = NOTHING
  copied: Map<string, Fact> = NOTHING
  /** whether a read has ever shown what it asked for: else the path of reads may be another one */
  readable: boolean = false
  /** the newest attempt to remove the owner of the account, whatever was answered; the id in lower case */
  owner: (Fact & { readonly id: string }) | undefined = undefined
  /** of a case: name -> the one request that gave it; undefined: there were others, or nobody knows what came of it */
  names: Map<string, Fact | undefined> = NOTHING
  /** of a case: creations that were refused since lists were looked at for what they make */
  creations: readonly Refused[] = []
  /** of a case: removals that were refused, or did not find what was listed */
  removals: Map<string, { readonly at: number; readonly by: readonly Refused[] }> = NOTHING
  notFound: Map<string, Fact & { readonly status: number }> = NOTHING
  /** of what has no names, in a case: ids that were there before a creation was refused; undefined: nobody knows them */
  before: Set<string> | undefined = NOBODY
  /** whether a list has shown those since the newest good creation */
  isListed: boolean = false
  /** of a case: what asks for the next page of the list that was read last, and the ids on those before it */
  pages: { readonly next: string; readonly shown: ReadonlySet<string> } | undefined = undefined
  /** what was worked out of the exchange that is judged just now */
  look: { readonly view: ExchangeView; readonly shows: Look | undefined; made?: readonly Sighting[] } | undefined =
    undefined
}

/** What a read or a list shows. */
export interface Look {
  readonly way: Way
  /** what a read asks for, and whether it is there */
  readonly id?: string
  readonly there?: boolean | undefined
  /** the elements of a list, and those of them that have an id */
  readonly shows: ReadonlyMap<string, Element>
  readonly list: readonly Element[]
  /** ids on the pages before this one; left out: nobody knows them */
  readonly earlier?: ReadonlySet<string>
  /** whether what a list does not hold is not there; the same where something is missed */
  readonly whole: boolean
  readonly surely: boolean
}

const NONE: readonly never[] = []

/** A rule about what reads and lists show of the things of one kind. */
export function looking(
  kind: Kind,
  judge: (look: Look, view: ExchangeView, known: Things, oracle: Oracle) => readonly Judgement[],
): Rule<Things> {
  return {
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      const look = lookAt(known, view, kind, oracle)
      return look ? judge(look, view, known, oracle) : NONE
    },
  }
}

/** What an exchange shows; undefined: nothing. Worked out once for all rules and for what is learnt. */
export function lookAt(known: Things, view: ExchangeView, kind: Kind, { binding }: Oracle): Look | undefined {
  if (known.look?.view === view) return known.look.shows
  const key = binding.resources.get(kind.type)?.key ?? 'id'
  const shows =
    kind.roleOf(view, binding) === 'list'
      ? listOf(view, key, known.pages)
      : readOf(view, idIn(view, binding, kind.type), key)
  known.look = { view, shows }
  return shows
}

function readOf(view: ExchangeView, id: string | undefined, key: string): Look | undefined {
  if (id === undefined) return undefined
  const there = isThere(view, id, key)
  return { way: 'read', id, there, shows: NOTHING, list: NONE, whole: false, surely: false }
}

function listOf(view: ExchangeView, key: string, pages: Things['pages']): Look | undefined {
  const list = view.accepted ? listIn(view) : undefined
  if (!list) return undefined
  const shows = new Map<string, Element>()
  for (const element of list) if (hasKey(element, key)) shows.set(String(element[key]), element)
  const surely = isSurelyWhole(view, list)
  const asked = askedFor(view, view.operation?.pages?.parameter ?? '')
  const earlier = asked === undefined ? NOTHING.keys() : pages?.next === asked ? pages.shown : undefined
  // A run asks for lists as its binding says, to their last page. An element without an id may be any.
  const isAll = view.exchange._case !== undefined && earlier !== undefined && nextPageOf(view) === undefined
  const whole = (surely || isAll) && list.every((element) => hasKey(element, key))
  return { way: 'list', shows, list, whole, surely, ...(earlier && { earlier: new Set(earlier) }) }
}

/** Notes where the next page of a list is, and what the pages before it show. */
export function notePage(known: Things, { earlier, shows }: Look, view: ExchangeView): void {
  const next = nextPageOf(view)
  known.pages = next === undefined || !earlier ? undefined : { next, shown: new Set([...earlier, ...shows.keys()]) }
}

export function hasKey(record: Element | undefined, key: string): boolean {
  return record?.[key] !== undefined && record[key] !== null && record[key] !== ''
}

/** For things that are kept by id: the news from an exchange that began later. `whole`: see `Look`. */
export function toldOf<F extends { readonly at: number }>(
  facts: ReadonlyMap<string, F>,
  look: Look | undefined,
  view: ExchangeView,
  whole: boolean = look?.whole === true,
): readonly { readonly id: string; readonly fact: F; readonly there: boolean }[] {
  if (!look || facts.size === 0) return NONE
  const { _start: start } = view.exchange
  if (look.id !== undefined) {
    const fact = facts.get(look.id)
    const { id, there } = look
    return !fact || there === undefined || start < fact.at ? NONE : [{ id, fact, there }]
  }
  const told: { id: string; fact: F; there: boolean }[] = []
  for (const [id, fact] of facts) {
    const there = look.shows.has(id)
    if ((there || (whole && look.earlier?.has(id) !== true)) && start >= fact.at) told.push({ id, fact, there })
  }
  return told
}

/** What a read or a list says about something that was made. */
export interface Sighting {
  readonly made: Made
  /** its id, as far as it is known now */
  readonly id: string | undefined
  /** undefined: it says neither */
  readonly found: boolean | undefined
  /** whether an element of the list has its name */
  readonly named: boolean
  /** in a run: a list that may be a part of a longer one does not show it */
  readonly leftOut: boolean
}

/** What an exchange says about what was made before it began. Worked out once, as what it shows. */
export function sightingsOf(known: Things, view: ExchangeView, kind: Kind, oracle: Oracle): readonly Sighting[] {
  if (known.made.size + known.withoutId.size === 0) return NONE
  const look = lookAt(known, view, kind, oracle)
  if (!look || !known.look) return NONE
  if (known.look.made) return known.look.made
  const { key = 'id', label = '' } = oracle.binding.resources.get(kind.type) ?? {}
  const isList = look.way === 'list'
  known.look.made = isList ? listSightings(known, look, view, key, label) : readSighting(known, look, view, key)
  return known.look.made
}

function readSighting(
  { made }: Things,
  { id = '', there }: Look,
  view: ExchangeView,
  key: string,
): readonly Sighting[] {
  const one = made.get(id)
  if (!one || view.exchange._start < one.at) return NONE
  // That it is there, or another is, only a record with an id says.
  const found = view.accepted && !hasKey(recordIn(view), key) ? undefined : there
  return [{ made: one, id, found, named: false, leftOut: false }]
}

function listSightings(known: Things, look: Look, view: ExchangeView, key: string, label: string): readonly Sighting[] {
  const { shows, list, surely } = look
  const { _case, _start: start } = view.exchange
  const names = new Map(list.map((element) => [listedName(element[label], view), element[key]]))
  const isAnonymous = list.some((element) => !hasKey(element, key))
  return [...known.made.values(), ...known.withoutId.values()].flatMap((made): Sighting[] => {
    if (start < made.at) return []
    const name = listedName(made.name, view)
    const named = name !== undefined && names.has(name)
    const told = named && made.id === undefined ? names.get(name) : made.id
    const id = told === undefined || told === null ? undefined : String(told)
    // Where elements carry no ids, one whose name is not known, or is shown in another way, may be any of them.
    const mayBeAny = !named && isAnonymous && (_case === undefined || made.name === undefined)
    const isShown = named || (made.id !== undefined && shows.has(made.id))
    const found = mayBeAny ? undefined : isShown || (surely ? false : undefined)
    return [{ made, id, found, named, leftOut: found === undefined && !mayBeAny && _case !== undefined }]
  })
}

/** Whether what a read or a list says contradicts the creation, or the other one of them. */
export function contradicts(known: Things, one: Sighting, way: Way, kind: Kind, { binding }: Oracle): boolean {
  const { made, id, found } = one
  const other = otherThan(way)
  // Only the binding knows the path of reads.
  const counts = (tried: Way): boolean => tried === 'list' || known.readable
  if (found === true) return made.missed[other] !== undefined && counts(other)
  if (made.shown[other] !== undefined) return counts(way)
  const read = binding.operations.get(binding.resources.get(kind.type)?.read ?? '')
  return made.missed[other] !== undefined || (way === 'list' && !(read?.offered === true && id !== undefined))
}

export function otherThan(way: Way): Way {
  return way === 'read' ? 'list' : 'read'
}

/** Who is a member no longer may be shown as such: the account itself stays. Whether it is shown as it was before. */
export function isAsBefore(known: Things, id: string, look: Look, view: ExchangeView, kind: Kind): boolean {
  if (!outlives(kind)) return true
  return known.shown.get(id)?.as?.[look.way] === JSON.stringify(shownOf(id, look, view))
}

/** What a read or a list shows of something. */
export function shownOf(id: string, { way, shows }: Look, view: ExchangeView): unknown {
  return way === 'read' ? jsonOf(view.response) : shows.get(id)
}

export function outlives({ type }: Kind): boolean {
  return type === 'member'
}
