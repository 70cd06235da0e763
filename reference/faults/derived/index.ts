import type { Mutant } from '../core/fault.ts'
import { derivedFromRequests, type Equivalent } from './requests.ts'
import { derivedFromResponses } from './responses.ts'

export type { Equivalent } from './requests.ts'

/** A fault for every way to break every constraint of the specification's schemas, made by rule. */
export function derivedMutants(): readonly Mutant[] {
  return [...derivedFromRequests().mutants, ...derivedFromResponses()]
}

/** Changed rules that no client can tell from the proper ones: they are not tried. */
export function equivalentMutants(): readonly Equivalent[] {
  return derivedFromRequests().equivalents
}
