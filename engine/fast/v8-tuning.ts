import { setFlagsFromString } from 'node:v8'

const [V8_MAJOR] = process.versions.v8.split('.')

/**
 * A run lasts seconds and executes much code a little. By default V8 spends a quarter of a short run's processor time
 * on optimising code that hardly runs again. So it waits half as long again. V8 counts the bytes of bytecode that a
 * function executes before it may be optimised: 67,584 by default. With 100,000 a standard run takes least. With the
 * default all its threads take 3 to 10 % more, and with 200,000 or 400,000 4 to 8 % more, most of it in the thread that
 * sends. Only the engine of Node 20 has this flag; others refuse to start with it.
 */
export const PATIENT_ENGINE: readonly string[] = V8_MAJOR === '11' ? ['--interrupt-budget=100000'] : []

/** For programs, not for libraries: it holds for the whole process. */
export function tuneEngine(): void {
  for (const flag of PATIENT_ENGINE) setFlagsFromString(flag)
}
