/** A JSON token that no JavaScript value is written as: `1.0`, `1e400`, `9007199254740993`. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}
