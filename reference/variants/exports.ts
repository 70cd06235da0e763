import { isPending } from '../core/message.ts'
import { invalid } from '../core/refusal.ts'
import type { Handler } from '../core/route.ts'
import type { Changes } from '../faults/core/fault.ts'
import { type Json, type Rows, tokenOf, withQuery } from '../faults/core/lines.ts'
import type { Variant } from './variant.ts'

function exportPages(wrap: (inner: Handler) => Handler): () => Changes {
  return () => ({ handlers: { 'export-v2': wrap } })
}

function capped(exportLines: number): () => Changes {
  return () => ({ state: (state) => void Object.assign(state, { plan: { ...state.plan, exportLines } }) })
}

const SHORTER = '7000'
const END = 'end:'

type Sent = { readonly lines?: readonly { readonly timestamp?: unknown }[] }

/** Does something else with the lines of a request that are of times to come. */
function linesToCome(change: (lines: NonNullable<Sent['lines']>, now: number) => unknown): () => Changes {
  return () => ({
    handlers: {
      'ingest-lines': (inner) => (call) => {
        const sent = readJson(call.request.body)
        const now = call.env.now()
        if (!Array.isArray(sent?.lines) || !sent.lines.some((line) => isToCome(line, now))) return inner(call)
        const body = Buffer.from(JSON.stringify({ ...sent, lines: change(sent.lines, now) }))
        return inner({ ...call, request: { ...call.request, body } })
      },
    },
  })
}

function isToCome(line: { readonly timestamp?: unknown } | null, now: number): boolean {
  return Number(line?.timestamp) > now + 60_000
}

/** Undefined where a body is something else, or packed. */
function readJson(body: Uint8Array): Sent | undefined {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as Sent
  } catch {
    return undefined
  }
}

function linesOfArrival(): Changes {
  return {
    handlers: {
      'ingest-lines': (inner) => (call) => {
        const sent = readJson(call.request.body)
        if (!Array.isArray(sent?.lines)) return inner(call)
        const lines = sent.lines.map((line) => ({ ...line, timestamp: call.env.now() }))
        const body = Buffer.from(JSON.stringify({ ...sent, lines }))
        return inner({ ...call, request: { ...call.request, body } })
      },
    },
  }
}

/** A line that is the same as one before in everything is taken for that one. */
function alikeOnce(): Changes {
  const known = new Set<string>()
  const isNew = (hostname: string | null, line: unknown): boolean => {
    const before = known.size
    known.add(JSON.stringify([hostname, line]))
    return known.size > before
  }
  return {
    handlers: {
      'ingest-lines': (inner) => (call) => {
        const sent = readJson(call.request.body)
        if (!Array.isArray(sent?.lines)) return inner(call)
        const lines = sent.lines.filter((line) => isNew(call.query.get('hostname'), line))
        const body = Buffer.from(JSON.stringify({ ...sent, lines }))
        return inner({ ...call, request: { ...call.request, body } })
      },
    },
  }
}

/** Other ways of the exports, within what the section 'Export v2' says. */
export const exportVariants: readonly Variant[] = [
  { name: 'plan-10000', about: 'the plan caps export v1 at 10,000 lines', changes: capped(10_000) },
  { name: 'plan-20000', about: 'the plan caps export v1 at 20,000 lines', changes: capped(20_000) },
  {
    name: 'lines-to-come-now',
    about: 'lines of times to come are stored as if they were of now',
    changes: linesToCome((lines, now) =>
      lines.map((line) => (isToCome(line, now) ? { ...line, timestamp: now } : line)),
    ),
  },
  {
    name: 'lines-to-come-dropped',
    about: 'lines of times to come are taken and not stored',
    changes: linesToCome((lines, now) => lines.filter((line) => !isToCome(line, now))),
  },
  {
    name: 'lines-to-come-refused',
    about: 'lines of times to come are refused',
    changes: linesToCome(() => {
      throw invalid('/lines', 'must not be of times to come')
    }),
  },
  {
    name: 'lines-alike-once',
    about: 'a line that is the same as one before in everything, its time included, is not stored again',
    changes: alikeOnce,
  },
  {
    name: 'lines-of-arrival',
    about: 'lines are stored under the time of their arrival',
    changes: linesOfArrival,
  },
  {
    name: 'export-shorter-pages',
    about: 'above 10,000 lines, pages have 7,000 lines',
    changes: exportPages((inner) => (call) => {
      if (call.query.has('size')) return inner(call)
      const shorter = withQuery(call, { size: SHORTER })
      if (tokenOf(call) !== undefined) return inner(shorter)
      const reply = inner(call)
      const more = !isPending(reply) && typeof (reply.json as Json | undefined)?.pagination_id === 'string'
      return more ? inner(shorter) : reply
    }),
  },
  {
    name: 'export-empty-last-page',
    about: 'above 10,000 lines, the last page is empty',
    changes: exportPages((inner) => (call) => {
      const token = tokenOf(call)
      if (token?.startsWith(END)) return { status: 200, json: { lines: [], pagination_id: null } }
      const reply = inner(call)
      if (token === undefined || call.query.has('size') || isPending(reply) || reply.status >= 300) return reply
      const json = reply.json as Json
      const last = json.pagination_id === null && (json.lines as Rows).length > 0
      return last ? { ...reply, json: { ...json, pagination_id: END + token } } : reply
    }),
  },
  {
    name: 'export-old-tokens-refused',
    about: 'a token is refused once the page after its own was asked for',
    changes: exportPages((inner) => {
      // Tokens of two exports that ask for the same are two tokens.
      const given = new Map<string, { readonly token: string; readonly before: string | undefined }>()
      const retired = new Set<string>()
      return (call) => {
        const asked = tokenOf(call)
        const known = given.get(asked ?? '')
        if (asked !== undefined && (!known || retired.has(asked)))
          throw invalid('query parameter pagination_id', 'is old')
        if (known?.before !== undefined) retired.add(known.before)
        const reply = inner(known ? withQuery(call, { pagination_id: known.token }) : call)
        if (isPending(reply) || reply.status >= 300) return reply
        const json = reply.json as Json
        if (typeof json.pagination_id !== 'string') return reply
        const name = `page-${given.size + 1}`
        given.set(name, { token: json.pagination_id, before: asked })
        return { ...reply, json: { ...json, pagination_id: name } }
      }
    }),
  },
]
