import fc from 'fast-check'
import { GenerateError } from '../generate-error.ts'

const LIMIT = 1000

/**
 * Keeps the values for which `keep` holds, while shrinking too. Unlike `filter` it gives up: after 1000 misses in a row
 * it throws a `GenerateError` that names the place.
 */
export function bounded<T>(
  source: fc.Arbitrary<T>,
  keep: (value: T) => boolean,
  place: string,
  what: string,
): fc.Arbitrary<T> {
  return new Bounded(source, keep, place, what)
}

class Bounded<T> extends fc.Arbitrary<T> {
  readonly #source: fc.Arbitrary<T>
  readonly #keep: (value: T) => boolean
  readonly #place: string
  readonly #what: string

  constructor(source: fc.Arbitrary<T>, keep: (value: T) => boolean, place: string, what: string) {
    super()
    this.#source = source
    this.#keep = keep
    this.#place = place
    this.#what = what
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      const drawn = this.#source.generate(random, bias)
      if (this.#keep(drawn.value)) return drawn
    }
    throw new GenerateError(this.#place, `${this.#what}: none among ${LIMIT} drawn`)
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#source.canShrinkWithoutContext(value) && this.#keep(value)
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#source.shrink(value, context).filter((smaller) => this.#keep(smaller.value))
  }
}
