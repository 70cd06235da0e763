import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { oncePer } from '../../schemas/once.ts'
import { at } from '../../schemas/pointer.ts'
import { lastInPath } from '../../schemas/url.ts'
import { isRecord } from './request-rules.ts'
import { isNeedless } from './shown-fields.ts'
import { askedFor, type ExchangeView, jsonOf, toldAs } from './view.ts'

/**
 * Where an operation's answer holds the record that it read; undefined where the binding does not say. Fields that the
 * binding calls otherwise have our names, too.
 */
export function recordIn(view: ExchangeView): Record<string, unknown> | undefined {
  const record = toldAs(view, 'record')
  return isRecord(record) ? renamed(record, view.operation) : undefined
}

/**
 * Whether an accepted read shows the thing that it was asked for. With which status a read says that something is not there
 * is not stated: it may be one of success, with nothing in the answer. Undefined where the answer does not tell.
 */
export function showsThing(view: ExchangeView, id: string, key: string): boolean | undefined {
  if (view.response.kind === 'none') return false
  if (view.response.kind !== 'json') return undefined
  const record = recordIn(view) ?? at(view.response.value, view.operation?.answer.record ?? '')
  if (record === undefined || record === null || isEmpty(record)) return false
  const told = isRecord(record) ? record[key] : undefined
  return told === undefined || told === null ? undefined : String(told).toLowerCase() === id.toLowerCase()
}

/** Whether a read shows the thing that it asks for, whatever it was answered with; undefined: it says neither. */
export function isThere(view: ExchangeView, id: string, key: string): boolean | undefined {
  if (view.status === 404 || view.status === 410) return isAskedRightly(view) ? false : undefined
  return view.accepted ? showsThing(view, id, key) : undefined
}

