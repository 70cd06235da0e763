import { isDeepStrictEqual } from 'node:util'
import { isTelling } from '../../fixtures/redact/words.ts'
import { at, pointerSegment } from '../../schemas/pointer.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

/** A value that holds no others, and where it stands. */
export interface Leaf {
  readonly pointer: string
  /** of the field that holds it, or of the list that it is an element of */
  readonly name: string
  readonly value: unknown
}

export type Fields = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

const MOST_LEAVES = 5_000

/** The leaves of a JSON value, in the order in which they stand; of a long list only its beginning and its end. */
export function leavesOf(value: unknown): Leaf[] {
  const found: Leaf[] = []
  for (const node of nodesOf(value, true)) {
    if (found.length >= MOST_LEAVES) break
    if (isLeaf(node)) found.push(node)
  }
  return found
}

function isLeaf({ value }: Leaf): boolean {
  return !Array.isArray(value) && !isRecord(value)
}

/** A value and all that it holds, each before its own; elements of lists only with `isWithin`. */
function* nodesOf(value: unknown, isWithin: boolean, pointer = '', name = ''): Generator<Leaf> {
  yield { pointer, name, value }
  if (Array.isArray(value)) {
    for (const [index, element] of isWithin ? value.entries() : [])
      if (value.length < 200 || index < 100 || index >= value.length - 100)
        yield* nodesOf(element, isWithin, `${pointer}/${index}`, name)
  } else if (isRecord(value))
    for (const [field, inner] of Object.entries(value))
      yield* nodesOf(inner, isWithin, `${pointer}/${pointerSegment(field)}`, field)
}

/** Whether a pointer leads into a list. */
export function isInList(pointer: string): boolean {
  return /\/\d+(\/|$)/.test(pointer)
}

/** The leaf whose name is the likeliest for a field of ours. */
export function leafNamed(leaves: readonly Leaf[], ours: string): Leaf | undefined {
  const found = nameAmong(
    ours,
    leaves.map(({ name }) => name),
  )
  return leaves.find(({ name }) => name === found)
}

