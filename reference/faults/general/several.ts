import { invalid } from '../../core/refusal.ts'
import { askedBody } from '../core/changes.ts'
import { type Fault, fault } from '../core/fault.ts'

/** Fields that take several, and how many a lenient server takes. */
const FIELDS: readonly (readonly [
  name: string,
  operation: string,
  field: string,
  requirement: string,
  most: number,
])[] = [
  ['state', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 1],
  ['state-five', 'update-state-variables', 'state', 'STATEVAR-APPLIES', 5],
  ['group', 'create-group-from-pipeline', 'pipeline_transform_ids', 'GROUP-CREATE-COPIES', 1],
  ['inputs', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 1],
  ['inputs-two', 'update-transform', 'inputs', 'TRANSFORM-UPDATE-REPLACES', 2],
  ['placement', 'add-group-to-pipeline', 'inputs', 'PLACEMENT-PLACES', 1],
  ['switch', 'switch-group-revision', 'inputs', 'REVISION-INPUTS-SET', 1],
]

function cut(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most)
  return Object.fromEntries(Object.entries(value as object).slice(0, most))
}

/** Several are refused, or cut. */
export const severalFaults: readonly Fault[] = FIELDS.flatMap(([name, operation, field, requirement, most]) =>
  (['refused', 'cut'] as const).map((how) => {
    const changes = askedBody(operation, (sent) => {
      const value = sent[field]
      if (typeof value !== 'object' || value === null || Object.keys(value).length <= most) return sent
      if (how === 'refused') throw invalid(`/${field}`, 'are too many')
      return { ...sent, [field]: cut(value, most) }
    })
    return fault(
      `several-${name}-${how}`,
      requirement,
      `more than ${most} ${field} of ${operation} are ${how}`,
      changes,
    )
  }),
)
