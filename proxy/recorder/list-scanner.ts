/**
 * Reads a JSON text in pieces and hands out the elements of one list in it, one at a time, while only the rest of the
 * text is kept. Memory grows with the largest element, not with the list.
 */
export interface ListScanner {
  push(text: string): void
  /** the text without the elements after the first few; undefined where the list was not found or the text is too long */
  end(): string | undefined
}

export interface ListScannerOptions {
  /** JSON pointer of the list, through objects alone: '/lines' */
  readonly pointer: string
  /** called with the text of each element */
  readonly onElement: (text: string) => void
  /** elements that stay in the text */
  readonly kept: number
}

/** Characters that the text around the list, or one element of it, may have. */
const MOST = 1 << 20

const QUOTE = 34
const BACKSLASH = 92

export function createListScanner({ pointer, onElement, kept }: ListScannerOptions): ListScanner {
  const wanted = pointer === '' ? [] : pointer.slice(1).split('/')
  /** names of the objects that are open, from the outside in; undefined: an array, or no name yet */
  const path: (string | undefined)[] = []
  let outline = ''
  let element = ''
  let elements = 0
  /** length of `path` within the list; -1: not there */
  let listDepth = -1
  let found = false
  let broken = false
  let inString = false
  let escaped = false
  /** a string that may be the name of a field, while no list is open */
  let word = ''

  const take = (text: string): void => {
    if (listDepth < 0) outline += text
    else element += text
    if (outline.length > MOST || element.length > MOST) broken = true
  }
  const endElement = (): void => {
    const text = element.trim()
    element = ''
    if (text === '') return
    elements += 1
    if (elements <= kept) outline += elements === 1 ? text : `,${text}`
    onElement(text)
  }
  const here = (): boolean => path.length === wanted.length && path.every((name, index) => name === wanted[index])

  /** Takes a character that is no part of a string. */
  const structure = (code: number, character: string): void => {
    switch (code) {
      case 91: // [
        if (!found && here()) {
          take(character)
          found = true
          listDepth = path.length
          return
        }
        path.push(undefined)
        break
      case 123: // {
        path.push(undefined)
        break
      case 93: // ]
      case 125: // }
        if (path.length === listDepth && code === 93) {
          endElement()
          listDepth = -1
          break
        }
        path.pop()
        break
      case 44: // ,
        if (path.length === listDepth) {
          endElement()
          return
        }
        if (path.length > 0) path[path.length - 1] = undefined
        break
      case 58: // :
        if (listDepth < 0 && path.length > 0) path[path.length - 1] = word
        break
    }
    take(character)
  }

  return {
    push(text) {
      let index = 0
      while (index < text.length && !broken) {
        if (inString) {
          const end = endOfString(text, index)
          const piece = text.slice(index, end.next)
          if (listDepth < 0 && word.length < 256) word += end.closed ? piece.slice(0, -1) : piece
          take(piece)
          index = end.next
          continue
        }
        const next = nextStructure(text, index)
        if (next > index) {
          take(text.slice(index, next))
          index = next
          continue
        }
        const code = text.charCodeAt(index)
        if (code === QUOTE) {
          inString = true
          word = ''
          take('"')
        } else structure(code, text[index] ?? '')
        index += 1
      }
    },
    end: () => (found && listDepth < 0 && !broken ? outline : undefined),
  }

  function endOfString(text: string, from: number): { next: number; closed: boolean } {
    let index = from
    for (; index < text.length; index += 1) {
      if (escaped) {
        escaped = false
        continue
      }
      const code = text.charCodeAt(index)
      if (code === BACKSLASH) escaped = true
      else if (code === QUOTE) {
        inString = false
        return { next: index + 1, closed: true }
      }
    }
    return { next: index, closed: false }
  }
}

/** Where the next quote, bracket, brace, comma or colon stands; the length where there is none. */
function nextStructure(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
      case 44:
      case 58:
      case 91:
      case 93:
      case 123:
      case 125:
        return index
    }
  }
  return text.length
}
