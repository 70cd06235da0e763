/** The JSON value in a text; undefined: it is none. Each value in it has a text, as `String` and templates need it. */
export function jsonIn(text: string | undefined): unknown {
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    return undefined
  }
  if (text !== undefined && mayHideText(text)) showTexts(value)
  return value
}

/** Whether a field of the name that makes a text of an object may stand in JSON; letters of it may be escaped. */
function mayHideText(text: string): boolean {
  return text.includes('toString') || (text.includes('\\u00') && /\\u00[4-7]/.test(text))
}

/** Gives a text to each object whose own field hides it. The JSON value stays the same. */
export function showTexts(value: unknown): void {
  // Those of YAML may hold themselves.
  const found = new Set([value])
  for (const one of found) {
    if (typeof one !== 'object' || one === null) continue
    if (Object.hasOwn(one, 'toString')) Object.defineProperty(one, Symbol.toPrimitive, TEXT)
    for (const child of Object.values(one)) if (typeof child === 'object') found.add(child)
  }
}

const TEXT = { value: () => '[object Object]' }

/** All texts within a JSON value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

/** The texts and numbers in a value: either may be an id. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(namesIn) : []
}

/** Where a text stops being JSON. Engines tell it in different words, some not at all, and quote the text with it. */
export interface JsonFault {
  /** from 1 */
  readonly line: number
  /** from 1 */
  readonly column: number
  /** what may be the matter; '' where nothing can be guessed */
  readonly hint: string
}

/** Characters that are looked at: of a longer text each look takes long. */
const MOST = 1 << 20

/** Finds the fault in a text that is not JSON: the first character with which no good text begins. */
export function jsonFault(whole: string): JsonFault {
  const text = whole.slice(0, MOST)
  if (text.length < whole.length && canGoOn(text)) return placed(whole, complaintOf(whole)?.position ?? whole.length)
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (canGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return placed(text, good)
}

/** A field that stands twice in one object, of which a reader would take the last. */
export interface RepeatedField extends Pick<JsonFault, 'line' | 'column'> {
  readonly name: string
}

/** Finds the first field in a text of JSON that stands twice in its object; undefined: there is none. */
export function repeatedField(json: string): RepeatedField | undefined {
  const [first] = repeats(json)
  if (!first) return undefined
  const { line, column } = placed(json, first.start)
  return { name: first.name, line, column }
}

/** The value in a text of JSON, of which a reader takes the first of each field that stands twice; undefined: it is none. */
export function firstOfEach(json: string): unknown {
  // No client sends such a name but to be left out.
  const left = '\u0000'
  let text = ''
  let taken = 0
  for (const { start, end } of repeats(json)) {
    text += `${json.slice(taken, start)}"\\u0000"`
    taken = end + 1
  }
  try {
    return JSON.parse(text + json.slice(taken), (name, value) => (name === left ? undefined : value))
  } catch {
    return undefined
  }
}

/** The names in a text of JSON that stood in their object before, each with the places of its quotes. */
function* repeats(json: string): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  /** the names in each object that is open; undefined: a list */
  const open: (Set<string> | undefined)[] = []
  let mayBeName = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '"') {
      const end = endOfString(json, at)
      const names = mayBeName ? open.at(-1) : undefined
      if (names) {
        const name = JSON.parse(json.slice(at, end + 1)) as string
        if (names.has(name)) yield { name, start: at, end }
        names.add(name)
      }
      mayBeName = false
      at = end
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : undefined)
      mayBeName = sign === '{'
    } else if (sign === '}' || sign === ']') {
      open.pop()
      mayBeName = false
    } else if (sign === ',') mayBeName = true
  }
}

/** Where the string ends that begins at a quote; the length where it does not. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

const BACKSLASH = 0x5c

function placed(text: string, position: number): JsonFault {
  const before = text.slice(0, position)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: position - start + 1, hint: hintFor(text, position) }
}

/** What the engine says of a text that is not JSON, and where, as far as it says so; undefined: it is JSON. */
function complaintOf(text: string): { readonly message: string; readonly position: number | undefined } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const position = /at position (\d+)/.exec(message)?.[1]
    return { message, position: position === undefined ? undefined : Number(position) }
  }
}

/** Whether the text is JSON, or the beginning of some. */
function canGoOn(text: string): boolean {
  const { message = 'end of JSON', position = -1 } = complaintOf(text) ?? {}
  return /end of JSON|^Unterminated/.test(message) || position >= text.length
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
