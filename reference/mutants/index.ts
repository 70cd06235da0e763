import type { Overlay } from '../core/overlay.ts'
import { breakages } from './breakages.ts'
import { type Mutant, overlayOf } from './mutant.ts'

/** Every deliberate fault of the reference. */
export function allMutants(): readonly Mutant[] {
  return [...breakages]
}

/** @throws RangeError where there is no mutant of that name */
export function mutantOverlay(name: string): Overlay {
  const mutant = allMutants().find((one) => one.name === name)
  if (!mutant) throw new RangeError(`there is no mutant ${name}`)
  return overlayOf(mutant)
}
