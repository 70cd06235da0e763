import type { Validator } from '../../schemas/validator.ts'
import type { State } from '../model/state.ts'
import type { Access } from './auth.ts'

/** What a handler may use besides state and request. */
export interface Env {
  /** milliseconds since the epoch */
  readonly now: () => number
  /** a fresh UUID */
  readonly newId: () => string
  readonly validator: Validator
}

/** One request on its way through a handler: authorised, its body parsed and valid by the route's schema. */
export interface Call {
  readonly state: State
  readonly env: Env
  readonly request: PlainRequest
  /** decoded values of the path's placeholders */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** the JSON body where the route has a schema, else undefined */
  readonly body: unknown
}

/** Carries out an operation. Its only effect is on `call.state`; it throws a Refusal before it changes anything. */
export type Handler = (call: Call) => Reply

/** What the error bodies of an operation look like: with `status`, without it, or as pipeline operations have them. */
export type ErrorStyle = 'v1' | 'bare' | 'v3'

/** An operation as data, so that a fault or a variant can replace any part of it by its id. */
export interface Route {
  readonly operation: string
  readonly method: string
  /** template with {placeholders} */
  readonly path: string
  readonly access: Access
  readonly errors: ErrorStyle
  /** the schema that a JSON body must satisfy; left out where the operation reads no JSON body */
  readonly schema?: string
  readonly handler: Handler
}

/** The value of a path placeholder of the route. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? ''
}

/** The JSON body, which the route's schema has shown to be an object. */
export function bodyOf<T extends object = Record<string, unknown>>(call: Call): Partial<T> {
  return call.body as Partial<T>
}

/** A request as plain data, read completely. */
export interface PlainRequest {
  readonly method: string
  /** path of the request line as it was sent: percent-encoding untouched, without the query */
  readonly path: string
  /** query as it was sent, without the question mark */
  readonly search: string
  /** lower-case names; a repeated header's values joined by a comma */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A finished answer as plain data. At most one of `json` and `text` is there; neither means an empty body. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** pieces of a text, produced while they are sent */
  readonly text?: Iterable<string>
  /** how the text goes over the wire, where that is not left to the server */
  readonly delivery?: Delivery
}

/** Other ways to send a text. */
export interface Delivery {
  /** milliseconds between one piece and the next */
  readonly everyMs?: number
  /** no length is sent and nothing is chunked: the end of the connection is the end of the text, as in HTTP/1.0 */
  readonly untilClose?: boolean
  /** the coding of its characters, and the name by which JSON declares it; left out: UTF-8 */
  readonly coding?: BufferEncoding
  readonly charset?: string
}

/** An answer that is not due yet: ask again at `resumeAt` (milliseconds since the epoch). */
export interface Pending {
  readonly resumeAt: number
  readonly resume: () => Reply
}

export type Reply = Answer | Pending

export function isPending(reply: Reply): reply is Pending {
  return 'resumeAt' in reply
}

/** 200 with a JSON body. */
export function ok(json: unknown): Answer {
  return { status: 200, json }
}

/** Success without a body. */
export function empty(status: number = 200): Answer {
  return { status }
}
