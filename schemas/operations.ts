import { readData } from './load.ts'
import type { Operation, OperationsFile } from './types/operations.ts'

export type { Operation, Parameter, StatedError } from './types/operations.ts'

let loaded: readonly Operation[] | undefined

/** The operations that have a path in the specification (section 'Endpoints'). */
export function specifiedOperations(): readonly Operation[] {
  loaded ??= readData<OperationsFile>('operations.json').operations
  return loaded
}

/** Ids of the specified operations that belong to the claimed features. */
export function claimedOperations(claimed: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(specifiedOperations().flatMap(({ id, feature }) => (claimed.has(feature) ? [id] : [])))
}