/** Whoever asks with other credentials than the right ones may be told that there is nothing. Of traffic nobody knows which are. */
function isAskedRightly({ exchange, credentials, intent }: ExchangeView): boolean {
  if (exchange._case === undefined) return true
  return credentials.every(({ state }) => state === 'configured') && (credentials.length > 0 || intent?.kind !== 'auth')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** The elements of a list answer; undefined where the binding does not say where they are. */
export function listIn(view: ExchangeView): readonly Record<string, unknown>[] | undefined {
  const list = toldAs(view, 'list')
  if (!Array.isArray(list)) return undefined
  const own = list.filter(isRecord).map((element) => renamed(element, view.operation))
  return view.earlier ? [...view.earlier, ...own] : own
}

/** What asks for the page after this one, as its parameter takes it; undefined: the list ends here, or comes as a whole. */
export function nextPageOf(view: ExchangeView): string | undefined {
  const { pages, answer } = view.operation ?? {}
  if (!pages || !view.accepted) return undefined
  const { parameter, next, by = 'page', first = 1, size = 1 } = pages
  if (next !== undefined) return nextIn(view, next, parameter)
  const list = at(jsonOf(view.response), answer?.list ?? '')
  if (!Array.isArray(list) || list.length < size) return undefined
  const now = Number(askedFor(view, parameter) ?? (by === 'page' ? first : 0))
  return String(now + (by === 'page' ? 1 : list.length))
}

function nextIn(view: ExchangeView, place: string, parameter: string): string | undefined {
  const name = fieldNamed(place)
  const field = name === undefined ? undefined : headerIn(view, name)
  const told = name === undefined ? at(jsonOf(view.response), place) : (LINK.exec(field ?? '')?.[1] ?? field)
  if (typeof told === 'number') return String(told)
  if (typeof told !== 'string' || told === '') return undefined
  const query = told.indexOf('?')
  return query < 0 ? told : (new URLSearchParams(told.slice(query)).get(parameter) ?? undefined)
}

/** The address of the next page in a header field of RFC 8288. */
const LINK = /<([^>]*)>\s*;[^,]*\brel="?next\b/i

/** Whether an answer is one of the pages that the binding speaks of. */
function isPage(view: ExchangeView): boolean {
  const { pages } = view.operation ?? {}
  return pages !== undefined && (askedFor(view, pages.parameter) !== undefined || nextPageOf(view) !== undefined)
}

/** Whether a status says that lines are taken in; undefined where the answer or the binding does not tell. */
export function takesLines(view: ExchangeView): boolean | undefined {
  const { ingesting, suspended } = view.operation?.answer ?? {}
  const pointer = suspended ?? ingesting
  if (pointer === undefined || !view.accepted) return undefined
  // A status may be a word: `/state=running`.
  const [place = '', word] = pointer.split('=')
  const shown = at(jsonOf(view.response), place)
  const told = word !== undefined && typeof shown === 'string' ? shown === word : shown
  if (typeof told !== 'boolean') return undefined
  return suspended === undefined ? told : !told
}

/** What a status says where the binding knows the one word that stands for ingestion that runs; undefined: it knows more. */
export function wordIn({ operation, response }: ExchangeView): string | undefined {
  const { ingesting = '', suspended } = operation?.answer ?? {}
  const [place = '', word] = ingesting.split('=')
  const told = suspended === undefined && word !== undefined ? at(jsonOf(response), place) : undefined
  return typeof told === 'string' ? told : undefined
}

/** Adds each field under our name that stands under another one, or deeper, in the target's record. */
export function renamed(
  record: Record<string, unknown>,
  operation: TargetOperation | undefined,
): Record<string, unknown> {
  const others = operation ? otherNames(operation) : []
  if (others.length === 0) return record
  const copy = { ...record }
  for (const [ours, theirs] of others) {
    const value = theirs.startsWith('/') ? at(record, theirs) : record[theirs]
    if (value !== undefined) copy[ours] = value
  }
  return copy
}

/** The fields that the target calls otherwise. */
const otherNames = oncePer(({ fields }: TargetOperation) =>
  Object.entries(fields).filter(([ours, theirs]) => ours !== theirs),
)

/** The id of the resource of `type` that a request is about, from the placeholder in its path. */
export function idIn(view: ExchangeView, binding: Binding, type: string): string | undefined {
  const placeholder = binding.resources.get(type)?.id
  return view.params[placeholder ?? ''] ?? view.params.id
}

/** The id of what a request made, from its answer; undefined where the binding does not say where it is. */
export function madeIn(view: ExchangeView): string | undefined {
  const id = toldId(view)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** The same as the answer has it: it may be a number. */
export function toldId(view: ExchangeView): unknown {
  const pointer = view.operation?.answer.id
  if (pointer === undefined || !view.accepted) return undefined
  const name = fieldNamed(pointer)
  return name === undefined ? at(jsonOf(view.response), pointer) : lastInPath(headerIn(view, name))
}

/** The header field that stands in place of a pointer into the body, in small letters. */
export function fieldNamed(place: string): string | undefined {
  return place.startsWith('header:') ? place.slice('header:'.length).toLowerCase() : undefined
}

function headerIn({ responseHeaders }: ExchangeView, name: string): string | undefined {
  return responseHeaders.find((field) => field.name.toLowerCase() === name)?.value
}

/** The id of what a request made: from its answer, or from the request where the name that it gives is the id. */
export function madeBy(view: ExchangeView, binding: Binding, type: string): string | undefined {
  const { key, label } = binding.resources.get(type) ?? {}
  const told = madeIn(view)
  if (told !== undefined || !view.accepted || key === undefined || key !== label) return told
  const named = at(jsonOf(view.request), `/${key}`)
  return typeof named === 'string' ? named : undefined
}

/** The parents in the path of a request: they distinguish resources of one kind. */
export function scopeOf(view: ExchangeView, binding: Binding, type: string): string {
  return scopeIn(view, binding.resources.get(type)?.id ?? 'id')
}

/** The scope of what the thing holds that the path of a request names. */
export function scopeWithin(view: ExchangeView): string {
  return scopeIn(view, undefined)
}

/** `own`: placeholder of the thing itself, which may be called `id` as well; undefined: everything that is named counts. */
function scopeIn({ params }: ExchangeView, own: string | undefined): string {
  let scope = ''
  let parents: [string, string][] | undefined
  for (const name in params) {
    if (own !== undefined && (name === own || name === 'id')) continue
    const value = params[name] ?? ''
    if (scope === '') scope = `${name} ${value}`
    else parents = [...(parents ?? [splitOnce(scope)]), [name, value]]
  }
  return parents ? JSON.stringify(parents.sort(([a], [b]) => (a < b ? -1 : 1))) : scope
}

function splitOnce(scope: string): [string, string] {
  const space = scope.indexOf(' ')
  return [scope.slice(0, space), scope.slice(space + 1)]
}

/**
 * Whether what a list does not hold is not there. A run asks for lists as its binding says; others may ask for a part, or
 * get the first page of many.
 */
function isWholeList(view: ExchangeView, list: readonly unknown[]): boolean {
  if (isPage(view)) return false
  if (view.exchange._case !== undefined) return true
  if (view.exchange.request.queryString.some(({ name }) => !(name in (view.operation?.query ?? {})))) return false
  return !mayGoOn(view, list.length)
}

/** The same where something is missed: that a list comes in one answer is stated of enterprise keys alone. */
export function isSurelyWhole(view: ExchangeView, list: readonly unknown[]): boolean {
  if (view.exchange._case === undefined) return isWholeList(view, list)
  // Operation rule 15: it returns every key.
  if (view.operation?.type === 'enterprise-key') return true
  if (isPage(view)) return false
  // A page of so few is one from which some were taken out: then the list says where it goes on. A number may count others.
  return list.length < SMALLEST_PAGE ? !hasNext(view) : !mayGoOn(view, list.length)
}

/** Whether a list may be the first page of many: it says that it goes on, or has as many elements as pages have. */
export function mayGoOn(view: ExchangeView, length: number): boolean {
  return mayBePage(length) || goesOn(view, length)
}

/**
 * A name as lists are searched for it. Other names than those of a run may lose blanks at their ends, and keep marks on
 * letters in another form: the text promises nothing.
 */
export function listedName(name: unknown, { exchange }: ExchangeView): unknown {
  return exchange._case === undefined && typeof name === 'string' ? name.trim().normalize('NFC') : name
}

/** The pipeline whose state variables a request is about: in the query, in the path or in the body. */
export function pipelineOfState(view: ExchangeView): string | undefined {
  const asked = askedFor(view, 'pipeline_id') ?? view.params.pipeline_id
  if (asked !== undefined) return asked
  const sent = at(jsonOf(view.request), '/pipeline_id')
  return typeof sent === 'string' ? sent : undefined
}

/** The operation that reads one resource of a type, or lists them, under the binding. */
export function readerOf(binding: Binding, type: string, way: 'read' | 'list'): string | undefined {
  return binding.resources.get(type)?.[way]
}

const NONE_OPEN = (): boolean => false

const MOST_EDGES = 1_000
const edges = new Map<string, string>()

/** How a judgement about one field names it: the same few fields are named again and again. */
export function fieldEdge(name: string): string {
  const known = edges.get(name)
  if (known !== undefined) return known
  const edge = `field ${name}`
  if (edges.size < MOST_EDGES) edges.set(name, edge)
  return edge
}

/**
 * Whether a read carries the sent values. Objects may have further fields, and leave out those that say nothing. Lists
 * of ids may be in another order. `open`: names of fields within objects whose values need not be shown.
 */
export function carries(read: unknown, sent: unknown, open: (name: string) => boolean = NONE_OPEN): boolean {
  // How a record shows that there is nothing is open.
  if (read === null && isNeedless(sent)) return true
  if (Array.isArray(sent)) {
    if (!Array.isArray(read) || read.length !== sent.length) return false
    if (sent.every((element) => typeof element === 'string')) {
      const sorted = read.map(asId).sort()
      return sent
        .map(asId)
        .sort()
        .every((element, index) => element === sorted[index])
    }
    return sent.every((element, index) => carries(read[index], element, open))
  }
  if (isRecord(sent)) {
    return (
      isRecord(read) &&
      Object.entries(sent).every(
        ([name, value]) =>
          open(name) || (read[name] === undefined && isNeedless(value)) || carries(read[name], value, open),
      )
    )
  }
  return read === sent || asId(read) === asId(sent)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A UUID is the same in either letter case. */
function asId(value: unknown): unknown {
  return typeof value === 'string' && value.length === 36 && UUID.test(value) ? value.toLowerCase() : value
}

/**
 * Whether a read need not show a reference that was sent, since in traffic the thing that it names may have been removed.
 * Null then stands in place of its id, and those behind a removed node may be disconnected.
 */
export function mayBeDisconnected(name: string, view: ExchangeView, read: unknown, sent: unknown): boolean {
  if (view.exchange._case !== undefined) return false
  if (read === null && /(?<!generation_?)id$/i.test(name)) return true
  if (name !== 'inputs' || !Array.isArray(sent)) return false
  return !Array.isArray(read) || sent.some((id) => !read.includes(id))
}

/** Client errors that speak of who asks, of how it is asked or of the moment, and not of what is there. */
const OF_THE_REQUEST = new Set([401, 403, 405, 406, 407, 408, 411, 413, 414, 415, 426, 429, 431])

/** Words of an error, as a code or in a sentence, which say that there is nothing. */
const NONE =
  /not[\s_-]*(?:been[\s_-]*)?(?:found|configured|set[\s_-]*up)|do(?:es)?(?:n't|[\s_-]*not)[\s_-]*exist|\bno[\s_-]*(?:such|archiving)\b/i

/** Longer answers are pages for people. Characters. */
const LONGEST = 2_000

/**
 * Whether a read was refused since there is nothing to read: by a status that says so, or by another client error whose
 * words do. Which status is not stated.
 */
export function isNotFound(view: ExchangeView): boolean {
  const { status, conclusive, response } = view
  if (!isAskedRightly(view)) return false
  if (status === 404 || status === 410) return true
  if (!conclusive || status < 400 || status >= 500 || OF_THE_REQUEST.has(status)) return false
  const text =
    response.kind === 'json' ? JSON.stringify(response.value) : response.kind === 'other' ? response.text : ''
  return text.length <= LONGEST && NONE.test(text)
}

const NEXT = /^(?:next|next_?(?:page|token|cursor|link|url)|cursor|pagination_id|continuation_?token)$/i
const MORE = /^(?:has_?(?:more|next)|truncated|incomplete)$/i
const TOTAL = /^(?:total|total_?(?:count|items|elements|records)|count)$/i
/** Where lists say how they go on, beside their elements: no deeper than `meta.page.next`. */
const DEEPEST = 3

/** Whether a list says itself where it goes on, by any of the usual words. */
function hasNext(view: ExchangeView): boolean {
  // No list has so many elements that a number of them says more.
  return goesOn(view, Number.POSITIVE_INFINITY)
}

/** Whether a list says itself that it is not all, by any of the usual words. `length`: elements that it has. */
function goesOn(view: ExchangeView, length: number): boolean {
  for (const { name, value } of view.responseHeaders) {
    const lower = name.toLowerCase()
    if (lower === 'link' && /;\s*rel="?next\b/i.test(value)) return true
    if (lower === 'x-total-count' && Number(value) > length) return true
    if (lower === 'content-range' && Number(/\/(\d+)$/.exec(value)?.[1]) > length) return true
  }
  return says(jsonOf(view.response), length, DEEPEST)
}

function says(value: unknown, length: number, depth: number): boolean {
  if (!isRecord(value) || depth === 0) return false
  return Object.entries(value).some(([name, inner]) => {
    if (isRecord(inner)) return (NEXT.test(name) && Object.keys(inner).length > 0) || says(inner, length, depth - 1)
    if (NEXT.test(name)) return inner !== null && inner !== '' && inner !== false
    if (MORE.test(name)) return inner === true
    return TOTAL.test(name) && typeof inner === 'number' && inner > length
  })
}

/** Less than this is no page of something longer, whatever it holds. */
const SMALLEST_PAGE = 10
/** Numbers of elements that pages have are multiples of these. */
const ROUND = [5, 12] as const

/** Whether an answer of so many elements may be the first part of a longer one: the text does not limit an answer. */
export function mayBePage(length: number): boolean {
  if (length < SMALLEST_PAGE) return false
  // A power of two has one bit.
  return ROUND.some((number) => length % number === 0) || (length & (length - 1)) === 0
}
