import { invalid } from '../../core/refusal.ts'
import { asked } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

/** A field that takes several. */
interface Several {
  readonly name: string
  readonly what: string
  readonly operation: string
  readonly field: string
  readonly requirement: string
  /** so many a lenient server takes */
  readonly most: number
}

const FIELDS: readonly Several[] = [
  ['state', 'state variables of a patch', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 1],
  ['state-five', 'state variables of a patch', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 5],
  ['group', 'transforms of a group', 'create-group-from-pipeline', 'pipeline_transform_ids', 'GROUP-CREATE-COPIES', 1],
  ['inputs', 'inputs of a transform', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 1],
  ['inputs-two', 'inputs of a transform', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 2],
  ['placement', 'inputs of a placed group', 'add-group-to-pipeline', 'inputs', 'PLACEMENT-PLACES', 1],
  ['switch', 'inputs of a moved group', 'switch-group-revision', 'inputs', 'REVISION-INPUTS-SET', 1],
].map(
  ([name, what, operation, field, requirement, most]) =>
    ({ name, what, operation, field, requirement, most }) as Several,
)

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function countOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function cut(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).slice(0, most)) : value
}

/** Does something with a field of which there are more than so many. */
function beyond({ operation, field, most }: Several, change: (value: unknown) => unknown): Changes {
  return asked(operation, (call) => {
    const body = isRecord(call.body) ? call.body : {}
    return countOf(body[field]) > most ? { ...call, body: { ...body, [field]: change(body[field]) } } : call
  })
}

/** Several are refused, or cut. */
export const severalFaults: readonly Fault[] = FIELDS.flatMap((one) => {
  const { name, what, field, requirement, most } = one
  const kills = [requirement]
  const fault = (how: string, about: string, change: (value: unknown) => unknown): Fault => ({
    name: `several-${name}-${how}`,
    about: `more than ${most} ${what} are ${about}`,
    kills,
    changes: beyond(one, change),
  })
  return [
    fault('refused', 'refused', () => {
      throw invalid(`/${field}`, 'are too many')
    }),
    fault('cut', 'cut', (value) => cut(value, most)),
  ]
})
