import { probes } from '../../schemas/intents.ts'
import { at } from '../../schemas/pointer.ts'
import { dateOf } from '../core/dates.ts'
import { idIn, madeBy, recordIn } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { isSettled } from './doubt.ts'
import { type Kind, keep, keepFirst } from './kinds.ts'
import type { Part } from './part.ts'
import {
  contradicts,
  type Existence,
  hasKey,
  type Look,
  lookAt,
  type Made,
  outlives,
  type Shown,
  type Sighting,
  type Way,
} from './things.ts'

const SHOWN: Shown = { lost: false, as: {} }

/** Which things of one type exist. */
export function existenceOf(kind: Kind): Part<Existence> {
  return {
    name: `existence of ${kind.type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations: (binding) => kind.operations(binding),
    key: kind.key,
    init: () => ({
      made: new Map(),
      withoutId: new Map(),
      shown: new Map(),
      removed: new Map(),
      copied: new Map(),
      readable: false,
      owner: undefined,
      look: undefined,
    }),
    knowsNothing: ({ made, withoutId, removed, copied }) =>
      made.size + withoutId.size + removed.size + copied.size === 0,
    learn(known, view, oracle) {
      switch (kind.roleOf(view, oracle.binding)) {
        case 'create':
          return learnCreation(known, view, kind, oracle)
        case 'read':
        case 'list':
          return learnLook(known, view, kind, oracle)
        case 'change':
          return learnChange(known, idIn(view, oracle.binding, kind.type), view)
        case 'remove':
          return learnRemoval(known, idIn(view, oracle.binding, kind.type) ?? '', view)
        case 'parent':
          return learnEnd(known, view)
        case 'beside':
          return learnBeside(known, view, kind, oracle)
      }
    },
  }
}

function learnLook(known: Existence, view: ExchangeView, kind: Kind, oracle: Oracle): void {
  const look = lookAt(known, view, kind, oracle)
  known.look = undefined
  if (!look) return
  const { way, id, there } = look
  if (way === 'read' && !known.readable && there === true && hasKey(recordIn(view), keyOf(kind, oracle))) {
    known.readable = true
  }
  for (const one of look.made) learnSighting(known, one, look, view, kind, oracle)
  for (const { id: gone, by, there: again } of look.removed) {
    if (again && isSettled(view, by.at, oracle)) known.removed.delete(gone)
  }
  if (look.owner === false && known.owner && isSettled(view, known.owner.at, oracle)) known.owner = undefined
  if (id === undefined) for (const [one, element] of look.elements) learnShown(known, one, way, element, kind)
  else if (there === true) learnShown(known, id, way, jsonOf(view.response), kind)
  else if (there === false && known.copied.size > 0) {
    const copy = known.copied.get(id)
    if (copy && isSettled(view, copy.at, oracle)) known.copied.delete(id)
  }
}

function learnShown(known: Existence, id: string, way: Way, shown: unknown, kind: Kind): void {
  if (known.removed.size > 0 && known.removed.has(id)) return
  const before = known.shown.get(id)
  if (!outlives(kind)) {
    if (before !== SHOWN) keepFirst(known.shown, id, SHOWN)
  } else keepFirst(known.shown, id, { lost: false, as: { ...before?.as, [way]: JSON.stringify(shown) } })
}

function learnSighting(
  known: Existence,
  one: Sighting,
  look: Look,
  view: ExchangeView,
  kind: Kind,
  oracle: Oracle,
): void {
  const { made, id, found, named } = one
  const { way } = look
  const settled = isSettled(view, made.at, oracle)
  if (named || (settled && look.whole)) made.named = true
  if (way === 'read' && view.accepted && settled) made.holds = undefined
  if (found === undefined || (!found && !settled)) return
  if (contradicts(known, one, way, kind, oracle)) {
    forget(known, made)
    return
  }
  if (made.id === undefined && id !== undefined) {
    forget(known, made)
    made.id = id
    keep(known.made, id, made)
  }
  if (way === 'list' && id !== undefined) made.created = look.elements.get(id)?.created
  made.shown[way] = found ? view.id : made.shown[way]
  made.missed[way] = found ? undefined : view.id
}

function forget({ made, withoutId }: Existence, { id, name = '' }: Made): void {
  if (id === undefined) withoutId.delete(name)
  else made.delete(id)
}

function learnCreation(known: Existence, view: ExchangeView, kind: Kind, { binding }: Oracle): void {
  if (leftAlone(view)) return
  const id = madeBy(view, binding, kind.type)
  // What is made again under an id that was removed is rightly there.
  if (id === undefined) known.removed.clear()
  else known.removed.delete(id)
  if (!view.accepted || view.violations.length > 0 || view.intent?.kind === 'observe') return
  const body = jsonOf(view.request)
  const named = at(body, `/${binding.resources.get(kind.type)?.label ?? kind.label}`)
  const name = typeof named === 'string' ? named : undefined
  if (id === undefined && name === undefined) return
  const others = at(body, '/pipeline_transform_ids')
  const made: Made = {
    id,
    name,
    exchange: view.id,
    start: view.exchange._start,
    date: dateOf(view),
    at: view.exchange._end,
    shown: { read: undefined, list: undefined },
    missed: { read: undefined, list: undefined },
    named: false,
    created: undefined,
    // Whether one that is named twice is copied twice is not stated.
    holds: Array.isArray(others) && new Set(others).size === others.length ? others.length : undefined,
  }
  if (id === undefined) keep(known.withoutId, name ?? '', made)
  else keep(known.made, id, made)
}

function learnChange(known: Existence, id: string | undefined, view: ExchangeView): void {
  if (leftAlone(view)) return
  known.withoutId.clear()
  if (id === undefined) return
  // Where it is not there, a change may make it.
  known.removed.delete(id)
  const made = known.made.get(id)
  if (!made) return
  made.name = undefined
  made.at = view.exchange._end
}

function learnRemoval(known: Existence, id: string, view: ExchangeView): void {
  const { exchange, intent } = view
  // A case says so; of traffic it is known where the recording was told whose address the owner's is.
  if (intent?.probe === probes.owner || Object.values(exchange._roles ?? {}).includes('owner')) {
    const owner = id.toLowerCase()
    const wasShown = [...known.shown.keys()].some((one) => one.toLowerCase() === owner)
    if (wasShown) known.owner = { id: owner, exchange: view.id, at: exchange._end }
  }
  if (leftAlone(view)) return
  known.withoutId.clear()
  known.made.delete(id)
  known.copied.delete(id)
  const shown = known.shown.get(id)
  if (!shown) return
  if (!view.accepted) {
    known.shown.set(id, { ...shown, lost: true })
    return
  }
  known.shown.delete(id)
  keep(known.removed, id, { exchange: view.id, at: exchange._end, as: shown.as })
}

/** With what they stand in, things may be gone. What was removed stays so. */
function learnEnd({ made, withoutId, shown, copied }: Existence, view: ExchangeView): void {
  if (!leftAlone(view)) for (const map of [made, withoutId, shown, copied]) map.clear()
}

/** What is done with things of this kind elsewhere. */
function learnBeside(known: Existence, view: ExchangeView, kind: Kind, { binding }: Oracle): void {
  if (view.operation?.id === 'create-group-revision') {
    const made = known.made.get(idIn(view, binding, kind.type) ?? '')
    if (made) made.holds = undefined
    return
  }
  const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
  if (!Array.isArray(ids) || !view.accepted || view.violations.length > 0) return
  for (const id of ids) {
    if (known.shown.get(id)?.lost === false) keep(known.copied, id, { exchange: view.id, at: view.exchange._end })
  }
}

function keyOf({ type }: Kind, { binding }: Oracle): string {
  return binding.resources.get(type)?.key ?? 'id'
}
