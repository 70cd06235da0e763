import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

// What forwarding and recording make is garbage at once, so a small young generation is enough. A young generation that
// grew while the program was loaded, or under load, takes memory for long. One that is too small costs time, since V8
// copies live data whenever it is full.
//
// Paid for by 'sixteen streams of 5 MB at a time' (`cli/e2e/proof/record-memory.test.ts`), whose peak has to stay below
// 150 MiB. Also by `npm run bench:proxy -- --only speed --stages bare,forward,judge`: with half a MiB, V8's default,
// forwarding takes 9 % more CPU.

/** Bytes of both halves of the young generation up to which it may grow. */
const FORWARDING = 8 << 20
/** Milliseconds between two looks at it. */
const OFTEN = 200

/**
 * From now on V8 leaves the young generation as large as it is, in all threads of the process. It forgets this whenever a
 * thread starts. For programs, not for libraries.
 */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * The same until the program ends, but lets the young generation grow to the size that forwarding needs: V8 begins with
 * less, and goes back to that while there is nothing to do.
 */
export function tendYoungGeneration(): void {
  keepYoungGeneration()
  let grows = false
  setInterval(() => {
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
    const mayGrow = (space?.space_size ?? FORWARDING) < FORWARDING
    // Set again and again: the recorder's thread, too, says that nothing grows when it starts.
    if (mayGrow || grows) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
    grows = mayGrow
  }, OFTEN).unref()
}

/** Limits of the recorder's thread. */
export const RECORDER_LIMITS: { readonly maxYoungGenerationSizeMb: number } = { maxYoungGenerationSizeMb: 4 }
