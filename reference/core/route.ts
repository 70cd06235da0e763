import type { Validator } from '../../schemas/validator.ts'
import type { State } from '../model/state.ts'
import type { Access } from './auth.ts'
import { ok, type PlainRequest, type Reply } from './message.ts'
import { type ErrorStyle, notFound } from './refusal.ts'

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

/** Makes routes that share access and error style. */
export function family(access: Access, errors: ErrorStyle): Family {
  return (operation, method, path, handler, schema) => ({
    operation,
    method,
    path,
    access,
    errors,
    handler,
    ...(schema === undefined ? {} : { schema }),
  })
}

export type Family = (operation: string, method: string, path: string, handler: Handler, schema?: string) => Route

/** The value of a path placeholder of the route. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? ''
}

/** The JSON body, which the route's schema has shown to be an object. */
export function bodyOf<T extends object = Record<string, unknown>>(call: Call): Partial<T> {
  return call.body as Partial<T>
}

/** Things of one kind that the path names: how they are found, listed and shown. */
export interface Things<T> {
  readonly list: Handler
  readonly get: Handler
  /** The one that the path names. Throws NotFound. */
  one(call: Call): T
}

/** `of`: where the state has them; `name`: their placeholder in the path; `missing`: the answer where there is none. */
export function things<T extends object>(
  of: (state: State) => ReadonlyMap<string, T>,
  name: string,
  missing: (id: string) => string,
  keyOf: (id: string) => string = (id) => id,
): Things<T> {
  const one = (call: Call): T => {
    const id = param(call, name)
    const thing = of(call.state).get(keyOf(id))
    if (!thing) throw notFound(missing(id))
    return thing
  }
  return { list: (call) => ok([...of(call.state).values()]), get: (call) => ok(one(call)), one }
}