/** A number that each change of a node raises; it is none of the node's other numbers, so the most telling name is taken. */
export function generationIn(leaves: readonly Leaf[]): Leaf | undefined {
  return leafNamed(
    leaves.filter(({ value }) => typeof value === 'number' || value === null),
    'generation',
  )
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/** Whether a leaf holds what was sent, a number and its text being one. */
export function isSame(value: unknown, sent: unknown): boolean {
  const isPlain = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number'
  return value === sent || (isPlain(value) && isPlain(sent) && String(value) === String(sent))
}

/**
 * Values of an answer that may be the id of the new resource, the likeliest first. The name of the field and the form
 * of the value decide. What stands under a name that was sent, or was sent under another one, is none of them.
 */
export function idsIn(answer: unknown, body: unknown, nouns: readonly string[] = [], least = 0): Leaf[] {
  const sent = leavesOf(body)
  const names = new Set(sent.map(({ name }) => name))
  const values = new Set(sent.map(({ value }) => String(value)))
  const scored = leavesOf(answer).flatMap((leaf) => {
    const { value, name, pointer } = leaf
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const text = String(value)
    if (text === '' || text.length > 128 || /[\s/<>]/.test(text)) return []
    // A record's own number may be that of another record, which was sent.
    if (values.has(text) && (names.has(name) || !namesFor('id').includes(plain(name)))) return []
    const score = idScore(name, text, nouns) - pointer.split('/').length * 0.1
    return score > least ? [{ leaf, score }] : []
  })
  return scored.sort((a, b) => b.score - a.score).map(({ leaf }) => leaf)
}

/** Whether a field may hold the id of a kind of resource: the secret of a key is none. */
export function mayBeId(name: string, type: string): boolean {
  return !isTelling(name) || (name === 'key' && !type.includes('key'))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIME = /^\d{4}-\d\d-\d\d|^1\d{9}(\d{3})?$/

function idScore(name: string, text: string, nouns: readonly string[]): number {
  const word = plain(name)
  const own = nouns.map((noun) => (noun === 'email' ? noun : `${plain(noun)}id`))
  if (own.includes(word)) return 10
  const place = namesFor('id').indexOf(word)
  if (place === 0) return 9
  // An alert may name its preset alert beside its own id.
  if (own.some((name) => word.endsWith(name))) return 8.9
  if (place > 0) return 9 - place * 0.3
  if (/(time|date|at|count|total|status|type)$/.test(word) || TIME.test(text)) return 0
  if (UUID.test(text)) return 5
  if (word.endsWith('id')) return 4
  return /\d/.test(text) ? 2 : 1
}

/** Where an answer holds a value. */
export function placesOf(answer: unknown, value: unknown): Leaf[] {
  return leavesOf(answer).filter((leaf) => isSame(leaf.value, value))
}

/** The pointer of the record with this id, and of the id: the record is the object that holds it. */
export function recordIn(answer: unknown, id: string): { record: string; id: string } | undefined {
  const ranked = placesOf(answer, id).filter(({ pointer }) => isRecord(at(answer, parentOf(pointer))))
  const best = ranked.sort((a, b) => rank(a) - rank(b))[0]
  return best && { record: parentOf(best.pointer), id: best.pointer }
}

function rank({ name, pointer }: Leaf): number {
  const place = namesFor('id').indexOf(plain(name))
  return (place < 0 ? (plain(name).endsWith('id') ? 20 : 30) : place) + pointer.split('/').length
}

/** Whether a text is a date: one that ends a token is none itself. */
export function isTime(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value)
}

/** A state between two others: lines are still taken in. */
const PENDING = /pending|wait|confirm|request|first/i
const STOPS = /suspen|pause|stop|halt/
const RUNS = /ingest|running|accept/

/**
 * Where a response says whether lines are taken in. It does so by a word, or by a flag whose name or path says which of
 * both it means. `busy`: its value while lines are taken in.
 */
export function statusIn(
  answer: unknown,
  path: string,
): { readonly place: 'ingesting' | 'suspended'; readonly pointer: string; readonly busy?: boolean } | undefined {
  // A flag tells it more surely than a word, which may be about something else.
  const flagsFirst = leavesOf(answer).sort(
    (a, b) => Number(typeof b.value === 'boolean') - Number(typeof a.value === 'boolean'),
  )
  for (const { name, value, pointer } of flagsFirst) {
    const word = plain(name)
    const isState = /^(state|status|mode)$/.test(word) && typeof value === 'string'
    if (isState && /^(running|active|enabled|ingesting|accepting|open)$/i.test(value))
      return { place: 'ingesting', pointer: `${pointer}=${value}` }
    if (isState && STOPS.test(value.toLowerCase()) && !PENDING.test(value))
      return { place: 'suspended', pointer: `${pointer}=${value}` }
    if (typeof value !== 'boolean') continue
    const isAbout = STOPS.test(parentOf(pointer) + path.slice(path.lastIndexOf('/')))
    if (STOPS.test(word) || (/active|enabled/.test(word) && isAbout))
      return { place: 'suspended', pointer, busy: false }
    if (RUNS.test(word) || /active|enabled/.test(word)) return { place: 'ingesting', pointer, busy: true }
  }
  return undefined
}

/** Lists that stand beside what was asked for. */
const ASIDE = /^(error|problem|warning|notice|message|link|include|included|facet|aggregation)s?$/i

/** The pointers of the lists of an answer: what was asked for before what stands beside it, then the outermost first. */
export function listsIn(answer: unknown): string[] {
  const lists = [...nodesOf(answer, false)].filter(
    ({ value, pointer }) =>
      Array.isArray(value) && (value.length === 0 || value.some(isRecord)) && depthOf(pointer) <= DEEPEST_LIST,
  )
  const rank = ({ pointer, name }: Leaf): number => Number(ASIDE.test(name)) * 100 + depthOf(pointer)
  return lists.sort((a, b) => rank(a) - rank(b)).map(({ pointer }) => pointer)
}

const DEEPEST_LIST = 5
const DEEPEST_FIELD = 4

function depthOf(pointer: string): number {
  return pointer.split('/').length - 1
}

/** The records of a list of an answer. */
export function recordsAt(answer: unknown, list: string): Fields[] {
  const elements = at(answer, list)
  return Array.isArray(elements) ? elements.filter(isRecord) : []
}

/** The list of an answer that holds an element with this value, that element, and the field of it that has the value. */
export function listWith(answer: unknown, value: string): { list: string; element: Fields; field: string } | undefined {
  for (const list of listsIn(answer)) {
    for (const element of recordsAt(answer, list)) {
      const [place] = placesOf(element, value).sort((a, b) => rank(a) - rank(b))
      if (place) return { list, element, field: place.pointer.slice(1) }
    }
  }
  return undefined
}

/**
 * The target's names of the fields that were sent, as far as its record shows them under another name. They are found by
 * their values, in a document by names. Maps our name to its name, or to a pointer into the record.
 */
export function fieldsIn(record: unknown, sent: Fields, byName = false): Record<string, string> {
  if (!isRecord(record)) return {}
  const all = Object.entries(sent)
  const inner = [...nodesOf(record, false)].slice(1)
  const names: Record<string, string> = {}
  for (const [ours, value] of all) {
    if (record[ours] !== undefined) continue
    // Flags and empty values tell nothing but by their names.
    const isNamed = byName || isEmpty(value)
    const unique = !isNamed && all.filter(([, other]) => isDeepStrictEqual(other, value)).length === 1
    const holds = (one: Leaf): boolean => depthOf(one.pointer) <= DEEPEST_FIELD && isAlike(one.value, value)
    const places = inner.filter(isNamed ? isLeaf : holds)
    const place = (leafNamed(places, ours) ?? (unique ? places[0] : undefined))?.pointer
    if (place === undefined) continue
    names[ours] = place.lastIndexOf('/') === 0 ? place.slice(1) : place
  }
  return names
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'boolean' || isAlike(value, {}) || isAlike(value, [])
}

function isAlike(one: unknown, other: unknown): boolean {
  return isSame(one, other) || isDeepStrictEqual(one, other)
}
