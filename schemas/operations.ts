import { type OperationRow, service } from './service.ts'

export type { Parameter, StatedError } from './types/service.ts'

type Stated = 'method' | 'path' | 'title' | 'category' | 'section' | 'security' | 'parameters' | 'response' | 'errors'

/** An operation that the specification gives a path, and what it says of it. */
export type Operation = OperationRow & Required<Pick<OperationRow, Stated | 'effect'>>

export function isSpecified(row: OperationRow): row is Operation {
  return row.path !== undefined
}

let specified: readonly Operation[] | undefined

/** The operations that have a path in the specification (section 'Endpoints'). */
export function specifiedOperations(): readonly Operation[] {
  specified ??= service().operations.filter(isSpecified)
  return specified
}

/** An operation with a schema of what it takes, also where only a binding gives it a path. */
export type Bodied = OperationRow & Required<Pick<OperationRow, 'request'>>

export function bodiedOperations(): readonly Bodied[] {
  return service().operations.filter((row): row is Bodied => row.request !== undefined)
}

/** Ids of the specified operations that belong to the claimed features. */
export function claimedOperations(claimed: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(specifiedOperations().flatMap(({ id, feature }) => (claimed.has(feature) ? [id] : [])))
}
