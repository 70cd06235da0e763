import { type JsonSchema, loadResourceSchemas } from '../schemas/load.ts'
import { createValidator } from '../schemas/validator.ts'
import { type Authorize, authorize } from './core/auth.ts'
import { createHandle, type Handle } from './core/handle.ts'
import { mapAnswer, type Overlay, overlayRoutes } from './core/overlay.ts'
import type { Env, Route } from './core/route.ts'
import { withShapes } from './core/shapes.ts'
import type { Credentials } from './model/configuration.ts'
import type { Plan, State } from './model/state.ts'
import { routes } from './routes.ts'
import { createCredentials, createState } from './seed.ts'

export interface AppOptions {
  /** milliseconds since the epoch */
  readonly now: () => number
  /** a fresh UUID */
  readonly newId: () => string
  /** rules for request bodies; the specification's where left out */
  readonly schemas?: ReadonlyMap<string, JsonSchema>
  /** laid over each other, the last one on top */
  readonly overlays?: readonly Overlay[]
  readonly credentials?: Partial<Credentials>
  readonly plan?: Partial<Plan>
}

/** The service with its state, ready to answer. */
export interface App {
  readonly handle: Handle
  readonly state: State
  readonly env: Env
}

/** Puts state, rules, operations and overlays together. */
export function createApp(options: AppOptions): App {
  const overlays = options.overlays ?? []
  let schemas: ReadonlyMap<string, JsonSchema> = withShapes(options.schemas ?? loadResourceSchemas())
  let operations: readonly Route[] = routes
  let mayPass: Authorize = authorize
  for (const overlay of overlays) {
    schemas = overlay.schemas?.(schemas) ?? schemas
    operations = overlayRoutes(operations, overlay)
    mayPass = overlay.authorize?.(mayPass) ?? mayPass
  }
  const { now, newId } = options
  const state = createState(createCredentials(newId, options.credentials), options, options.plan)
  for (const overlay of overlays) overlay.state?.(state)
  const handle = createHandle(operations, mayPass, (reply, request, env, operation) =>
    overlays.reduce((before, { answer, reply: change }) => {
      const answered = answer ? mapAnswer(before, (one) => answer(one, request, operation)) : before
      return change ? change(answered, request, env, operation) : answered
    }, reply),
  )
  return { handle, state, env: { now, newId, validator: createValidator(schemas) } }
}
