import { setFlagsFromString } from 'node:v8'

// What forwarding and recording make is garbage at once, so a small young generation is enough. One that has grown while
// the program was loaded, or under load, never shrinks.
//
// Paid for by 'sixteen streams of 5 MB at a time' (`cli/e2e/proof/record-memory.test.ts`), whose bound does not hold
// without both: the process begins with 94 MiB instead of 105, and its peak is 125 MiB instead of 138, at most 134
// instead of 161.

/**
 * From now on V8 leaves the young generation as large as it is, in all threads of the process. It forgets this whenever a
 * thread starts. For programs, not for libraries.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Limits of the recorder's thread. */
export const RECORDER_LIMITS: { readonly maxYoungGenerationSizeMb: number } = { maxYoungGenerationSizeMb: 4 }
