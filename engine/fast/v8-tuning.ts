import { setFlagsFromString } from 'node:v8'

const [V8_MAJOR] = process.versions.v8.split('.')

/**
 * A run lasts seconds and executes much code a little. By default V8 spends a quarter of a short run's processor time
 * on optimising code that hardly runs again. So it waits half as long again. V8 counts the bytes of bytecode that a
 * function executes before it may be optimised: 67,584 by default. A standard run takes least with 100,000: with the
 * default all its threads take 1 to 10 % more. With 200,000 the thread that sends takes 6 to 11 % more, and with 400,000
 * 13 to 20 %. Only the engine of Node 20 has this flag; others refuse to start with it.
 */
export const PATIENT_ENGINE: readonly string[] = V8_MAJOR === '11' ? ['--interrupt-budget=100000'] : []

/** For programs, not for libraries: it holds for the whole process. */
export function tuneEngine(): void {
  for (const flag of PATIENT_ENGINE) setFlagsFromString(flag)
}
