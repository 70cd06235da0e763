import fc from 'fast-check'

/** A drawn value that can be made smaller, and its smaller ones again. */
export interface Drawn {
  readonly value: unknown
  smaller(): Iterable<Drawn>
}

/** Draws `count` values. The same seed draws the same values, however many more are drawn after them. */
export function draw(arbitrary: fc.Arbitrary<unknown>, seed: number, count: number): Drawn[] {
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
