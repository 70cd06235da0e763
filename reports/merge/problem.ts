/** Reports that cannot become one. The message says why, `where` which of them, `hint` what to do. */
export class MergeError extends Error {
  override readonly name = 'MergeError'
  readonly where: string
  readonly hint: string

  constructor(where: string, message: string, hint: string) {
    super(message)
    this.where = where
    this.hint = hint
  }
}
