import type { Overlay } from '../core/overlay.ts'
import { configurationAnswerFaults, removalFaults } from './configuration/answers.ts'
import { collectionFaults, presetFaults } from './configuration/collections.ts'
import { keyFaults } from './configuration/keys.ts'
import { configurationRefusalFaults } from './configuration/refusals.ts'
import { type Fault, overlayOf } from './core/fault.ts'
import { derivedFromRequests, type Equivalent } from './derived/requests.ts'
import { absentFaults, derivedFromResponses } from './derived/responses.ts'
import { exportFaults, pageFaults } from './exports/exports.ts'
import { authenticationFaults } from './general/authentication.ts'
import { breakages } from './general/breakages.ts'
import { bodyFaults, errorFaults, refusalFaults } from './general/errors.ts'
import { lastingFaults } from './general/lasting.ts'
import { parallelFaults } from './general/parallel.ts'
import { severalFaults } from './general/several.ts'
import { neighbourFaults, storedFaults } from './general/stored.ts'
import { exclusionFaults, exclusionRemovalFaults } from './ingestion/exclusions.ts'
import { lineFaults, suspensionFaults } from './ingestion/lines.ts'
import { groupFaults, pipelineCollectionFaults } from './pipelines/groups.ts'
import { nodeFaults } from './pipelines/nodes.ts'
import { processingFaults, routeFaults, stateFaults } from './pipelines/state.ts'
import { tapFaults } from './pipelines/taps.ts'
import { reportFaults, tagFaults } from './usage/reports.ts'

let made: readonly Fault[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allFaults(): readonly Fault[] {
  made ??= [
    ...breakages,
    ...absentFaults,
    ...authenticationFaults,
    ...bodyFaults,
    ...errorFaults,
    ...lastingFaults,
    ...neighbourFaults,
    ...parallelFaults,
    ...refusalFaults,
    ...severalFaults,
    ...storedFaults,
    ...configurationAnswerFaults,
    ...collectionFaults,
    ...keyFaults,
    ...presetFaults,
    ...configurationRefusalFaults,
    ...removalFaults,
    ...exclusionFaults,
    ...exclusionRemovalFaults,
    ...lineFaults,
    ...suspensionFaults,
    ...pageFaults,
    ...exportFaults,
    ...reportFaults,
    ...tagFaults,
    ...pipelineCollectionFaults,
    ...groupFaults,
    ...nodeFaults,
    ...routeFaults,
    ...stateFaults,
    ...processingFaults,
    ...tapFaults,
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
