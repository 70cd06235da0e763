import { type OperationRow, service } from './service.ts'

export type { Parameter, StatedError } from './types/service.ts'

type Stated = 'method' | 'path' | 'title' | 'category' | 'section' | 'security' | 'parameters' | 'response' | 'errors'

/** An operation that the specification gives a path, and what it says of it. */
export type Operation = OperationRow & Required<Pick<OperationRow, Stated | 'effect'>>

let specified: readonly Operation[] | undefined

/** The operations that have a path in the specification (section 'Endpoints'). */
export function specifiedOperations(): readonly Operation[] {
  specified ??= service().operations.filter((row): row is Operation => row.path !== undefined)
  return specified
}

/** Ids of the specified operations that belong to the claimed features. */
export function claimedOperations(claimed: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(specifiedOperations().flatMap(({ id, feature }) => (claimed.has(feature) ? [id] : [])))
}
