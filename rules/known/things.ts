import { idIn, isSurelyWhole, isThere, isWholeList, listedName, listIn, recordIn } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'
import type { Kind } from './kinds.ts'

/** An exchange that did something, and when it was answered, milliseconds since the epoch. */
export interface Fact {
  readonly exchange: string
  readonly at: number
}

export type Way = 'read' | 'list'
export type Element = Readonly<Record<string, unknown>>

/** What a good request made. Nothing since may have removed it, and no read or list has contradicted another about it. */
export interface Made {
  /** undefined: the answer did not tell, and no list has */
  id: string | undefined
  /** as the request named it; undefined: it may have another name by now */
  name: string | undefined
  readonly exchange: string
  /** when it was asked for */
  readonly start: number
  /** when it was answered by the target's clock; NaN where that is not told */
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

/** What was shown once. */
export interface Shown {
  /** a request since may have removed it */
  readonly lost: boolean
  /** how it was shown, where its kind outlives a removal */
  readonly as: Readonly<Partial<Record<Way, string>>>
}

interface Removed extends Fact, Pick<Shown, 'as'> {}

/** What is known of the things of one collection: which were made, were shown, are gone. */
export interface Existence {
  /** by id; those whose id is not known apart, by name */
  readonly made: Map<string, Made>
  readonly withoutId: Map<string, Made>
  readonly shown: Map<string, Shown>
  /** what was shown before it was removed with success */
  readonly removed: Map<string, Removed>
  /** what was shown before it was copied to another place */
  readonly copied: Map<string, Fact>
  /** whether a read has ever shown what it asked for: else the path of reads may be another one */
  readable: boolean
  /** the newest attempt to remove the owner of the account, whatever was answered; the id in lower case */
  owner: (Fact & { readonly id: string }) | undefined
  /** what was worked out of the exchange that is judged just now */
  look: { readonly view: ExchangeView; readonly shows: Look | undefined } | undefined
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

/** What a read or a list shows beside what is known. */
export interface Look {
  readonly way: Way
  /** what a read asks for, and whether it is there */
  readonly id?: string
  readonly there?: boolean | undefined
  /** the elements of a list by id; how many it has; whether it surely has all that there is */
  readonly elements: ReadonlyMap<string, Element>
  readonly length: number
  readonly whole: boolean
  /** of what was made or removed before it began */
  readonly made: readonly Sighting[]
  readonly removed: readonly { readonly id: string; readonly by: Removed; readonly there: boolean }[]
  /** whether the owner is there, whose removal was tried before it began */
  readonly owner: boolean | undefined
}

const NONE: readonly never[] = []
const NO_ELEMENTS: ReadonlyMap<string, Element> = new Map()
/** What an exchange shows; undefined: nothing. Worked out once for all rules and for what is learnt. */
export function lookAt(known: Existence, view: ExchangeView, kind: Kind, oracle: Oracle): Look | undefined {
  if (known.look?.view === view) return known.look.shows
  const isRead = kind.roleOf(view, oracle.binding) === 'read'
  const shows = isRead ? readOf(known, view, kind, oracle) : listOf(known, view, kind, oracle)
  known.look = { view, shows }
  return shows
}

function readOf(known: Existence, view: ExchangeView, kind: Kind, { binding }: Oracle): Look | undefined {
  const id = idIn(view, binding, kind.type)
  if (id === undefined) return undefined
  const { _start: start } = view.exchange
  const key = binding.resources.get(kind.type)?.key ?? 'id'
  const there = isThere(view, id, key)
  const made = known.made.get(id)
  const by = known.removed.get(id)
  const { owner } = known
  // That it is there, or another is, only a record with an id says.
  const found = view.accepted && (made || !known.readable) && !hasKey(recordIn(view), key) ? undefined : there
  const told = there === true && by !== undefined && !isAsBefore(by, 'read', jsonOf(view.response), kind)
  return {
    way: 'read',
    id,
    there,
    elements: NO_ELEMENTS,
    length: 0,
    whole: false,
    made: made && start >= made.at ? [{ made, id, found, named: false, leftOut: false }] : NONE,
    removed: by && there !== undefined && !told && start >= by.at ? [{ id, by, there }] : NONE,
    owner: owner && id.toLowerCase() === owner.id && start >= owner.at ? view.accepted || there : undefined,
  }
}

function listOf(known: Existence, view: ExchangeView, kind: Kind, { binding }: Oracle): Look | undefined {
  const list = view.accepted ? listIn(view) : undefined
  if (!list) return undefined
  const { _start: start } = view.exchange
  const { key = 'id', label = kind.label } = binding.resources.get(kind.type) ?? {}
  const elements = new Map<string, Element>()
  let anonymous = false
  for (const element of list) {
    if (hasKey(element, key)) elements.set(String(element[key]), element)
    else anonymous = true
  }
  const owner = known.owner && start >= known.owner.at ? known.owner : undefined
  const whole = (owner || known.made.size + known.withoutId.size > 0) && isSurelyWhole(view, list)
  const hasOwner = owner && [...elements.keys()].some((id) => id.toLowerCase() === owner.id)
  return {
    way: 'list',
    elements,
    length: list.length,
    whole: whole === true,
    made: sightingsIn(list, { known, view, elements, key, label, anonymous, whole: whole === true }),
    removed:
      known.removed.size === 0 ? NONE : removedIn(known, view, elements, !anonymous && isWholeList(view, list), kind),
    owner: hasOwner || (whole === true && owner ? false : undefined),
  }
}

interface Listed {
  readonly known: Existence
  readonly view: ExchangeView
  readonly elements: ReadonlyMap<string, Element>
  readonly key: string
  readonly label: string
  /** some of the elements have no id */
  readonly anonymous: boolean
  readonly whole: boolean
}

function sightingsIn(list: readonly Element[], listed: Listed): readonly Sighting[] {
  const { known, view, elements, key, label, anonymous, whole } = listed
  if (known.made.size + known.withoutId.size === 0) return NONE
  const names = new Map(list.map((element) => [listedName(element[label], view), element[key]]))
  const traffic = view.exchange._case === undefined
  const sightings: Sighting[] = []
  for (const made of [...known.made.values(), ...known.withoutId.values()]) {
    if (view.exchange._start < made.at) continue
    const name = listedName(made.name, view)
    const named = name !== undefined && names.has(name)
    const told = named && made.id === undefined ? names.get(name) : made.id
    const id = told === undefined || told === null ? undefined : String(told)
    // Where elements carry no ids, one whose name is not known, or is shown in another way, may be any of them.
    const mayBeAny = !named && anonymous && (traffic || made.name === undefined)
    const isListed = named || (made.id !== undefined && elements.has(made.id))
    const found = mayBeAny ? undefined : isListed || (whole ? false : undefined)
    sightings.push({ made, id, found, named, leftOut: found === undefined && !mayBeAny && !traffic })
  }
  return sightings
}

function removedIn(
  known: Existence,
  view: ExchangeView,
  elements: ReadonlyMap<string, Element>,
  whole: boolean,
  kind: Kind,
): Look['removed'] {
  const all: Look['removed'][number][] = []
  for (const [id, by] of known.removed) {
    if (view.exchange._start < by.at) continue
    const element = elements.get(id)
    if (element ? isAsBefore(by, 'list', element, kind) : whole) all.push({ id, by, there: element !== undefined })
  }
  return all
}

export function hasKey(record: Element | undefined, key: string): boolean {
  return record?.[key] !== undefined && record[key] !== null && record[key] !== ''
}

/** Whether it is shown as it was before its removal. */
function isAsBefore({ as }: Removed, way: Way, shown: unknown, kind: Kind): boolean {
  return !outlives(kind) || as[way] === JSON.stringify(shown)
}

/** Who is a member no longer may be shown as such: the account itself stays. */
export function outlives({ type }: Kind): boolean {
  return type === 'member'
}

/** Whether what a read or a list says contradicts the creation, or the other one of them. */
export function contradicts(known: Existence, one: Sighting, way: Way, kind: Kind, { binding }: Oracle): boolean {
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
