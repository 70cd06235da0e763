import type { JsonSchema } from '../../schemas/load.ts'
import type { State } from '../model/state.ts'
import type { Authorize } from './auth.ts'
import { type Answer, type Env, type Handler, isPending, type PlainRequest, type Reply, type Route } from './route.ts'

/** Another behaviour laid over the reference: a named fault, or a variant that the specification allows. */
export interface Overlay {
  readonly name: string
  /** other rules for request bodies */
  readonly schemas?: (schemas: ReadonlyMap<string, JsonSchema>) => ReadonlyMap<string, JsonSchema>
  /** operation id -> its handler, made from the proper one */
  readonly handlers?: Readonly<Record<string, (inner: Handler) => Handler>>
  /** operation id -> other fields of its route: no schema, other access, other error style */
  readonly routes?: Readonly<Record<string, (route: Route) => Route>>
  readonly authorize?: (inner: Authorize) => Authorize
  /** the initial state, changed in place */
  readonly state?: (state: State) => void
  /** the last word on every finished answer; `operation` is undefined where no route was found */
  readonly answer?: (answer: Answer, request: PlainRequest, operation: string | undefined) => Answer
  /** the last word on every reply; may delay it by returning a pending one */
  readonly reply?: (reply: Reply, request: PlainRequest, env: Env, operation: string | undefined) => Reply
}

/** Routes with the handlers and route changes of an overlay. Throws where it names an unknown operation. */
export function overlayRoutes(routes: readonly Route[], overlay: Overlay): Route[] {
  const known = new Set(routes.map((route) => route.operation))
  for (const id of [...Object.keys(overlay.handlers ?? {}), ...Object.keys(overlay.routes ?? {})]) {
    if (!known.has(id)) throw new Error(`overlay ${overlay.name} names the unknown operation ${id}`)
  }
  return routes.map((route) => {
    const wrap = overlay.handlers?.[route.operation]
    const wrapped = wrap ? { ...route, handler: wrap(route.handler) } : route
    return overlay.routes?.[route.operation]?.(wrapped) ?? wrapped
  })
}

/** Applies `change` to the answer, at once or when it is due. */
export function mapAnswer(reply: Reply, change: (answer: Answer) => Answer): Reply {
  if (!isPending(reply)) return change(reply)
  return { resumeAt: reply.resumeAt, resume: () => mapAnswer(reply.resume(), change) }
}
