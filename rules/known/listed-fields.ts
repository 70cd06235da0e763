import type { Binding } from '../../schemas/binding.ts'
import { forgetOldest } from '../../schemas/bounded.ts'
import { at } from '../../schemas/pointer.ts'
import { idIn, listIn, madeBy, recordIn, scopeOf } from '../core/reads.ts'
import { resembles } from '../core/resembles.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { doubtOf } from './doubt.ts'
import { type Fields, storedBy, type Write } from './fields.ts'
import type { Part } from './part.ts'

/** The newest good writes of the things of one list. */
export interface KnownRecords {
  readonly byId: Map<string, Write>
  /** made by a request whose answer did not tell the id: it is learnt from the list, by the name that was given */
  readonly byName: Map<string, Write>
  /** names of creations of unknown outcome: a thing of that name may be theirs */
  readonly unsure: Set<string>
}

const MOST = 1_000

/** The part of the store that holds what was written to the things of one kind in a list. `update`: the operation that replaces one. */
export function listedFieldsOf(type: string, update: string): Part<KnownRecords> {
  const operations = ({ resources }: Binding) => {
    const { create, read, list, delete: remove } = resources.get(type) ?? {}
    return [create, read, list, remove, update]
  }
  return {
    name: `listed fields of ${type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations,
    key: (view, { binding }) => scopeOf(view, binding, type),
    init: () => ({ byId: new Map(), byName: new Map(), unsure: new Set() }),
    knowsNothing: ({ byId, byName }) => byId.size === 0 && byName.size === 0,
    learn(known, view, oracle) {
      const { read, list } = oracle.binding.resources.get(type) ?? {}
      const operation = view.operation?.id
      if (operation === list) {
        for (const { write, id, name, element } of elementsOf(view, known, type, oracle)) {
          const isAsSent = shows(element, write)
          // An old list may show another one of that name.
          if (!isAsSent && doubtOf(view, write.at, oracle) !== undefined) continue
          known.byName.delete(name)
          if (isAsSent) known.byId.set(id, write)
          // A contradiction is judged once: it may be another thing of that name, whose creation got lost.
          else known.byId.delete(id)
        }
      } else if (operation === read) learnRead(known, view, type, oracle)
      else if (!leftAlone(view)) noteWritten(known, view, type, oracle)
    },
  }
}

function shows(record: Fields, { sent = {} }: Write): boolean {
  return Object.keys(sent).every((field) => resembles(record[field] ?? sent[field], sent[field]))
}

/** A read that contradicts what was written leaves nobody knowing it. */
function learnRead({ byId }: KnownRecords, view: ExchangeView, type: string, oracle: Oracle): void {
  const id = idIn(view, oracle.binding, type) ?? ''
  const write = byId.get(id)
  const record = write && view.accepted ? recordIn(view) : undefined
  if (write && record && !shows(record, write) && doubtOf(view, write.at, oracle) === undefined) byId.delete(id)
}

function noteWritten({ byId, byName, unsure }: KnownRecords, view: ExchangeView, type: string, oracle: Oracle): void {
  const { create, label = '' } = oracle.binding.resources.get(type) ?? {}
  const operation = view.operation?.id ?? ''
  const makes = operation === create
  const id = makes ? madeBy(view, oracle.binding, type) : idIn(view, oracle.binding, type)
  // Which of those without an id was changed or removed is not known.
  if (!makes) byName.clear()
  if (id !== undefined) byId.delete(id)
  const name = at(jsonOf(view.request), `/${label}`)
  if (makes && !view.accepted && typeof name === 'string' && unsure.size < MOST) unsure.add(name)
  const sent = storedBy(view, oracle, {})
  if (!sent) return
  const write = { operation, exchange: view.id, at: view.exchange._end, sent }
  const [map, key] = id === undefined ? [byName, name] : [byId, id]
  if (typeof key !== 'string' || (map === byName && unsure.has(key))) return
  map.set(key, write)
  for (const one of [byId, byName]) forgetOldest(one, MOST, MOST)
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly element: Fields
  readonly write: Write
}

/** The elements of a list of which it is known what was written to them before it was asked for. */
export function elementsOf(view: ExchangeView, known: KnownRecords, type: string, oracle: Oracle): Listed[] {
  const { byId, byName } = known
  if (!view.accepted || (byId.size === 0 && byName.size === 0)) return []
  const { key = 'id', label = '' } = oracle.binding.resources.get(type) ?? {}
  const found = new Set<Write>()
  return (listIn(view) ?? []).flatMap((element) => {
    const id = element[key]
    const name = String(element[label])
    if (typeof id !== 'string' && typeof id !== 'number') return []
    const write = byId.get(String(id)) ?? byName.get(name)
    // A second one of that name was made by somebody else.
    if (!write || found.has(write) || view.exchange._start < write.at) return []
    found.add(write)
    return [{ id: String(id), name, element, write }]
  })
}
