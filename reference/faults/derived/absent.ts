import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import type { Fault } from '../core/fault.ts'

const SAYS = { missing: 'is not there', 'not-allowed': 'is not offered', broken: 'always breaks down' }

/** Faults of operations as a whole, one of each kind for every operation that the specification gives a path for. */
export const absentFaults: readonly Fault[] = specifiedOperations().flatMap((operation, index) => [
  fault(operation, 404, 'missing'),
  fault(operation, index % 2 === 0 ? 405 : 501, 'not-allowed'),
  fault(operation, 500, 'broken'),
])

/** Nothing of the request is looked at, its credentials included. */
function fault({ id, title, response }: Operation, status: number, how: keyof typeof SAYS): Fault {
  const json = { error: `${title}: ${status}`, code: String(status), status: 'error' }
  return {
    name: `${id}-${how}`,
    about: `${id} ${SAYS[how]} (${status})`,
    kills: [response.statusRequirement],
    changes: {
      handlers: { [id]: () => () => ({ status, json }) },
      routes: { [id]: ({ schema: _schema, ...route }) => ({ ...route, access: 'open' }) },
    },
  }
}
