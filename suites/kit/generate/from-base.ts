/**
 * A value that depends on the good body it goes into: one of the body's own elements, the object without a property.
 * What refers to something that exists must keep its references, so such values cannot be made ahead. `lift` resolves it.
 */
export class FromBase {
  readonly label: string
  readonly #make: (current: unknown) => unknown

  /** `make`: current value at the place (undefined where there is none) to the value that is sent */
  constructor(label: string, make: (current: unknown) => unknown) {
    this.label = label
    this.#make = make
  }

  of(current: unknown): unknown {
    return this.#make(current)
  }

  toString(): string {
    return this.label
  }
}
