import type { Overlay } from '../core/overlay.ts'
import { answerFaults } from './answers.ts'
import { authenticationFaults } from './authentication.ts'
import { breakages } from './breakages.ts'
import { collectionFaults } from './collections.ts'
import { copyFaults } from './copies.ts'
import { type Fault, overlayOf } from './core/fault.ts'
import { absentFaults } from './derived/absent.ts'
import { derivedFaults } from './derived/index.ts'
import { errorFaults } from './errors.ts'
import { exportFaults } from './exports.ts'
import { guardFaults } from './guards.ts'
import { keyFaults } from './keys.ts'
import { lineFaults } from './lines.ts'
import { neighbourFaults } from './neighbours.ts'
import { parallelFaults } from './parallel.ts'
import { pipelineFaults } from './pipelines.ts'
import { presetFaults } from './presets.ts'
import { refusalFaults } from './refusals.ts'
import { removalFaults } from './removals.ts'
import { replacementFaults } from './replacements.ts'
import { reportFaults } from './reports.ts'
import { storedFaults } from './stored.ts'
import { tagFaults } from './tags.ts'
import { tapFaults } from './taps.ts'
import { updateFaults } from './updates.ts'

let made: readonly Fault[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allFaults(): readonly Fault[] {
  made ??= [
    ...breakages,
    ...absentFaults,
    ...answerFaults,
    ...errorFaults,
    ...authenticationFaults,
    ...updateFaults,
    ...storedFaults,
    ...neighbourFaults,
    ...replacementFaults,
    ...presetFaults,
    ...removalFaults,
    ...refusalFaults,
    ...pipelineFaults,
    ...tapFaults,
    ...copyFaults,
    ...parallelFaults,
    ...collectionFaults,
    ...keyFaults,
    ...lineFaults,
    ...exportFaults,
    ...guardFaults,
    ...reportFaults,
    ...tagFaults,
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
