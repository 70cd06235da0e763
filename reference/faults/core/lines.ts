import { isPending } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { body } from './changes.ts'
import type { Changes } from './fault.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Rows of an answer. */
export type Rows = readonly Json[]

/** The same call with other query parameters; undefined takes one away. */
export function withQuery(call: Call, values: Readonly<Record<string, string | undefined>>): Call {
  const query = new URLSearchParams(call.query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return { ...call, query }
}

export function handler(operation: string, wrap: (inner: Handler) => Handler): Changes {
  return { handlers: { [operation]: wrap } }
}

/** Refuses the requests for which `bad` holds. */
export function refused(operation: string, bad: (call: Call) => boolean): Changes {
  return handler(operation, (inner) => (call) => {
    if (bad(call)) throw invalid('', 'is not taken')
    return inner(call)
  })
}

export function tokenOf(call: Call): string | undefined {
  const token = call.query.get('pagination_id')
  return token === null || token === '' || token === 'null' ? undefined : token
}

/** Changes the pages of export v2 that a token asked for. */
export function page(change: (json: Json, call: Call, inner: Handler) => unknown): Changes {
  return handler('export-v2', (inner) => (call) => {
    const reply = inner(call)
    if (isPending(reply) || reply.status >= 300) return reply
    return { ...reply, json: change(reply.json as Json, call, inner) }
  })
}

export function rows(operation: string, change: (rows: Rows) => unknown): Changes {
  return operation.includes('v2')
    ? body(operation, (json) => ({ ...json, results: change(json.results as Rows) }))
    : body(operation, (json) => change(json as unknown as Rows))
}

const HOUR = 3_600

export function hoursAgo(call: Call, hours: number): string {
  return String(Math.floor(call.env.now() / 1000) - hours * HOUR)
}
