import type { Binding } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Route } from './routes.ts'

/** One exchange of a route, its bodies read. */
interface Seen {
  /** values of the path's placeholders, in their order */
  readonly ids: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly sent: unknown
  readonly answer: unknown
  readonly status: number
}

/** A path with what differs from request to request taken out, and good exchanges of it. */
export interface SeenRoute extends Route {
  readonly seen: Seen[]
  count: number
}

/** Good exchanges of a route that are looked through, and routes. */
const MOST_SEEN = 60

const MOST_ROUTES = 5_000

const MOST_TEXT = 200_000

/** Paths of the specification and of what ships: which of their segments are ids is known. */
export function templatesOf({ operations }: Binding): (readonly string[])[] {
  return [...operations.values()].filter(({ path }) => path !== '').map(({ path }) => path.split('/'))
}

export function note(
  routes: Map<string, SeenRoute>,
  exchange: Exchange,
  templates: readonly (readonly string[])[],
): void {
  const { request, response, _outcome } = exchange
  // A refused request shows a path, and not its purpose.
  if (_outcome !== 'complete' || response.status < 200 || response.status >= 300) return
  if (!URL.canParse(request.url)) return
  const { pathname, searchParams } = new URL(request.url)
  const start = pathname.search(/\/v\d\/|\/logs\/|\/intake\/|\/ingest/)
  const { path, ids } = generalised(start > 0 ? pathname.slice(start) : pathname, templates)
  const key = `${request.method} ${path}`
  const route = routes.get(key) ?? { method: request.method, path, names: [], seen: [], count: 0 }
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
    answer: jsonIn(text) ?? firstLine(text),
    status: response.status,
  })
}

/** Of lines, one a row. */
function firstLine(text: string): unknown {
  return jsonIn(text.slice(0, text.indexOf('\n')))
}

/** A path whose ids are placeholders. Literal segments of known paths are none, however they look. */
function generalised(path: string, templates: readonly (readonly string[])[]): { path: string; ids: string[] } {
  const ids: string[] = []
  const segments = path.split('/')
  const known = templates
    .filter(
      (one) =>
        one.length === segments.length && one.every((part, index) => part.startsWith('{') || part === segments[index]),
    )
    .sort((a, b) => placeholdersIn(a) - placeholdersIn(b))[0]
  const general = segments.map((segment, index) => {
    const isId = known ? known[index]?.startsWith('{') === true : looksLikeId(segment)
    if (!isId) return segment
    ids.push(decoded(segment))
    return `{${ids.length}}`
  })
  return { path: general.join('/'), ids }
}

function placeholdersIn(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith('{')).length
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function looksLikeId(segment: string): boolean {
  if (/^v\d+$/.test(segment)) return false
  return /\d/.test(segment) || /@|%40/.test(segment) || segment.length > 40
}
