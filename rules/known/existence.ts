import { setBounded } from '../../schemas/bounded.ts'
import { at } from '../../schemas/pointer.ts'
import { idIn, isNotFound, madeBy, readerOf, recordIn, showsThing } from '../core/reads.ts'
import { isRecord } from '../core/request-rules.ts'
import type { Oracle } from '../core/rule.ts'
import { dateOf, type ExchangeView, isGood, jsonOf, leftAlone } from '../core/view.ts'
import { isSettled } from './doubt.ts'
import type { Kind } from './kinds.ts'
import type { Part } from './part.ts'
import { followsRefusals, refusedIn, withRefused } from './refusals.ts'
import {
  contradicts,
  type Fact,
  hasKey,
  isAsBefore,
  type Look,
  lookAt,
  type Made,
  NOBODY,
  NOTHING,
  notePage,
  outlives,
  type Shown,
  type Sighting,
  shownOf,
  sightingsOf,
  Things,
  toldOf,
} from './things.ts'

/** What is kept of each collection, in each regard: what was shown first, else the newest. */
const MOST = 1_000
/** Names, and ids of things without names. If there are more, new ones are not judged. */
const MOST_IDS = 10_000
/** The code of an error that says that something is not there. */
export const NOT_FOUND = 'NotFound'

type Regard = 'made' | 'withoutId' | 'shown' | 'removed' | 'copied' | 'names' | 'removals' | 'notFound'
type Of<R extends Regard> = Things[R] extends Map<string, infer V> ? V : never

function keep<R extends Regard>(known: Things, regard: R, id: string, value: Of<R>, most: number = MOST): void {
  if (known[regard] === NOTHING) known[regard] = new Map<string, never>() as Things[R]
  setBounded(known[regard] as Map<string, Of<R>>, id, value, most, most)
}

function ownSet(before: Set<string>): Set<string> {
  return before === NOBODY ? new Set() : before
}

