/** A schema that no value can be made for: a contradiction, or a keyword that the generators do not know. */
export class GenerateError extends Error {
  /** schema and JSON pointer of the value: 'tap-request /limit' */
  readonly place: string

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`)
    this.name = 'GenerateError'
    this.place = place
  }
}
