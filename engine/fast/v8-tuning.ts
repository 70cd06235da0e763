import { setFlagsFromString } from 'node:v8'

const [V8_MAJOR] = process.versions.v8.split('.')

/**
 * A run lasts seconds and executes much code a little. By default V8 spends a quarter of a short run's processor time
 * on optimising code that hardly runs again. So it waits half as long again. V8 counts the bytes of bytecode that a
 * function executes before it may be optimised: 67,584 by default. With 100,000 a standard run takes least: with 66,000
 * all its threads take 3 % more, and with 200,000 or 400,000 4 to 8 % more, most of it in the thread that sends. Only the
 * engine of Node 20 has this flag; others refuse to start with it.
 */
export const PATIENT_ENGINE: readonly string[] = V8_MAJOR === '11' ? ['--interrupt-budget=100000'] : []

/**
 * To judge a recording, hundreds of functions run hot, each a little. By default V8 puts so many of them into each other
 * that a fifth of a check of 50,000 exchanges is compiling. With less than half of that, the check takes a tenth less of
 * the processor's time, and one of 200,000 as well.
 */
export const JUDGING_ENGINE: readonly string[] =
  V8_MAJOR === '11' ? ['--max-inlined-bytecode-size-cumulative=400'] : []

/** For programs, not for libraries: it holds for the whole process. */
export function tuneEngine(flags: readonly string[] = PATIENT_ENGINE): void {
  for (const flag of flags) setFlagsFromString(flag)
}
