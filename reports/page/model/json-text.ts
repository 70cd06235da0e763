const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/gsu
const LONGEST = 200_000

/** A line of JSON text that was indented. */
export interface JsonLine {
  /** with its indent */
  readonly text: string
  /** JSON pointer of the value that the line shows, begins or ends */
  readonly pointer: string
}

/**
 * JSON text, indented. Nothing but the blanks between its tokens changes: doubled keys, long numbers and escapes stay
 * as they were sent. What is no JSON, or was cut, stays whole.
 */
export function pretty(text: string): string {
  const lines = jsonLines(text)
  return lines ? lines.map((line) => line.text).join('\n') : text
}

interface Level {
  readonly pointer: string
  /** of a list: how many of its values have begun */
  index: number | undefined
}

/** The same line by line; undefined of what is no JSON, or was cut. */
export function jsonLines(text: string): JsonLine[] | undefined {
  const tokens = text.length > LONGEST || !/^\s*[[{]/.test(text) ? undefined : tokensOf(text)
  if (!tokens) return undefined
  const lines: { text: string; pointer: string }[] = []
  const levels: Level[] = []
  /** of the value that comes next */
  let next = ''
  let current = { text: '', pointer: '' }
  const begin = (pointer: string): void => {
    lines.push(current)
    current = { text: '  '.repeat(levels.length), pointer }
  }
  const enter = (): string => {
    const level = levels.at(-1)
    if (level?.index === undefined) return next
    next = `${level.pointer}/${level.index}`
    level.index += 1
    return next
  }
  for (const [place, token] of tokens.entries()) {
    const before = tokens[place - 1]
    const fresh = levels.length > 0 && (before === '{' || before === '[' || before === ',')
    if (isClosing(token)) {
      const closed = levels.pop()
      if (before !== '{' && before !== '[') begin(closed?.pointer ?? '')
      current.text += token
    } else if (token === ',' || token === ':') current.text += token === ':' ? ': ' : ','
    else {
      const level = levels.at(-1)
      const isKey = level !== undefined && level.index === undefined && tokens[place + 1] === ':'
      if (isKey) next = `${level.pointer}/${keyOf(token)}`
      const pointer = isKey ? next : enter()
      if (fresh) begin(pointer)
      current.text += token
      if (token === '{' || token === '[') levels.push({ pointer, index: token === '[' ? 0 : undefined })
    }
  }
  lines.push(current)
  return lines
}

/** Whether a line belongs to a place; `*` in the place stands for any one name. */
export function isAt(pointer: string, place: string): boolean {
  const [parts, wanted] = [pointer.split('/'), place.split('/')]
  return wanted.length <= parts.length && wanted.every((part, index) => part === '*' || part === parts[index])
}

/** A name in the spelling of a pointer. */
function keyOf(token: string): string {
  let name = token
  try {
    name = String(JSON.parse(token))
  } catch {
    // a text that is not JSON stays unchanged
  }
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The tokens of a JSON text, without blanks; undefined where something stands between them that is none. */
export function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== from) return undefined
    from += match[0].length
    if (match[0].trim() !== '') tokens.push(match[0])
  }
  return from === text.length ? tokens : undefined
}

function isClosing(token: string | undefined): boolean {
  return token === '}' || token === ']'
}
