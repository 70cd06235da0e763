import { type OperationRow, service } from '../../schemas/service.ts'
import { type Fields, type Thing, things, within } from '../model/state.ts'
import { notFound } from './refusal.ts'
import { type Answer, type Call, empty, type Handler, ok } from './route.ts'

/** What is special about the things of one type. A type about which nothing is keeps each body as it was sent. */
export interface Kind {
  /** the fields that are kept, each with its value where a body has none; left out: the body as it was sent */
  readonly fields?: Fields
  /** what a new one has besides */
  readonly fresh?: (call: Call) => Fields
  /** What is stored in the end. Throws a Refusal where that cannot be. `before`: the thing that is changed. */
  readonly settled?: (body: Fields, call: Call, before: Thing | undefined) => Fields
  /** Done once a new one is stored. */
  readonly made?: (thing: Thing, call: Call) => void
  /** Done before one goes. Throws a Refusal where it has to stay. */
  readonly leaving?: (thing: Thing, call: Call) => void
  /** how a read shows it, where that is not as it is stored */
  readonly shown?: (thing: Thing, call: Call) => Fields
  /** what its removal is answered with */
  readonly gone?: (thing: Thing) => Fields
  /** An update leaves what it does not name, whatever its method. */
  readonly merges?: true
  /** under which key the id in a path, or the body of a new one, is kept; left out: under the id */
  readonly keyOf?: (id: string, body?: Fields) => string
  /** the field that shows the id; null: none does */
  readonly idField?: string | null
}

/** The last placeholder of the path: the id of what it names. */
export function idIn({ params }: Call): string {
  return Object.values(params).at(-1) ?? ''
}

/** The thing of a type that has this id and stands where it should. Throws NotFound. */
export function found(call: Call, type: string, id: string, holder?: string, kind: Kind = {}): Thing {
  const thing = things(call.state, type).get(kind.keyOf?.(id) ?? id)
  if (!thing || thing.in !== holder) throw notFound(`there is no ${type} ${id}`)
  return thing
}

/** Stores a new thing. */
export function keep(call: Call, type: string, body: Fields, kind: Kind = {}, holder?: string): Thing {
  const id = call.env.newId()
  const key = kind.keyOf?.(id, body) ?? id
  const thing: Thing = { id: kind.keyOf ? key : id, ...(holder === undefined ? {} : { in: holder }), body }
  things(call.state, type).set(key, thing)
  kind.made?.(thing, call)
  return thing
}

/** The present as records of pipelines show it. */
export function nowOf({ env }: Call): string {
  return new Date(env.now()).toISOString()
}

/** A record as the pipeline operations wrap it. */
export function wrapped(type: string, data: unknown, more: Fields = {}): Answer {
  return ok({ meta: { type, pk: 'id', ...more }, data })
}

/** A thing as reads show it. `place`: the placeholder of what it stands in. */
export function record(thing: Thing, call: Call, kind: Kind, place?: string): Fields {
  const { idField = 'id' } = kind
  return {
    ...(idField === null ? {} : { [idField]: thing.id }),
    ...(place === undefined ? {} : { [place]: thing.in }),
    ...(kind.shown?.(thing, call) ?? thing.body),
  }
}

const ON_ONE = new Set<OperationRow['verb']>(['read', 'update', 'change', 'remove'])

/** What the thing stands in that an operation is about: its placeholder and its type. */
function holderIn(
  verb: OperationRow['verb'],
  path: string,
): { readonly place: string; readonly type: string } | undefined {
  const places = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => name)
  const place = ON_ONE.has(verb) ? places.at(-2) : places.at(-1)
  if (place === undefined) return undefined
  return { place, type: service().resources.find(({ id }) => id === place)?.type ?? '' }
}

/** The operation of a row of the table, as it is for things of every type. Undefined: the row is about something else. */
export function usual(row: OperationRow, method: string, path: string, kind: Kind): Handler | undefined {
  const { verb, resource: type, family, response } = row
  const holder = holderIn(verb, path)
  const heldBy = (call: Call): string | undefined =>
    holder && found(call, holder.type, call.params[holder.place] ?? '').id
  const one = (call: Call): Thing => found(call, type, idIn(call), heldBy(call), kind)
  const told = (data: unknown, more?: Fields): Answer => {
    if (response?.body === 'none') return empty()
    return family === 'v3' ? wrapped(type, data, more) : ok(data)
  }
  const shown = (thing: Thing, call: Call): Answer => told(record(thing, call, kind, holder?.place))
  switch (verb) {
    case 'create':
      return (call) => {
        const at = heldBy(call)
        const now = nowOf(call)
        const times = family === 'v3' ? { created_at: now, updated_at: now } : {}
        const sent = kind.fields ? picked(kind.fields, call.body as Fields, true) : (call.body as Fields)
        const settled = kind.settled?.(sent, call, undefined) ?? sent
        return shown(keep(call, type, { ...settled, ...kind.fresh?.(call), ...times }, kind, at), call)
      }
    case 'read':
      return (call) => shown(one(call), call)
    case 'list':
      return (call) => {
        const all = within(call.state, type, heldBy(call))
        const data = all.map((thing) => record(thing, call, kind, holder?.place))
        return told(data, { page: { total: data.length, limit: data.length, offset: 0 } })
      }
    case 'update':
    case 'change':
      return (call) => {
        const thing = one(call)
        const leaves = kind.merges || method === 'PATCH'
        const sent = kind.fields
          ? { ...thing.body, ...picked(kind.fields, call.body as Fields, !leaves) }
          : (call.body as Fields)
        const times = family === 'v3' ? { updated_at: nowOf(call) } : {}
        thing.body = { ...(kind.settled?.(sent, call, thing) ?? sent), ...times }
        return shown(thing, call)
      }
    case 'remove':
      return (call) => {
        const thing = one(call)
        kind.leaving?.(thing, call)
        things(call.state, type).delete(kind.keyOf?.(thing.id) ?? thing.id)
        for (const kept of call.state.things.values()) {
          for (const [key, part] of kept) if (part.in === thing.id) kept.delete(key)
        }
        if (family === 'v3') return told({ id: thing.id, deleted: true })
        return told(kind.gone?.(thing) ?? { message: `${type} ${thing.id} was deleted`, deleted: true })
      }
    default:
      return undefined
  }
}

/** The fields of a body that are kept. `whole`: those that it does not have get their usual value. */
function picked(fields: Fields, body: Fields, whole: boolean): Fields {
  const names = Object.keys(fields).filter((name) => whole || body[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, body[name] ?? fields[name]]))
}
