import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { GenerateError } from './values/schema-set.ts'

/** A drawn value that can be made smaller, and its smaller ones again. */
export interface Drawn {
  readonly value: unknown
  smaller(): Iterable<Drawn>
}

/** Draws `count` values. The same seed draws the same values, however many more are drawn after them. */
export function drawShrinkable(arbitrary: fc.Arbitrary<unknown>, seed: number, count: number): Drawn[] {
  if (count === 0) return []
  return fc.sample(new Captured(arbitrary), { seed, numRuns: count }).map((captured) => asDrawn(arbitrary, captured))
}

function asDrawn(arbitrary: fc.Arbitrary<unknown>, captured: fc.Value<unknown>): Drawn {
  return {
    value: captured.value,
    *smaller() {
      for (const next of arbitrary.shrink(captured.value, captured.context)) yield asDrawn(arbitrary, next)
    },
  }
}

/** Hands out the value together with its context, which shrinking needs. */
class Captured extends fc.Arbitrary<fc.Value<unknown>> {
  readonly #source: fc.Arbitrary<unknown>

  constructor(source: fc.Arbitrary<unknown>) {
    super()
    this.#source = source
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<fc.Value<unknown>> {
    return new fc.Value(this.#source.generate(random, bias), undefined)
  }

  canShrinkWithoutContext(_value: unknown): _value is fc.Value<unknown> {
    return false
  }

  shrink(): fc.Stream<fc.Value<fc.Value<unknown>>> {
    return fc.Stream.nil()
  }
}

const LIMIT = 10_000

/**
 * Keeps the values for which `keep` holds, while shrinking too. Unlike `filter` it gives up: after many misses in a row
 * it throws a `GenerateError` that names the place.
 */
export function bounded<T>(
  source: fc.Arbitrary<T>,
  keep: (value: T) => boolean,
  place: string,
  what: string,
): fc.Arbitrary<T> {
  let missed = 0
  return source.filter((value) => {
    missed = keep(value) ? 0 : missed + 1
    if (missed >= LIMIT) throw new GenerateError(place, `${what}: none among ${LIMIT} drawn`)
    return missed === 0
  })
}

/** Draws `count` values from an arbitrary: the same for the same seed. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): T[] {
  return fc.sample(arbitrary, { seed, numRuns: count })
}

/** A number of its own for each use within a case. */
export function subSeed(seed: number, use: string): number {
  return seedOf(seed, use) >>> 1
}

/** A 32-bit seed made of a seed and the names of what it is for (FNV-1a), so that each gets its own values. */
export function seedOf(seed: number, ...names: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const character of `${seed}\n${names.join('\n')}`) {
    hash ^= character.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  return hash | 0
}

/** The seed of one case: the same whatever else runs, in any worker. A 31-bit integer. */
export function caseSeed(runSeed: number, caseId: string): number {
  return createHash('sha256').update(`${runSeed}:${caseId}`).digest().readUInt32BE(0) >>> 1
}

/** A short name for a case in the labels of what it makes: [a-z0-9]{6}. */
export function caseTag(caseId: string): string {
  const number = createHash('sha256').update(caseId).digest().readUInt32BE(0)
  return number.toString(36).padStart(6, '0').slice(-6)
}
