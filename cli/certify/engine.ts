import { setFlagsFromString } from 'node:v8'

/**
 * A run lasts seconds and executes much code a little. By itself the engine spends a quarter of a short run's processor
 * time on making code fast that is then hardly run again; three times as patient, it is done sooner, and long runs do
 * not notice. (V8: bytes of bytecode that a function executes before it may be optimised.)
 */
export const PATIENT_ENGINE: string = '--interrupt-budget=200000'

/** For programs, not for libraries: it holds for the whole process. */
export function tuneEngine(): void {
  setFlagsFromString(PATIENT_ENGINE)
}
