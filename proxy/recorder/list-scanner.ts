/** Characters that the text around the list, or one element of it, may have. */
const MOST = 1 << 20
/** Characters of the name of a field that are compared. */
const MOST_NAME = 256

/**
 * Reads a JSON text in pieces. Hands out the elements of one list in it, one at a time, and keeps only the rest of the
 * text. Memory grows with the largest element, not with the list.
 */
export class ListScanner {
  readonly #kept: number
  readonly #onElement: (text: string) => void
  /** names on the way to the list */
  readonly #wanted: readonly string[]
  /** names of the objects that are open, from the outside in; undefined: an array, or no name yet */
  readonly #path: (string | undefined)[] = []
  #outline = ''
  #element = ''
  #elements = 0
  /** length of `path` within the list; -1: not there */
  #listDepth = -1
  #found = false
  #broken = false
  #inString = false
  /** the last character of a piece was a backslash in a string */
  #escaped = false
  /** a string that may be the name of a field, while no list is open */
  #word = ''

  /**
   * `pointer`: JSON pointer of the list, through objects alone, such as `/lines`. `kept`: elements that stay in the text.
   * `onElement`: called with the text of each element.
   */
  constructor(pointer: string, kept: number, onElement: (text: string) => void) {
    this.#wanted = pointer === '' ? [] : pointer.slice(1).split('/')
    this.#kept = kept
    this.#onElement = onElement
  }

  push(text: string): void {
    let at = 0
    while (at < text.length && !this.#broken) at = this.#inString ? this.#string(text, at) : this.#structure(text, at)
  }

  /** The text without the elements after the first few; undefined where the list was not found or the text is too long. */
  end(): string | undefined {
    return this.#found && this.#listDepth < 0 && !this.#broken ? this.#outline : undefined
  }

  /** Takes the rest of a string, as far as the piece goes, and returns where it ends. */
  #string(text: string, from: number): number {
    const end = this.#endOfString(text, from)
    const piece = text.slice(from, end)
    if (this.#listDepth < 0 && this.#word.length < MOST_NAME) this.#word += this.#inString ? piece : piece.slice(0, -1)
    this.#take(piece)
    return end
  }

  #endOfString(text: string, from: number): number {
    const special = /["\\]/g
    special.lastIndex = this.#escaped ? from + 1 : from
    this.#escaped = false
    for (let found = special.exec(text); found; found = special.exec(text)) {
      if (found[0] === '"') {
        this.#inString = false
        return found.index + 1
      }
      special.lastIndex += 1
      this.#escaped = found.index + 1 === text.length
    }
    return text.length
  }

  /** Takes what comes up to the next sign of JSON outside of strings, and the sign. Returns what stands behind it. */
  #structure(text: string, from: number): number {
    const signs = /["[\]{},:]/g
    signs.lastIndex = from
    const found = signs.exec(text)
    const at = found?.index ?? text.length
    if (at > from) this.#take(text.slice(from, at))
    if (!found) return at
    this.#sign(found[0])
    return at + 1
  }

  #sign(sign: string): void {
    const path = this.#path
    const inList = path.length === this.#listDepth
    if (sign === '"') {
      this.#inString = true
      this.#word = ''
    } else if (sign === '[' && !this.#found && this.#isWanted()) {
      this.#take(sign)
      this.#found = true
      this.#listDepth = path.length
      return
    } else if (sign === '[' || sign === '{') path.push(undefined)
    else if (sign === ']' && inList) {
      this.#endElement()
      this.#listDepth = -1
    } else if (sign === ']' || sign === '}') path.pop()
    else if (sign === ',' && inList) {
      this.#endElement()
      return
    } else if (path.length > 0 && (sign === ',' || this.#listDepth < 0)) {
      path[path.length - 1] = sign === ':' ? this.#word : undefined
    }
    this.#take(sign)
  }

  #isWanted(): boolean {
    return this.#path.length === this.#wanted.length && this.#path.every((name, index) => name === this.#wanted[index])
  }

  #take(text: string): void {
    if (this.#listDepth < 0) this.#outline += text
    else this.#element += text
    if (this.#outline.length > MOST || this.#element.length > MOST) this.#broken = true
  }

  #endElement(): void {
    const text = this.#element.trim()
    this.#element = ''
    if (text === '') return
    this.#elements += 1
    if (this.#elements <= this.#kept) this.#outline += this.#elements === 1 ? text : `,${text}`
    this.#onElement(text)
  }
}
