import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, given } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import { fillPath, namesInPath } from '../../schemas/matcher.ts'
import { fillTemplate, placeholders } from '../../schemas/template.ts'
import type { Sink } from '../../schemas/types/config.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer, Client, Ledger } from './client.ts'
import type { SeenRoute, Source } from './exchanges.ts'
import type { FoundAnswer, Sure } from './found.ts'
import { type Fields, isRecord, leavesOf } from './places.ts'
import { withOurNames } from './routes.ts'
import { kindOf, operationOf, shipped } from './shipped.ts'
import { waysOf as wordedWays } from './vocabulary.ts'

/** What a search has at hand, and what it has found so far. */
export interface Search {
  readonly client: Client
  readonly ledger: Ledger
  /** what a document says of the target: tried before all else */
  readonly documented: Source
  readonly sink: Sink
  /** what the user agreed to */
  readonly agreed: Readonly<Record<'modify' | 'exclusions' | 'suspend' | 'archiving', boolean>>
  /** good exchanges, by operation */
  readonly hits: Map<string, SeenRoute>
  readonly answers: Map<string, FoundAnswer>
  readonly open: Map<string, string>
  /** operations that were looked for -> whether any answer speaks for them */
  readonly tried: Map<string, boolean>
  /** placeholder -> id of what was made, or found */
  readonly ids: Record<string, string>
  /** placeholder -> whether the target writes its id as a number */
  readonly numbers: Map<string, boolean>
  /** when it began, in milliseconds: lines that are sent are of this time */
  readonly now: number
  /** milliseconds that the target is given until lines come out, beside those that any has */
  readonly waitMs: number
  /** what each family answers of a path that there cannot be */
  readonly nothing: ReadonlyMap<string, Answer>
}

/** A search that begins, and has found nothing yet. */
export function begun(): Pick<Search, 'hits' | 'answers' | 'open' | 'tried' | 'ids' | 'numbers' | 'now'> {
  return {
    hits: new Map(),
    answers: new Map(),
    open: new Map(),
    tried: new Map(),
    ids: {},
    numbers: new Map(),
    now: Date.now(),
  }
}

/** How an operation may be called. */
export interface Way {
  readonly method: string
  readonly path: string
}

/** Sends a request to a path with our placeholders. */
export async function ask(
  { client, ids }: Search,
  { method, path }: Way,
  body?: unknown,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  return await client.send({ method, path: fillPath(path, ids) + search, family: familyOf(path), body })
}

const MOST_WAYS = 240

/**
 * The ways in which an operation may be called, the likeliest first. The specification's own way is the only one. Else the
 * document comes first, then shipped bindings, then `beside` what was found already, then the words of the vocabulary.
 * Those of a part stand below the path where its whole was found.
 */
