import type { Validator } from '../../schemas/validator.ts'
import type { State } from '../model/state.ts'
import type { Access } from './auth.ts'
import type { PlainRequest, Reply } from './message.ts'
import type { ErrorStyle } from './refusal.ts'

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
