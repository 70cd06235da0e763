import { isDeepStrictEqual } from 'node:util'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { addBounded, setBounded } from '../../schemas/bounded.ts'
import { namesIn } from '../../schemas/json.ts'
import { at } from '../../schemas/pointer.ts'
import { idIn, isThere, listIn, madeBy, mayGoOn, pipelineOfState, recordIn } from '../core/reads.ts'
import { isRecord } from '../core/request-rules.ts'
import { isSecretName } from '../core/resembles.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import type { Part } from './part.ts'

/** What a request is about: a thing, or one part of it that has a request of its own. */
export interface Subject {
  readonly type: string
  readonly id: string
  /** ids of what holds it */
  readonly holders: readonly string[]
}

/** What a thing showed when it was read. */
export interface Sight {
  readonly subject: Subject
  readonly view: ExchangeView
  readonly there: boolean
  /** the fields that clients choose, and what the binding tells of it beside them */
  readonly values: Readonly<Record<string, unknown>>
}

/** A request that may have changed something. */
export interface Change {
  readonly exchange: string
  /** undefined: it was refused, or nobody knows it */
  readonly operation: string | undefined
  /** of what it was about */
  readonly type: string | undefined
  readonly at: number
}

/** What the things of one case showed last, and what was sent since. */
export class Sights {
  readonly sights: Map<string, Sight> = new Map()
  /** what a change named -> when it did so last */
  readonly named: Map<string, number> = new Map()
  /** id -> when it was removed */
  readonly removed: Map<string, number> = new Map()
  readonly changes: Change[] = []
  /** type and id of what the case has made: a number may be the id of things of several types */
  readonly made: Set<string> = new Set()
  /** type -> the fields that requests have sent */
  readonly sent: Map<string, Set<string>> = new Map()
}

const MOST = 1_000
const MOST_NAMED = 10_000

export const sightsPart: Part<Sights> = {
  name: 'what was shown last',
  bound: 1_000,
  intended: true,
  key: ({ exchange, operation, intent }) => (operation === undefined || !intent ? undefined : exchange._case),
  init: () => new Sights(),
  learn(known, view, oracle) {
    if (view.operation?.effect !== 'read') return learnChange(known, view, oracle.binding)
    for (const sight of sightsOf(view, known, oracle))
      if (view.exchange._start - newest(known.named, sight) >= oracle.settleMs)
        setBounded(known.sights, keyOf(sight.subject), sight, MOST, MOST)
  },
}

/** A refused change names things as well: other rules judge whether it was carried out. */
function learnChange(known: Sights, view: ExchangeView, binding: Binding): void {
  const { exchange, operation } = view
  const when = exchange._end
  const body = jsonOf(view.request)
  const { type, makes, removes, subject, within } = aboutOf(view, binding)
  if (type !== undefined && isRecord(body) && !leftAlone(view)) {
    const names = known.sent.get(type) ?? new Set()
    for (const name of Object.keys(body)) if (names.size < MOST) names.add(name)
    known.sent.set(type, names)
  }
  const done = leftAlone(view) ? undefined : operation?.id
  known.changes.push({ exchange: view.id, operation: done, type: subject?.type ?? type, at: when })
  if (known.changes.length > MOST) known.changes.shift()
  const others = namesIn(body).filter((text) => text !== subject?.id)
  const names = [...others.map(alone), ...(makes || removes ? within.slice(-1).map(heldBy) : [])]
  if (subject) names.push(isPart(subject) ? keyOf(subject) : subject.id)
  const id = makes && type !== undefined ? madeBy(view, binding, type) : undefined
  if (id !== undefined) addBounded(known.made, `${type} ${id}`, MOST)
  for (const name of names) setBounded(known.named, name, when, MOST_NAMED, MOST_NAMED)
  if (subject && removes) setBounded(known.removed, subject.id, when, MOST_NAMED, MOST_NAMED)
}

/** Stands for a thing without what it holds. */
function alone(id: string): string {
  return `alone ${id}`
}

/** Stands for the things that one holds: a new one may change what is told of it. */
function heldBy(id: string): string {
  return `held by ${id}`
}

const STATE = 'state'
const STATUS = 'status'
const STATUS_FIELD = 'processing_status'

/** A part of a pipeline with a request of its own. */
function isPart({ type }: Subject): boolean {
  return type === STATE || type === STATUS
}

export function keyOf({ type, id, holders }: Subject): string {
  return `${type} ${holders.join(' ')} ${id}`
}

/** When one of the things last was named that a thing is, stands in or refers to. */
function newest(times: ReadonlyMap<string, number>, { subject, values }: Sight): number {
  const own = isPart(subject) ? [keyOf(subject)] : [alone(subject.id), heldBy(subject.id)]
  const names = [...own, subject.id, ...subject.holders, ...namesIn(values)]
  return names.reduce((last, name) => Math.max(last, times.get(name) ?? 0), 0)
}

/** Whether a thing is rightly gone, or may hold other values, since it was seen. */
export function isNamedSince(
  { named, removed }: Sights,
  before: Sight,
): { readonly gone: boolean; readonly changed: boolean } {
  const seen = before.view.exchange._start
  return { gone: newest(removed, before) > seen, changed: newest(named, before) > seen }
}

