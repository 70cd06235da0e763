import { openUnchanged } from '../../fixtures/recording/read.ts'
import { jsonIn } from '../../schemas/json.ts'
import { createMatcher, type Matcher, type Routed } from '../../schemas/matcher.ts'
import type { BoundOperation } from '../../schemas/types/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { percentDecoded } from '../../schemas/url.ts'
import type { FoundAnswer, Sure } from './found.ts'
import type { Fields } from './places.ts'
import { assign, outline, type Route, withAccount } from './routes.ts'
import { shipped } from './shipped.ts'

/** One good exchange of an operation: seen in traffic, sent by the search, or made of a document. */
export interface Seen {
  /** values of the path's placeholders, in their order */
  readonly ids: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly sent: unknown
  readonly answer: unknown
  readonly status: number | undefined
  /** the header field Location */
  readonly location?: string | undefined
}

/** The exchanges of one method and path, whichever source they come from. */
export interface SeenRoute extends Route {
  readonly seen: Seen[]
  count: number
  readonly from: string
  readonly sure: Sure
  /** a sample body that is known to fit */
  readonly body?: Fields | undefined
  readonly also?: BoundOperation['also'] | undefined
  readonly pages?: BoundOperation['pages'] | undefined
  /** places in the answer that the source names */
  readonly told?: Readonly<Record<string, string>>
  /** our name of a parameter -> the target's, where its effect was seen */
  readonly parameters?: Readonly<Record<string, string>>
  /** queries that every request carries */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** for lines that were sent: our names of the fields -> the target's, and their values */
  readonly fields?: Readonly<Record<string, string>>
  readonly line?: Fields
  /** our name of a parameter or field -> how its value is written */
  readonly forms?: Readonly<Record<string, string>>
}

/** What one source says of a target, before anything is concluded. */
export interface Source {
  readonly routes: ReadonlyMap<string, SeenRoute>
  readonly answers: ReadonlyMap<string, FoundAnswer>
  /** operation or gap -> why it stayed open, in words */
  readonly open: ReadonlyMap<string, string>
  /** operations that were looked for -> whether anything of the target speaks for them; left out: nothing was looked for */
  readonly tried?: ReadonlyMap<string, boolean>
}

/** Good exchanges of a route that are looked through, and routes. */
const MOST_SEEN = 60
const MOST_ROUTES = 5_000
const MOST_TEXT = 200_000

/** What recorded traffic shows. @throws RecordingError */
export async function fromRecording(path: string, name: string): Promise<Source> {
  const recording = await openUnchanged(path)
  return await fromExchanges(recording.exchanges(), name)
}

/** Sorts exchanges by their routes, and routes by the operations that they are. */
export async function fromExchanges(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  name: string,
): Promise<Source> {
  const seen = new Map<string, SeenRoute>()
  // Of paths of the specification and of what ships it is known which segments are ids.
  const known = createMatcher([...shipped()[0].operations.values()].map((one) => ({ ...one, method: '' })))
  for await (const exchange of exchanges) note(seen, exchange, known)
  const all = withAccount([...seen.values()], (_, inside) => {
    const [id, ...others] = new Set(inside.flatMap((route) => route.seen.map(({ ids }) => ids[0])))
    return others.length === 0 ? id : undefined
  })
  const { routes, open } = assign(all.map(withoutAccount))
  const named = [...routes].map(([id, route]): [string, SeenRoute] => {
    const times = route.count === 1 ? '1 exchange' : `${route.count} exchanges`
    return [id, { ...route, from: `${name}: ${times} of ${route.method} ${outline(route.path)}` }]
  })
  return {
    routes: new Map(named),
    answers: new Map(),
    ...unclear(open, name),
  }
}

/** Operations that a source speaks for, without saying which of its routes they are. `name`: of the source. */
export function unclear(open: ReadonlyMap<string, string>, name: string): Pick<Source, 'open' | 'tried'> {
  const all = [...open]
  return {
    open: new Map(all.map(([id, why]) => [id, `${name}: ${why}`])),
    tried: new Map(all.map(([id]) => [id, true])),
  }
}

/** The account of a target is no id of an exchange. */
function withoutAccount(route: SeenRoute): SeenRoute {
  if (route.account === undefined) return route
  return { ...route, seen: route.seen.map((one) => ({ ...one, ids: one.ids.slice(1) })) }
}

function note(routes: Map<string, SeenRoute>, exchange: Exchange, known: Matcher<Routed>): void {
  const { request, response, _outcome } = exchange
  // A refused request shows a path, and not its purpose.
  if (_outcome !== 'complete' || response.status < 200 || response.status >= 300) return
  if (!URL.canParse(request.url)) return
  const { pathname, searchParams } = new URL(request.url)
  const start = pathname.search(/\/v\d\/|\/logs\/|\/intake\/|\/ingest/)
  const { path, ids } = generalised(start > 0 ? pathname.slice(start) : pathname, known)
  const key = `${request.method} ${path}`
  const route: SeenRoute = routes.get(key) ?? {
    method: request.method,
    path,
    names: [],
    seen: [],
    count: 0,
    from: '',
    sure: 'recorded',
  }
  if (!routes.has(key)) {
    if (routes.size >= MOST_ROUTES) return
    routes.set(key, route)
  }
  route.count += 1
  const text = response.content.text ?? ''
  if (route.seen.length >= MOST_SEEN || text.length > MOST_TEXT) return
  route.seen.push({
    ids,
    query: Object.fromEntries(searchParams),
    sent: jsonIn(request.postData?.text),
    // Of lines, one a row.
    answer: jsonIn(text) ?? jsonIn(text.slice(0, text.indexOf('\n'))),
    status: response.status,
    location: response.headers?.find(({ name }) => name.toLowerCase() === 'location')?.value,
  })
}

/** A path whose ids are placeholders. Literal segments of known paths are none, however they look. */
function generalised(path: string, known: Matcher<Routed>): { path: string; ids: string[] } {
  const match = known('', path)
  if (match) return { path: match.operation.path, ids: Object.values(match.params) }
  const ids: string[] = []
  const general = path.split('/').map((segment) => {
    if (!looksLikeId(segment)) return segment
    ids.push(percentDecoded(segment))
    return `{${ids.length}}`
  })
  return { path: general.join('/'), ids }
}

function looksLikeId(segment: string): boolean {
  if (/^v\d+$/.test(segment)) return false
  return /\d/.test(segment) || /@|%40/.test(segment) || segment.length > 40
}
