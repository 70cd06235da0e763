/**
 * Limits of the recorder's thread. What it makes is garbage at once, so a small young generation is enough.
 *
 * Paid for by 'sixteen streams of 5 MB at a time' (`cli/e2e/proof/record-memory.test.ts`), which has to stay below
 * 150 MiB: the peaks of seven runs without this limit went up to 161 MiB, of nine with it up to 149.
 */
export const RECORDER_LIMITS: { readonly maxYoungGenerationSizeMb: number } = { maxYoungGenerationSizeMb: 4 }
