/** The first thing in a bundle that does not agree with the rest of it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  /** the file, and the place in it */
  readonly where: string

  constructor(where: string, message: string) {
    super(message)
    this.where = where
  }
}
