import { loadResourceSchemas } from '../../../schemas/load.ts'
import { without } from '../../../schemas/pointer.ts'
import type { OperationRow } from '../../../schemas/service.ts'
import { createValidator, type Validator, type Violation } from '../../../schemas/validator.ts'
import type { Call } from '../../core/route.ts'
import { withShapes } from '../../core/shapes.ts'
import { type State, things } from '../../model/state.ts'
import { asked } from './changes.ts'
import type { Changes } from './fault.ts'

type Body = Readonly<Record<string, unknown>>

let proper: Validator | undefined

/** What is wrong with a body by the rules of the specification, whatever an overlay makes of them. */
export function properViolations(schema: string, body: unknown): Violation[] {
  proper ??= createValidator(withShapes(loadResourceSchemas()))
  return proper.violations(schema, body)
}

/**
 * Lets operations carry out requests that their loosened rules let through. A value that the proper rules forbid counts
 * as not sent; an id that is then missing is guessed. A lenient server does the like; one that broke down instead would
 * not show that it takes such values.
 */
export function repaired(operations: readonly OperationRow[]): Pick<Changes, 'handlers'> {
  const repairs = operations.flatMap(({ id, request }) =>
    request ? [asked(id, (call) => ({ ...call, body: repair(call, id, request.schema) }))] : [],
  )
  return { handlers: Object.assign({}, ...repairs.map(({ handlers }) => handlers)) }
}

function repair(call: Call, operation: string, schema: string): unknown {
  const violations = properViolations(schema, call.body)
  if (violations.length === 0) return call.body
  const places = [...new Set(violations.map(({ pointer }) => pointer))].sort(later)
  const rest = places.reduce((body: unknown, pointer) => (pointer === '' ? {} : without(body, pointer)), call.body)
  return standIn(operation, rest as Body, call.state)
}

/** A body with which an operation can be carried out: missing necessary parts are guessed. */
export function standIn(operation: string, body: Body, state: State): Body {
  return { ...body, ...STAND_INS[operation]?.(body, state) }
}

/** Later elements of an array first, so that those before them keep their places. */
function later(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true })
}

const STAND_INS: Readonly<Record<string, (body: Body, state: State) => Body>> = {
  'create-group-from-pipeline'(body, state) {
    const ids = (body.pipeline_transform_ids ?? []) as string[]
    const all = [...things(state, 'transform').values()]
    const known = all.findLast(({ id }) => ids.length === 0 || ids.includes(id))
    const pipeline = things(state, 'pipeline').has(String(body.pipeline_id)) ? body.pipeline_id : known?.in
    const own = all.filter((transform) => transform.in === pipeline).map(({ id }) => id)
    return { pipeline_id: pipeline, pipeline_transform_ids: ids.length > 0 ? ids : own }
  },
  'add-group-to-pipeline': (body, state) => ({
    transform_group_id: body.transform_group_id ?? [...things(state, 'group').keys()].at(-1),
  }),
  'update-state-variables': (body, state) => ({
    pipeline_id: body.pipeline_id ?? [...things(state, 'pipeline').keys()].at(-1),
  }),
  'add-signing-key': (body) => ({ key: body.key ?? '' }),
}
