import { at } from '../../schemas/pointer.ts'
import { idIn, isSurelyWhole, isThere, listIn, madeIn, readerOf } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { isSettled } from './doubt.ts'
import { type Kind, keep, keepFirst } from './kinds.ts'
import type { Part } from './part.ts'
import { followsRefusals, type Refused, refusedIn, withRefused } from './refusals.ts'
import type { Fact } from './things.ts'

/** Where something was shown. */
interface Shown {
  /** the first list; undefined as well where a request since may have removed it */
  readonly first: Fact | undefined
  /** the newest list and read */
  readonly list: string | undefined
  readonly read: string | undefined
  /** a request may have removed it: an old list may show it still */
  readonly lost: boolean
}

/** What the requests of a case tried about the things of one collection. */
export interface Attempts {
  /** name -> the one request that gave it; undefined: there were others, or nobody knows what came of it */
  readonly names: Map<string, Fact | undefined>
  readonly shown: Map<string, Shown>
  /** the newest list */
  list: string | undefined
  /** creations that were refused since a list was looked at for what they make */
  creations: readonly Refused[]
  /** id of what was shown -> removals of it that were refused since */
  readonly removals: Map<string, readonly Refused[]>
  /** id of what was shown -> the removal that did not find it */
  readonly notFound: Map<string, Fact & { readonly status: number }>
  /** of things without names: ids that were there before a creation was refused */
  readonly before: Set<string>
  /** of things without names: a list has shown all of them since the newest good creation */
  listed: boolean
  /** of things without names: one may have been made whose id nobody told */
  blind: boolean
}

/** So many ids are known of things without names; where there are more, nothing is. */
const MOST_IDS = 10_000
/** The code of an error that says that something is not there. */
export const NOT_FOUND = 'NotFound'

/** What a case tried about the things of one type: only a run says what its requests are about. */
export function attemptsOf(kind: Kind): Part<Attempts> {
  return {
    name: `attempts at ${kind.type}`,
    bound: 1_000,
    intended: true,
    operations: (binding) => kind.operations(binding),
    key: (view, oracle) => (view.intent ? kind.key(view, oracle) : undefined),
    init: () => ({
      names: new Map(),
      shown: new Map(),
      list: undefined,
      creations: [],
      removals: new Map(),
      notFound: new Map(),
      before: new Set(),
      listed: false,
      blind: false,
    }),
    learn(known, view, oracle) {
      switch (kind.roleOf(view, oracle.binding)) {
        case 'create':
          return kind.named ? learnCreation(known, view, kind, oracle) : learnNameless(known, view)
        case 'list':
          return learnList(known, view, kind, oracle)
        case 'read':
          return learnRead(known, view, kind, oracle)
        case 'change':
          return leftAlone(view) ? undefined : forgetNames(known)
        case 'remove':
          return learnRemoval(known, idIn(view, oracle.binding, kind.type) ?? '', view, oracle)
        case 'parent':
          if (!leftAlone(view)) for (const map of [known.shown, known.removals, known.notFound]) map.clear()
      }
    },
  }
}

/** Whether refused removals are looked after in lists: where one thing cannot be read by itself. */
export function isOnlyListed({ type }: Kind, { binding }: Oracle): boolean {
  return readerOf(binding, type, 'read') === undefined
}

/** Of things without names: which ids a list shows that were not there before; undefined: it does not tell. */
export function newIn(known: Attempts, view: ExchangeView, kind: Kind, oracle: Oracle): readonly string[] | undefined {
  const last = known.creations.at(-1)
  if (!last || !followsRefusals(view) || view.exchange._start < last.at) return undefined
  return idsIn(view, kind, oracle)?.filter((id) => !known.before.has(id))
}

/** The ids in a list; undefined where it has elements without one. */
function idsIn(view: ExchangeView, { type }: Kind, { binding }: Oracle): readonly string[] | undefined {
  const key = binding.resources.get(type)?.key ?? 'id'
  const ids = view.accepted ? listIn(view)?.map((element) => element[key]) : undefined
  return ids?.every((id) => typeof id === 'string' || typeof id === 'number') ? ids.map(String) : undefined
}

