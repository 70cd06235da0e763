import type { Overlay } from '../core/overlay.ts'
import { configurationFaults } from './configuration/configuration.ts'
import { type Fault, overlayOf } from './core/fault.ts'
import { faultsIn } from './core/rows.ts'
import { derivedFromRequests, type Equivalent } from './derived/requests.ts'
import { absentFaults, derivedFromResponses } from './derived/responses.ts'
import { thingFaults } from './derived/things.ts'
import { exportFaults } from './exports/exports.ts'
import { authenticationFaults } from './general/authentication.ts'
import { errorFaults } from './general/errors.ts'
import { parallelFaults } from './general/parallel.ts'
import { severalFaults, storedFaults } from './general/stored.ts'
import { wholeFaults } from './general/whole.ts'
import { exclusionFaults, lineFaults, suspensionFaults } from './ingestion/ingestion.ts'
import { groupFaults } from './pipelines/groups.ts'
import { nodeFaults } from './pipelines/nodes.ts'
import { partFaults } from './pipelines/parts.ts'
import { tapFaults } from './pipelines/taps.ts'
import { usageFaults } from './usage/reports.ts'

/** Topics that have faults which are no more than rows of data. */
const TOPICS = ['general', 'configuration', 'ingestion', 'exports', 'usage', 'pipelines']

let made: readonly Fault[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allFaults(): readonly Fault[] {
  made ??= [
    ...absentFaults,
    ...authenticationFaults,
    ...errorFaults,
    ...parallelFaults,
    ...severalFaults,
    ...storedFaults,
    ...wholeFaults,
    ...configurationFaults,
    ...exclusionFaults,
    ...lineFaults,
    ...suspensionFaults,
    ...exportFaults,
    ...usageFaults,
    ...groupFaults,
    ...nodeFaults,
    ...partFaults,
    ...tapFaults,
    ...thingFaults,
    ...TOPICS.flatMap((topic) => faultsIn(new URL(`./${topic}/rows.json`, import.meta.url))),
    ...derivedFaults(),
  ]
  return made
}

/** @throws RangeError where there is no fault of that name */
export function faultOverlay(name: string): Overlay {
  const fault = allFaults().find((one) => one.name === name)
  if (!fault) throw new RangeError(`there is no fault ${name}`)
  return overlayOf(fault)
}

export type { Equivalent } from './derived/requests.ts'

/** A fault for every way to break every constraint of the specification's schemas, made by rule. */
export function derivedFaults(): readonly Fault[] {
  return [...derivedFromRequests().faults, ...derivedFromResponses()]
}

/** Changed rules that no client can tell from the proper ones: they are not tried. */
export function equivalentFaults(): readonly Equivalent[] {
  return derivedFromRequests().equivalents
}