/** What a read shows of one thing and its parts, or a list of things that nothing else shows. */
export function sightsOf(view: ExchangeView, known: Sights, { binding }: Oracle): readonly Sight[] {
  const { type = '', subject, within } = aboutOf(view, binding)
  const { key = 'id', read, list } = binding.resources.get(type) ?? {}
  if (type === STATE) {
    const state = view.accepted ? recordIn(view) : undefined
    return subject && state ? [{ subject, view, there: true, values: state }] : []
  }
  if (view.operation?.id === list && read === undefined) return listed(view, known, type, key, within)
  if (!subject || view.operation?.id !== read) return []
  const there = isThere(view, subject.id, key) ?? (view.accepted && recordIn(view) !== undefined ? true : undefined)
  if (there === undefined) return []
  const { [STATUS_FIELD]: status, ...values } = there ? valuesIn(view, recordIn(view), known.sent.get(type)) : {}
  const part = { type: STATUS, id: subject.id, holders: [subject.id] }
  const parts = status === undefined ? [] : [{ subject: part, view, there, values: { [STATUS_FIELD]: status } }]
  return [{ subject, view, there, values }, ...parts]
}

/** The things of the case that a list shows, and those that it would have to show. */
function listed(view: ExchangeView, known: Sights, type: string, key: string, holders: readonly string[]): Sight[] {
  const elements = view.accepted ? listIn(view) : undefined
  if (!elements) return []
  const shown = new Map(elements.map((element) => [String(element[key]), element]))
  return [...known.made].flatMap((made): Sight[] => {
    if (!made.startsWith(`${type} `)) return []
    const id = made.slice(type.length + 1)
    const subject = { type, id, holders }
    const element = shown.get(id)
    const misses = !element && known.sights.has(keyOf(subject)) && !mayGoOn(view, elements.length)
    if (!element && !misses) return []
    return [{ subject, view, there: !misses, values: valuesIn(view, element, known.sent.get(type)) }]
  })
}

/** What a binding tells of a thing that no field of its own may show. */
const TOLD = [STATUS_FIELD, 'signing_keys', 'transforms', 'revision']
/** It counts updates. */
const COUNTED = 'generation_id'

function valuesIn(
  view: ExchangeView,
  record: Readonly<Record<string, unknown>> | undefined,
  sent: ReadonlySet<string> | undefined,
): Record<string, unknown> {
  const { answer = {} } = view.operation ?? {}
  const told = TOLD.flatMap((name) =>
    answer[name] === undefined ? [] : [[name, at(jsonOf(view.response), answer[name])] as const],
  )
  // A field that the binding names as one of these is told already.
  const isTold = (name: string): boolean => TOLD.some((place) => answer[place]?.split('/').at(-1) === name)
  const fields = Object.entries(record ?? {}).filter(
    ([name]) => sent?.has(name) && name !== COUNTED && !isSecretName(name) && !isTold(name),
  )
  return Object.fromEntries([...told, ...fields])
}

/** The name of the first of a thing's values that differs. */
export function differing(before: Sight, after: Sight): string | undefined {
  return Object.keys(before.values).find((name) => !isDeepStrictEqual(before.values[name], after.values[name]))
}

/** Requests that may have changed something between two others. */
export function changesBetween({ changes }: Sights, before: ExchangeView, after: ExchangeView): readonly Change[] {
  return changes.filter(({ at: end }) => end > before.exchange._start && end <= after.exchange._end)
}

interface About {
  /** of what it makes, or else is about */
  readonly type: string | undefined
  readonly makes: boolean
  readonly removes: boolean
  readonly subject: Subject | undefined
  /** ids of what holds it, by its path */
  readonly within: readonly string[]
}

const PLACEHOLDER = /\{(\w+)\}/g

/** What a request is about: what its path names last. */
function aboutOf(view: ExchangeView, binding: Binding): About {
  const { operation, params } = view
  const nothing: About = { type: undefined, makes: false, removes: false, subject: undefined, within: [] }
  if (!operation) return nothing
  if (operation.type === 'state-variables') {
    const id = pipelineOfState(view)
    return id === undefined ? nothing : { ...nothing, type: STATE, subject: { type: STATE, id, holders: [id] } }
  }
  const named = [...operation.path.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  const type = ownerOf(operation, named.at(-1), binding)
  if (type === undefined) return nothing
  const makes = operation.verb === 'create'
  const id = makes ? undefined : idIn(view, binding, type)
  const within = named.flatMap((name) => (params[name] === undefined || params[name] === id ? [] : [params[name]]))
  const isStatus = operation.type === 'processing-status'
  const subject =
    id === undefined ? undefined : { type: isStatus ? STATUS : type, id, holders: isStatus ? [id] : within }
  return { type, makes, removes: operation.verb === 'remove', subject, within }
}

/** What is done to a part of a thing that no request makes by itself is done to the thing that the path names last. */
function ownerOf({ type }: TargetOperation, last: string | undefined, { resources }: Binding): string | undefined {
  return type !== undefined && resources.has(type) ? type : [...resources].find(([, { id }]) => id === last)?.[0]
}
