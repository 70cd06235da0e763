import type { Overlay } from '../core/overlay.ts'
import { configurationAnswerFaults } from './configuration/answers.ts'
import { collectionFaults } from './configuration/collections.ts'
import { keyFaults } from './configuration/keys.ts'
import { presetFaults } from './configuration/presets.ts'
import { configurationRefusalFaults } from './configuration/refusals.ts'
import { removalFaults } from './configuration/removals.ts'
import { type Fault, overlayOf } from './core/fault.ts'
import { derivedFaults } from './derived/index.ts'
import { absentFaults } from './derived/responses.ts'
import { exportFaults } from './exports/exports.ts'
import { pageFaults } from './exports/pages.ts'
import { authenticationFaults } from './general/authentication.ts'
import { breakages } from './general/breakages.ts'
import { bodyFaults, errorFaults } from './general/errors.ts'
import { neighbourFaults } from './general/neighbours.ts'
import { parallelFaults } from './general/parallel.ts'
import { refusalFaults } from './general/refusals.ts'
import { storedFaults } from './general/stored.ts'
import { exclusionFaults, exclusionRemovalFaults } from './ingestion/exclusions.ts'
import { lineFaults } from './ingestion/lines.ts'
import { suspensionFaults } from './ingestion/suspension.ts'
import { pipelineCollectionFaults } from './pipelines/collections.ts'
import { groupFaults } from './pipelines/groups.ts'
import { nodeFaults } from './pipelines/nodes.ts'
import { routeFaults } from './pipelines/routes.ts'
import { processingFaults, stateFaults } from './pipelines/state.ts'
import { tapFaults } from './pipelines/taps.ts'
import { reportFaults } from './usage/reports.ts'
import { tagFaults } from './usage/tags.ts'

let made: readonly Fault[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allFaults(): readonly Fault[] {
  made ??= [
    ...breakages,
    ...absentFaults,
    ...authenticationFaults,
    ...bodyFaults,
    ...errorFaults,
    ...neighbourFaults,
    ...parallelFaults,
    ...refusalFaults,
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
