import fc from 'fast-check'

/** Draws `count` values from an arbitrary: the same for the same seed. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): T[] {
  return fc.sample(arbitrary, { seed, numRuns: count })
}

/** A number of its own for each use within a case. */
export function subSeed(seed: number, use: string): number {
  let value = seed
  for (const character of use) value = (Math.imul(value, 31) + (character.codePointAt(0) ?? 0)) | 0
  return value >>> 1
}
