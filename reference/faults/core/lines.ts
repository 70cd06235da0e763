import { isPending } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { body, success } from './changes.ts'
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

/** Changes the lines of an export, in whatever form it gives them. */
export function lines(operation: 'export-v1' | 'export-v2', change: (lines: Rows) => Rows): Changes {
  if (operation === 'export-v2') return body(operation, (json) => ({ ...json, lines: change(json.lines as Rows) }))
  return success(operation, ({ text, ...answer }) => {
    if (text === undefined) return answer
    const all = [...text].join('').split('\n').filter(Boolean)
    const changed = change(all.map((line) => JSON.parse(line) as Json))
    return { ...answer, text: changed.map((line) => `${JSON.stringify(line)}\n`) }
  })
}

/** The lines that a request brings, whatever its form calls them. */
export function sentLines(content: Uint8Array): Rows {
  const parsed = JSON.parse(Buffer.from(content).toString('utf8')) as { readonly lines?: Rows; readonly ls?: Rows }
  return parsed.lines ?? parsed.ls ?? []
}

const HOUR = 3_600

export function hoursAgo(call: Call, hours: number): string {
  return String(Math.floor(call.env.now() / 1000) - hours * HOUR)
}
