import { readFileSync } from 'node:fs'
import type { BindingFile } from '../../../schemas/binding.ts'
import { jsonIn } from '../../../schemas/json.ts'
import { invalid, notFound, Refusal } from '../../core/refusal.ts'
import { type Answer, type Handler, isPending, ok, param, type Route } from '../../core/route.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type CodedVariants, isFields } from '../core/variant.ts'

/** How a binding tells these places and forms. */
const BINDINGS = JSON.parse(readFileSync(new URL('bindings.json', import.meta.url), 'utf8')) as Readonly<
  Record<'shapes-of-lines' | 'shapes-of-things', BindingFile>
>

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Lines in batches that say themselves who sends them, for whom it wants to know both the sender and the account. */
const ingestBatch: Wrap = (inner) => (call) => {
  const { host, tags, entries } = (jsonIn(Buffer.from(call.request.body).toString('utf8')) ?? {}) as Batch
  if (typeof host !== 'string' || !Array.isArray(tags) || !Array.isArray(entries)) throw invalid('', 'must be a batch')
  if (!call.request.headers.authorization) throw new Refusal('NotAuthorized', 'the request says no account')
  if (entries.some(({ at }) => !ISO.test(String(at)))) throw invalid('/entries', 'must have dates')
  const lines = entries.map(({ at, ...line }) => ({ ...line, timestamp: Date.parse(String(at)) }))
  const body = Buffer.from(JSON.stringify({ lines }))
  const query = new URLSearchParams({ hostname: host, tags: tags.join() })
  return inner({ ...call, query, request: { ...call.request, body } })
}

interface Batch {
  readonly host?: unknown
  readonly tags?: unknown
  readonly entries?: readonly { readonly at?: unknown }[]
}

/** Periods are dates, and several names are several parameters. */
const exportByDates: Wrap = (inner) => (call) => {
  const query = new URLSearchParams(call.query)
  for (const name of ['from', 'to']) {
    const text = query.get(name)
    if (text === null || text === '0') continue
    if (!ISO.test(text)) throw invalid(`query parameter ${name}`, 'must be a date')
    query.set(name, String(Math.floor(Date.parse(text) / 1000)))
  }
  for (const name of ['hosts', 'apps', 'levels'])
    if (query.getAll(name).some((one) => one.includes(','))) throw invalid(`query parameter ${name}`, 'is one name')
  return inner({ ...call, query })
}

type Wrap = (inner: Handler) => Handler

/** A new thing is told by its address alone. */
function addressed(address: (id: string) => string, field: string): Wrap {
  return (inner) => (call) => {
    const made = inner(call)
    if (isPending(made)) return made
    const id = String((made.json as Readonly<Record<string, unknown>>)[field])
    return { status: 201, headers: { location: address(id) } }
  }
}

/** The type of a key stands in the body. */
const typed: Wrap = (inner) => (call) => {
  const { type } = call.body as { readonly type?: unknown }
  if ([...call.query.keys()].length > 0 || typeof type !== 'string') throw invalid('/type', 'must be there')
  return inner({ ...call, query: new URLSearchParams({ type }) })
}

/** Views have numbers, in paths and in the bodies that name them. */
function numbered(): Pick<Required<Changes>, 'handlers' | 'answer'> {
  const ids: string[] = []
  const numberOf = (id: unknown): number => {
    if (!ids.includes(String(id))) ids.push(String(id))
    return ids.indexOf(String(id)) + 1
  }
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown)
    return isFields(value) && value.viewid !== undefined ? { ...value, viewid: numberOf(value.viewid) } : value
  }
  const named: Wrap = (inner) => (call) =>
    inner({ ...call, params: { ...call.params, view_id: ids[Number(param(call, 'view_id')) - 1] ?? 'none' } })
  const about: Wrap = (inner) => (call) => {
    const { viewid, ...body } = call.body as { readonly viewid?: unknown }
    if (typeof viewid !== 'number') throw invalid('/viewid', 'must be a number')
    return inner({ ...call, body: { ...body, viewid: ids[viewid - 1] } })
  }
  return {
    handlers: {
      'create-view': addressed((id) => `/v1/config/view/${numberOf(id)}?new=1`, 'viewid'),
      'get-view': named,
      'update-view': named,
      'delete-view': named,
      'create-alert': about,
      'update-alert': about,
    },
    answer: (answer) => (answer.json === undefined ? answer : { ...answer, json: shown(answer.json) }),
  }
}

/** Each archive has an id of its own. */
function buckets(): Required<Pick<Changes, 'handlers' | 'routes'>> {
  let made = 0
  const own: Wrap = (inner) => (call) => {
    if (param(call, 'archiving_id') !== `archive-${made}`) throw notFound('there is no such archive')
    return inner(call)
  }
  const make: Wrap = (inner) => (call) => {
    const reply = inner(call)
    made += 1
    return isPending(reply) ? reply : ok({ kept: reply.json, archive: { id: `archive-${made}` } })
  }
  const moved = (route: Route): Route => ({ ...route, path: '/v1/config/archives/{archiving_id}' })
  const one = ['get-archiving', 'update-archiving', 'delete-archiving']
  return {
    handlers: { 'create-archiving': make, ...Object.fromEntries(one.map((id) => [id, own])) },
    routes: Object.fromEntries(one.map((id) => [id, moved])),
  }
}

const PAGE = 2

/** Lists come in pages: of boards they say how they go on, of views one counts. */
function paged(answer: Answer, search: string, operation: string | undefined): Answer {
  const query = new URLSearchParams(search)
  if (!Array.isArray(answer.json)) return answer
  const start = Number(query.get('offset') ?? 0)
  if (operation === 'list-views') return { ...answer, json: answer.json.slice(start, start + PAGE) }
  if (operation !== 'list-boards') return answer
  const next = answer.json.length > start + PAGE ? `/v1/config/board?offset=${start + PAGE}` : null
  return { ...answer, json: { items: answer.json.slice(start, start + PAGE), next } }
}

function shapesOfThings(): Changes {
  const views = numbered()
  const archives = buckets()
  return {
    handlers: {
      ...views.handlers,
      ...archives.handlers,
      'create-board': addressed((id) => `https://elsewhere.example/boards/${id}/`, 'id'),
      'create-key': typed,
      'create-enterprise-key': typed,
    },
    routes: archives.routes,
    answer: (answer, request, operation) => paged(views.answer(answer, request, operation), request.search, operation),
  }
}

/** Other places and forms for the same things, which a binding tells. */
export const shapeVariants: CodedVariants = {
  'shapes-of-lines': {
    changes: () => ({
      handlers: { 'ingest-lines': ingestBatch, 'export-v1': exportByDates, 'export-v2': exportByDates },
    }),
    binding: () => BINDINGS['shapes-of-lines'],
  },
  'shapes-of-things': { changes: shapesOfThings, binding: () => BINDINGS['shapes-of-things'] },
}