export function waysOf(search: Search, id: string, beside: readonly Way[] = [], most: number = MOST_WAYS): Way[] {
  const known = operationOf(id)
  if (known.specified) return [known]
  const pathOf = (type: string): string | undefined => {
    const { read } = kindOf(type)
    return (search.hits.get(read) ?? shipped()[0].operations.get(read))?.path
  }
  const all = [...documentedWay(search, id), known, ...beside, ...wordedWays(id, pathOf)]
  const unique = [...new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
  return unique.filter(({ path }) => isFilled(search, path)).slice(0, most)
}

/** The way that a document gives an operation, if there is one. */
export function documentedWay(search: Search, id: string): Way[] {
  const document = search.documented.routes.get(id)
  return document ? [{ method: document.method, path: withOurNames(document.path, operationOf(id)) }] : []
}

/** The paths of one thing: as the document has them, below `lists`, as it ships. `placeholder`: of its id. */
export function itemPaths(search: Search, id: string, placeholder: string, lists: readonly string[]): string[] {
  const documented = documentedWay(search, id).map(({ path }) => path)
  const paths = [...documented, ...lists.map((list) => `${list}/{${placeholder}}`), operationOf(id).path]
  return [...new Set(paths)].filter((path) => isFilled(search, path))
}

/** Milliseconds for which lists of many targets are old. */
const OLD_MS = 500

/** Looks once more, a while later, where the first look does not show what it should: it may have been an old read. */
export async function lookTwice<T>(search: Search, look: () => Promise<T>, shows: (seen: T) => boolean): Promise<T> {
  const seen = await look()
  if (shows(seen)) return seen
  await sleep(OLD_MS + search.waitMs)
  return await look()
}

/** Whether each placeholder of a path has an id. */
export function isFilled({ ids }: Search, path: string): boolean {
  return namesInPath(path).every((name) => ids[name] !== undefined)
}

/** Whether an answer is what the target says of any path that there is not. */
export function isNothing({ nothing }: Search, path: string, answer: Answer): boolean {
  const control = nothing.get(familyOf(path))
  if (control === undefined) return false
  if (answer.status !== control.status) return answer.status === 404 && !isRecord(answer.json)
  return shapeOf(answer) === shapeOf(control)
}

/** Notes that an operation was looked for. Other answers than those of a path or method that there is not speak for it. */
export function noteTried(search: Search, id: string, { path }: Pick<Way, 'path'>, answer: Answer): void {
  const isAway = [404, 405, 501].includes(answer.status) || isNothing(search, path, answer)
  search.tried.set(id, !isAway || search.tried.get(id) === true)
}

/** A body without what it quotes of the request. */
function shapeOf({ json, text }: Answer): string {
  if (json === undefined) return text.replaceAll(/\/[\w/.-]+/g, '').slice(0, 500)
  return leavesOf(json)
    .map(({ pointer, value }) => `${pointer}=${String(value).replaceAll(/\/[\w/.-]+|assay-\w+|[0-9a-f-]{36}/g, '')}`)
    .join('\n')
}

/** Operations in the words of a message: GET /v1/config/panels returned 200. */
export function said({ method, path }: Way, { status }: Answer): string {
  return `${method} ${path} returned ${status}`
}

type About = Pick<SeenRoute, 'body' | 'parameters' | 'query' | 'fields' | 'line' | 'told' | 'forms'>

/** More about a good exchange, as far as it is known. */
export type Hit = { readonly [Part in keyof About]?: About[Part] | undefined } & {
  readonly sent?: unknown
  /** the query that was sent */
  readonly asked?: Readonly<Record<string, string>> | undefined
  readonly sure?: Sure
  /** what was seen, after the words of the exchange */
  readonly why?: string
}

/** Notes a good exchange of an operation. */
export function hit(search: Search, id: string, way: Way, answer: Answer, more: Hit = {}): void {
  if (id === '') return
  const { sent, asked = {}, sure = 'proven', why = '', ...rest } = more
  const before = search.hits.get(id)
  const isSame = before?.method === way.method && before.path === way.path
  const seen = {
    ids: namesInPath(way.path).map((name) => search.ids[name] ?? ''),
    query: asked,
    sent,
    answer: answer.json ?? firstOf(answer.text),
    status: answer.status,
    location: answer.location,
  }
  search.hits.set(id, {
    names: [],
    count: 1,
    // What was seen of an operation before another one changed something is still true of its form.
    ...(isSame ? before : {}),
    from: `probe: ${said(way, answer)}${why}`,
    sure,
    ...given({ also: answer.also, ...rest }),
    method: way.method,
    path: way.path,
    seen: [...(isSame ? before.seen : []), seen],
  })
  search.open.delete(id)
}

/** Of lines: all of them, as one list would have them. */
function firstOf(text: string): unknown {
  const rows = text.split('\n', 1_000).flatMap((line) => (line.startsWith('{') ? (jsonIn(line) ?? []) : []))
  return rows.length > 0 ? rows : undefined
}

/** Notes the answer to a gap, whose effect was seen. */
export function answered({ answers }: Search, gap: string, value: unknown, from: string): void {
  answers.set(gap, { value, from: `probe: ${from}`, sure: 'proven' })
}

/** Tries ways until one is right; notes it. `fits`: whether a good answer is that of the operation. */
export async function trial(
  search: Search,
  id: string,
  ways: readonly Way[],
  fits: (answer: Answer, way: Way) => boolean | Promise<boolean>,
  more: Hit & { readonly sends?: readonly (readonly [template: Fields | undefined, sent: unknown])[] } = {},
): Promise<{ readonly way: Way; readonly answer: Answer } | undefined> {
  const { sends = [[undefined, undefined]], ...about } = more
  let last: string | undefined
  for (const way of ways) {
    for (const [template, sent] of sends) {
      const answer = await ask(search, way, sent, about.asked)
      noteTried(search, id, way, answer)
      if (isNothing(search, way.path, answer) || answer.status === 404 || answer.status === 405) break
      last = said(way, answer)
      if (!answer.ok || !(await fits(answer, way))) continue
      hit(search, id, way, answer, { sent, body: template, ...about })
      return { way, answer }
    }
  }
  const tried = `none of ${ways.length} ${ways.length === 1 ? 'path' : 'paths'} did it`
  if (!search.hits.has(id) && !search.open.has(id))
    search.open.set(id, last === undefined ? tried : `${tried}; ${last}`)
  return undefined
}

/** The samples of an operation's body: the document's, then those that ship, the fullest first. */
export function samplesOf({ documented }: Search, operation: string): Fields[] {
  const own = documented.routes.get(operation)?.body
  const bodies = [
    ...(own ? [own] : []),
    ...shipped().flatMap(({ operations }) => operations.get(operation)?.body ?? []),
  ]
  return [...new Map(bodies.filter(isRecord).map((body) => [JSON.stringify(body), body])).values()]
}

/** A template and what it becomes; undefined where it needs what there is not. A field that only an update has may go. */
export function filled(
  { ids, numbers, sink }: Search,
  template: Fields,
  label: string,
  generation?: unknown,
): { readonly template: Fields; readonly sent: Fields } | undefined {
  const values = { label, email: emailFor(sink, label), ...ids, ...given({ generation_id: generation }) }
  const own = Object.fromEntries(
    Object.entries(template).filter(([, value]) => value !== '{{generation_id}}' || generation !== undefined),
  )
  if ([...placeholders(own)].some((name) => !Object.hasOwn(values, name))) return undefined
  return { template: own, sent: fillTemplate(own, values, numbers) as Fields }
}
