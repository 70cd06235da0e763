import type { Overlay } from '../core/overlay.ts'
import { answerMutants } from './answers.ts'
import { authenticationMutants } from './authentication.ts'
import { breakages } from './breakages.ts'
import { collectionMutants } from './collections.ts'
import { copyMutants } from './copies.ts'
import { type Mutant, overlayOf } from './core/fault.ts'
import { absentMutants } from './derived/absent.ts'
import { derivedMutants } from './derived/index.ts'
import { errorMutants } from './errors.ts'
import { exportMutants } from './exports.ts'
import { guardMutants } from './guards.ts'
import { keyMutants } from './keys.ts'
import { lineMutants } from './lines.ts'
import { neighbourMutants } from './neighbours.ts'
import { parallelMutants } from './parallel.ts'
import { pipelineMutants } from './pipelines.ts'
import { presetMutants } from './presets.ts'
import { refusalMutants } from './refusals.ts'
import { removalMutants } from './removals.ts'
import { replacementMutants } from './replacements.ts'
import { reportMutants } from './reports.ts'
import { storedMutants } from './stored.ts'
import { tagMutants } from './tags.ts'
import { tapMutants } from './taps.ts'
import { updateMutants } from './updates.ts'

let made: readonly Mutant[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allMutants(): readonly Mutant[] {
  made ??= [
    ...breakages,
    ...absentMutants,
    ...answerMutants,
    ...errorMutants,
    ...authenticationMutants,
    ...updateMutants,
    ...storedMutants,
    ...neighbourMutants,
    ...replacementMutants,
    ...presetMutants,
    ...removalMutants,
    ...refusalMutants,
    ...pipelineMutants,
    ...tapMutants,
    ...copyMutants,
    ...parallelMutants,
    ...collectionMutants,
    ...keyMutants,
    ...lineMutants,
    ...exportMutants,
    ...guardMutants,
    ...reportMutants,
    ...tagMutants,
    ...derivedMutants(),
  ]
  return made
}

/** @throws RangeError where there is no mutant of that name */
export function mutantOverlay(name: string): Overlay {
  const mutant = allMutants().find((one) => one.name === name)
  if (!mutant) throw new RangeError(`there is no mutant ${name}`)
  return overlayOf(mutant)
}
