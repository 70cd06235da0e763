import { setFlagsFromString } from 'node:v8'

// What forwarding and recording make is garbage at once, so a small young generation is enough. One that has grown while
// the program was loaded, or under load, never shrinks.
//
// Paid for by 'sixteen streams of 5 MB at a time' (`cli/e2e/proof/record-memory.test.ts`), whose peak has to stay below
// 150 MiB: it is 129 MiB with both settings, and 168 MiB with the limit of the recorder's thread alone.

/**
 * From now on V8 leaves the young generation as large as it is, in all threads of the process. It forgets this whenever a
 * thread starts. For programs, not for libraries.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Limits of the recorder's thread. */
export const RECORDER_LIMITS: { readonly maxYoungGenerationSizeMb: number } = { maxYoungGenerationSizeMb: 4 }