function learnCreation(known: Attempts, view: ExchangeView, kind: Kind, { binding }: Oracle): void {
  const { names } = known
  const label = binding.resources.get(kind.type)?.label ?? kind.label
  const name = at(jsonOf(view.request), `/${label}`)
  if (typeof name !== 'string' || name === '') return
  const refused = refusedIn(view)
  if (refused) {
    // A bad name is one that other requests give as well.
    const isOwn = view.intent?.pointer !== `/${label}` && !names.has(name)
    if (isOwn) known.creations = withRefused(known.creations, refused)
  } else if (!leftAlone(view)) {
    const isGood = view.accepted && view.violations.length === 0 && view.intent?.kind !== 'observe'
    const isOnly = isGood && !names.has(name)
    names.set(name, isOnly ? { exchange: view.id, at: view.exchange._end } : undefined)
  }
}

function learnNameless(known: Attempts, view: ExchangeView): void {
  const refused = refusedIn(view)
  const made = madeIn(view)
  if (refused) {
    if (known.listed && !known.blind) known.creations = withRefused(known.creations, refused)
  } else if (made !== undefined || !leftAlone(view)) {
    // What it is listed as is to be seen before anything is blamed.
    known.listed = false
    known.creations = []
    if (made === undefined) known.blind = true
    else known.before.add(made)
  }
}

/** Another one may have the name by now; which had the name that it gave away is not known. */
function forgetNames({ names }: Attempts): void {
  for (const name of names.keys()) names.set(name, undefined)
}

function learnRemoval(known: Attempts, id: string, view: ExchangeView, oracle: Oracle): void {
  const { shown, removals, notFound } = known
  const { _end: end } = view.exchange
  const one = shown.get(id)
  const refused = refusedIn(view)
  if (refused) {
    const isThereNow = one && (one.read !== undefined || one.list === known.list)
    if (isThereNow) keep(removals, id, withRefused(removals.get(id) ?? [], refused))
  } else if (!leftAlone(view)) {
    forgetNames(known)
    removals.delete(id)
    notFound.delete(id)
    keep(shown, id, { first: undefined, list: undefined, read: undefined, lost: true })
  }
  const isRight = view.credentials.every(({ state }) => state === 'configured')
  // What was made just now may not be known everywhere.
  if (!one?.first || !leftAlone(view) || !isRight || !isSettled(view, one.first.at, oracle)) return
  if (at(jsonOf(view.response), '/code') === NOT_FOUND) {
    keep(notFound, id, { exchange: view.id, at: end, status: view.status })
  }
}

function learnRead(known: Attempts, view: ExchangeView, { type }: Kind, oracle: Oracle): void {
  const id = idIn(view, oracle.binding, type) ?? ''
  const there = isThere(view, id, oracle.binding.resources.get(type)?.key ?? 'id')
  const refusedAt = known.removals.get(id)?.at(-1)?.at
  if (there === undefined || (refusedAt !== undefined && !isSettled(view, refusedAt, oracle))) return
  known.removals.delete(id)
  const { first, list, lost = false } = known.shown.get(id) ?? {}
  keepFirst(known.shown, id, { first, list, read: there ? view.id : undefined, lost })
}

function learnList(known: Attempts, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const list = view.accepted ? listIn(view) : undefined
  if (!list) return
  if (kind.named) {
    const last = known.creations.at(-1)
    if (last && isSettled(view, last.at, oracle)) known.creations = []
  } else learnNew(known, view, kind, oracle)
  const key = oracle.binding.resources.get(kind.type)?.key ?? 'id'
  const { _start: start, _end: end } = view.exchange
  const fact = { exchange: view.id, at: end }
  for (const element of list) {
    const id = String(element[key])
    const { first, read, lost = false } = known.shown.get(id) ?? {}
    keepFirst(known.shown, id, { first: lost ? undefined : (first ?? fact), list: view.id, read, lost })
    const missed = known.notFound.get(id)
    if (missed && start >= missed.at) known.notFound.delete(id)
  }
  known.list = view.id
  if (!isOnlyListed(kind, oracle) || !followsRefusals(view) || !isSurelyWhole(view, list)) return
  for (const [id, refused] of known.removals) {
    if (isSettled(view, refused.at(-1)?.at ?? 0, oracle)) known.removals.delete(id)
  }
}

function learnNew(known: Attempts, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const ids = known.blind ? undefined : idsIn(view, kind, oracle)
  if (!ids) return
  const last = known.creations.at(-1)
  const more = last && newIn(known, view, kind, oracle)
  // What is new may be the work of a request that was refused, until that was judged.
  if (last && (!more || (more.length === 0 && !isSettled(view, last.at, oracle)))) return
  for (const id of ids) known.before.add(id)
  if (known.before.size > MOST_IDS) known.blind = true
  known.listed = true
  known.creations = []
}