/** Which things of one type exist, and what a case tried that should change nothing about that. */
export function existenceOf(kind: Kind): Part<Things> {
  return {
    name: `existence of ${kind.type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations: (binding) => kind.operations(binding),
    key: kind.key,
    init: () => new Things(),
    knowsNothing: ({ made, withoutId, removed, copied }) =>
      made.size + withoutId.size + removed.size + copied.size === 0,
    learn(known, view, oracle) {
      const role = kind.roleOf(view, oracle.binding)
      if (role === 'read' || role === 'list') return learnLook(known, view, kind, oracle)
      const fact = { exchange: view.id, at: view.exchange._end }
      const id = idIn(view, oracle.binding, kind.type) ?? ''
      if (role === 'remove') noteRefusedRemoval(known, id, fact, view, oracle)
      if (role === 'create' && view.intent) noteRefusedCreation(known, fact, view, kind, oracle)
      if (role === 'remove' && isNotFound(view)) noteGone(known, id)
      if (leftAlone(view)) return
      if (role === 'create') return learnCreation(known, view, kind, oracle)
      if (role === 'beside') return learnBeside(known, id, fact, view)
      if (role === 'parent') return learnEnd(known)
      if (known.withoutId.size > 0) known.withoutId.clear()
      // Another one may have the name by now; which had the name that it gave away is not known.
      if (known.names.size > 0) for (const name of known.names.keys()) keep(known, 'names', name, undefined, MOST_IDS)
      if (role === 'remove') learnRemoval(known, id, fact, view)
      else learnChange(known, id, fact)
    },
  }
}

function learnCreation(known: Things, view: ExchangeView, kind: Kind, { binding }: Oracle): void {
  const id = madeBy(view, binding, kind.type)
  const body = jsonOf(view.request)
  const { [binding.resources.get(kind.type)?.label ?? '']: named } = isRecord(body) ? body : {}
  const name = typeof named === 'string' ? named : undefined
  // What is made again under an id that was removed is rightly there.
  for (const one of known.removed.keys())
    if (id === undefined ? comesBack(one, name ?? '') : id === one) known.removed.delete(one)
  const isKnown = id !== undefined || name !== undefined
  if (!isKnown || !isGood(view)) return
  const others = at(body, '/pipeline_transform_ids')
  const { _start: start, _end: end } = view.exchange
  // Only keys tell when they were made.
  const date = kind.type === 'enterprise-key' ? dateOf(view) : Number.NaN
  const made: Made = {
    ...{ id, name, exchange: view.id, start, date, at: end, named: false, created: undefined },
    shown: { read: undefined, list: undefined },
    missed: { read: undefined, list: undefined },
    // Whether one that is listed twice is copied twice is not stated.
    holds: Array.isArray(others) && new Set(others).size === others.length ? others.length : undefined,
  }
  if (id === undefined) keep(known, 'withoutId', name ?? '', made)
  else keep(known, 'made', id, made)
}

/** Shorter ids are counted, or chosen. */
const LONG = 16
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether a new thing may get the id of a removed one, such as one made of its name: ids are the target's own matter. */
export function comesBack(id: string, name?: string): boolean {
  const isOfName = name !== undefined && plain(id).includes(plain(name).slice(0, LONG))
  return isOfName || id.length < LONG || !/\d/.test(id)
}

function learnChange(known: Things, id: string, { at: end }: Fact): void {
  // Where it is not there, a change may make it.
  known.removed.delete(id)
  const made = known.made.get(id)
  if (!made) return
  made.name = undefined
  made.at = end
}

/** A thing that was seen, and is gone when it is to be removed, may have gone with what it named. */
function noteGone({ made }: Things, id: string): void {
  const { read, list } = made.get(id)?.shown ?? {}
  if (read !== undefined || list !== undefined) made.delete(id)
}

function learnRemoval(known: Things, id: string, fact: Fact, { accepted, intent }: ExchangeView): void {
  for (const map of [known.made, known.copied, known.removals, known.notFound]) map.delete(id)
  const shown = known.shown.get(id)
  const by = { read: shown?.read !== undefined, list: shown?.list !== undefined }
  if (shown) Object.assign(shown, { lost: true, list: undefined, read: undefined })
  else if (intent) keep(known, 'shown', id, { ...unseen(), lost: true })
  if (!shown?.seen || !accepted) return
  shown.seen = false
  keep(known, 'removed', id, { ...fact, by })
}

function unseen(): Shown {
  return { seen: false, lost: false, list: undefined, read: undefined, as: undefined }
}

/** Things may be gone together with their parents. A removed thing stays removed. */
function learnEnd({ made, withoutId, shown, copied, removals, notFound }: Things): void {
  for (const map of [made, withoutId, shown, copied, removals, notFound]) map.clear()
}

/** What is done with things of this kind elsewhere. */
function learnBeside(known: Things, id: string, fact: Fact, view: ExchangeView): void {
  const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
  const made = known.made.get(id)
  if (made && view.operation?.id === 'create-group-revision') made.holds = undefined
  else if (Array.isArray(ids) && view.accepted && view.violations.length === 0) {
    for (const one of ids) if (known.shown.get(one)?.read !== undefined) keep(known, 'copied', one, fact)
  }
}

function noteRefusedCreation(known: Things, fact: Fact, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const { names, creations, isListed, before } = known
  const label = oracle.binding.resources.get(kind.type)?.label
  const refused = refusedIn(view)
  if (label === undefined) {
    if (refused) {
      if (isListed && before) known.creations = withRefused(creations, refused)
    } else if (!leftAlone(view)) {
      const made = madeBy(view, oracle.binding, kind.type)
      // Its place in the list has to be seen before anything is blamed.
      known.isListed = false
      known.creations = []
      known.before = made === undefined || !before ? undefined : ownSet(before).add(made)
    }
    return
  }
  const name = at(jsonOf(view.request), `/${label}`)
  if (typeof name !== 'string' || name === '' || (names.size >= MOST_IDS && !names.has(name))) return
  // A bad name is one that other requests give as well.
  const isOwn = view.intent?.pointer !== `/${label}` && !names.has(name)
  if (refused && isOwn) known.creations = withRefused(creations, refused)
  if (!refused && !leftAlone(view))
    keep(known, 'names', name, isGood(view) && !names.has(name) ? fact : undefined, MOST_IDS)
}

function noteRefusedRemoval(known: Things, id: string, fact: Fact, view: ExchangeView, oracle: Oracle): void {
  const { intent, exchange, credentials, status } = view
  // A case says so. In traffic it is known if the recording names the owner's address.
  if (intent?.probe === 'owner' || Object.values(exchange._roles ?? {}).includes('owner')) {
    const owner = id.toLowerCase()
    if ([...known.shown.keys()].some((one) => one.toLowerCase() === owner)) known.owner = { ...fact, id: owner }
  }
  const { list, read } = (intent && leftAlone(view) && known.shown.get(id)) || {}
  if (!list && read === undefined) return
  const refused = refusedIn(view)
  if (refused)
    keep(known, 'removals', id, { at: refused.at, by: withRefused(known.removals.get(id)?.by ?? [], refused) })
  const isRight = credentials.every(({ state }) => state === 'configured')
  const isMissing = isRight && at(jsonOf(view.response), '/code') === NOT_FOUND
  // A new thing may not be known everywhere yet.
  if (list && isMissing && isSettled(view, list.at, oracle)) keep(known, 'notFound', id, { ...fact, status })
}

function learnLook(known: Things, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const look = lookAt(known, view, kind, oracle)
  for (const one of sightingsOf(known, view, kind, oracle)) learnSighting(known, one, view, kind, oracle)
  known.look = undefined
  if (!look) return
  const { way, id, there } = look
  if (way === 'list') notePage(known, look, view)
  const isFound = way === 'read' && !known.readable && there === true
  if (isFound && hasKey(recordIn(view), oracle.binding.resources.get(kind.type)?.key ?? 'id')) known.readable = true
  const [copy] = way === 'read' ? toldOf(known.copied, look, view) : []
  if (copy && !copy.there && isSettled(view, copy.fact.at, oracle)) known.copied.delete(copy.id)
  if (view.intent) learnRefused(known, look, view, kind, oracle)
  const fact = { exchange: view.id, at: view.exchange._end }
  if (id === undefined) for (const one of look.shows.keys()) learnShown(known, one, look, fact, view, kind, oracle)
  else if (there === true) learnShown(known, id, look, fact, view, kind, oracle)
  else if (there === false && !known.removals.has(id)) {
    const missed = known.shown.get(id)
    if (missed) missed.read = undefined
  }
}

function learnShown(
  known: Things,
  id: string,
  look: Look,
  fact: Fact,
  view: ExchangeView,
  kind: Kind,
  oracle: Oracle,
): void {
  let shown = known.shown.get(id)
  if (!shown) {
    if (known.shown.size >= MOST) return
    shown = unseen()
    keep(known, 'shown', id, shown)
  }
  if (look.way === 'read') shown.read = fact.exchange
  else if (!shown.lost) shown.list ??= fact
  const removed = known.removed.size > 0 ? known.removed.get(id) : undefined
  if (removed) {
    // An old answer, or one that says that it is none any more, brings nothing back.
    if (!isSettled(view, removed.at, oracle) || !isAsBefore(known, id, look, view, kind)) return
    known.removed.delete(id)
  }
  shown.seen = true
  if (outlives(kind)) shown.as = { ...shown.as, [look.way]: JSON.stringify(shownOf(id, look, view)) }
}

function learnSighting(known: Things, one: Sighting, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const { made, id, found, named } = one
  const look = lookAt(known, view, kind, oracle)
  if (!look) return
  const { way } = look
  const settled = isSettled(view, made.at, oracle)
  if (named || (settled && look.surely)) made.named = true
  if (way === 'read' && view.accepted && settled) made.holds = undefined
  if (found === undefined || (!found && !settled)) return
  const isWrong = contradicts(known, one, way, kind, oracle)
  if (isWrong || made.id === undefined) {
    if (made.id === undefined) known.withoutId.delete(made.name ?? '')
    else known.made.delete(made.id)
    if (isWrong) return
    made.id = id
    if (id === undefined) keep(known, 'withoutId', made.name ?? '', made)
    else keep(known, 'made', id, made)
  }
  if (way === 'list' && found) made.created = at(look.shows.get(id ?? ''), '/created')
  made.shown[way] = found ? view.id : made.shown[way]
  made.missed[way] = found ? undefined : view.id
}

/** What was looked for after it was refused is not looked for again. */
function learnRefused(known: Things, look: Look, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const last = known.creations.at(-1)
  if (look.way === 'list') {
    if (oracle.binding.resources.get(kind.type)?.label === undefined) learnNew(known, look, view, oracle)
    else if (last && isSettled(view, last.at, oracle)) known.creations = []
    for (const { id, there } of toldOf(known.notFound, look, view)) if (there) known.notFound.delete(id)
  }
  if (!looksAfterRemovals(look, view, kind, oracle)) return
  for (const { id, fact } of toldOf(known.removals, look, view, look.surely)) {
    if (isSettled(view, fact.at, oracle)) known.removals.delete(id)
  }
}

/** What refused removals left is looked for in reads or, where one thing cannot be read by itself, in lists. */
export function looksAfterRemovals(look: Look, view: ExchangeView, { type }: Kind, { binding }: Oracle): boolean {
  return look.way === 'read' || (readerOf(binding, type, 'read') === undefined && followsRefusals(view))
}

function learnNew(known: Things, look: Look, view: ExchangeView, oracle: Oracle): void {
  const last = known.creations.at(-1)
  const more = newIn(known, look, view)
  if (!known.before || !isEachNamed(look)) return
  // A new thing may be the work of a refused request, until that was judged.
  if (last && (!more || (more.length === 0 && !isSettled(view, last.at, oracle)))) return
  known.before = ownSet(known.before)
  for (const id of look.shows.keys()) known.before.add(id)
  if (known.before.size > MOST_IDS) known.before = undefined
  known.isListed = true
  known.creations = []
}

/** Of things without names: which ids a list shows that were not there before; undefined: it does not tell. */
export function newIn({ creations, before }: Things, look: Look, view: ExchangeView): readonly string[] | undefined {
  const last = creations.at(-1)
  if (!last || !before || !isEachNamed(look) || !followsRefusals(view) || view.exchange._start < last.at)
    return undefined
  return [...look.shows.keys()].filter((id) => !before.has(id))
}

function isEachNamed({ shows, list }: Look): boolean {
  return shows.size === list.length
}

/** Of one thing: the removal that was accepted; undefined: it may be there. */
export interface Removal {
  by: Fact | undefined
}

/**
 * What clients removed, by its id in any letter case, since an address is one in all of them. One history for each thing and
 * not for each collection: so a creation by one client makes unknown what others know.
 */
export function removalOf(kind: Kind): Part<Removal> {
  return {
    name: `removal of ${kind.type}`,
    bound: 10_000,
    others: 'all',
    operations: (binding) => kind.operations(binding, 'create', 'read', 'remove'),
    key(view, { binding }) {
      const role = kind.roleOf(view, binding)
      if (view.exchange._case !== undefined || (role !== 'create' && role !== 'read' && role !== 'remove'))
        return undefined
      return (role === 'create' ? madeBy(view, binding, kind.type) : idIn(view, binding, kind.type))?.toLowerCase()
    },
    init: () => ({ by: undefined }),
    knowsNothing: ({ by }) => by === undefined,
    learn(known, view, { binding }) {
      const role = kind.roleOf(view, binding)
      if (role === 'remove') {
        if (view.accepted) known.by = { exchange: view.id, at: view.exchange._end }
      } else if (role === 'read' ? view.accepted && showsThing(view, '', '') !== false : !leftAlone(view)) {
        known.by = undefined
      }
    },
  }
}
