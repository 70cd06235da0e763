/** Where a text stops being JSON. Engines tell it in different words, some not at all, and quote the text with it. */
export interface JsonFault {
  /** from 1 */
  readonly line: number
  /** from 1 */
  readonly column: number
  /** what may be the matter; '' where nothing can be guessed */
  readonly hint: string
}

/** Finds the fault in a text that is not JSON: the first character with which no good text begins. */
export function jsonFault(text: string): JsonFault {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (canGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  const before = text.slice(0, good).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, hint: hintFor(text, good) }
}

/** Whether the text is JSON, or the beginning of some. */
function canGoOn(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const position = /at position (\d+)/.exec(message)?.[1]
    return /end of JSON|^Unterminated/.test(message) || Number(position) >= text.length
  }
}

function hintFor(text: string, position: number): string {
  if (text.trim() === '') return 'the file is empty'
  const rest = text.slice(position)
  if (rest === '') return 'it ends too early: a bracket or a quote is not closed'
  if (rest.startsWith('/')) return 'JSON has no comments; a .ts file may hold some'
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(0, position))) return 'there is a comma too many before it'
  if (/^['A-Za-z_]/.test(rest)) return 'JSON takes double quotes around every name and every text'
  return ''
}
