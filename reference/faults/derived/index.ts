import type { Fault } from '../core/fault.ts'
import { derivedFromRequests, type Equivalent } from './requests.ts'
import { derivedFromResponses } from './responses.ts'

export type { Equivalent } from './requests.ts'

/** A fault for every way to break every constraint of the specification's schemas, made by rule. */
export function derivedFaults(): readonly Fault[] {
  return [...derivedFromRequests().faults, ...derivedFromResponses()]
}

/** Changed rules that no client can tell from the proper ones: they are not tried. */
export function equivalentFaults(): readonly Equivalent[] {
  return derivedFromRequests().equivalents
}
