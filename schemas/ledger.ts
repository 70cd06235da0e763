import { readData } from './load.ts'
import type { Ledger, Requirement } from './types/requirements.ts'

export type { Requirement } from './types/requirements.ts'

let loaded: ReadonlyMap<string, Requirement> | undefined

/** Every statement and every gap of the specification, by id. */
export function ledger(): ReadonlyMap<string, Requirement> {
  loaded ??= new Map(readData<Ledger>('requirements.json').requirements.map((entry) => [entry.id, entry]))
  return loaded
}

/** Whether the entry is a gap: something that the text leaves unsaid. */
export function isGap(requirement: Requirement): boolean {
  return requirement.id.startsWith('GAP-')
}
