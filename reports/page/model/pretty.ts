const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/gsu
const LONGEST = 200_000

/**
 * JSON text, indented. Nothing but the blanks between its tokens changes: doubled keys, long numbers and escapes stay
 * as they were sent. What is no JSON, or was cut, stays whole.
 */
export function pretty(text: string): string {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text)) return text
  const tokens = tokensOf(text)
  if (!tokens) return text
  let out = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') {
      out += token
      depth += 1
      if (!isClosing(tokens[index + 1])) out += line()
    } else if (isClosing(token)) {
      depth = Math.max(0, depth - 1)
      const before = tokens[index - 1]
      out += before === '{' || before === '[' ? token : line() + token
    } else if (token === ',') out += `,${line()}`
    else if (token === ':') out += ': '
    else out += token
  }
  return out
}

/** Undefined where something stands between the tokens that belongs to none. */
function tokensOf(text: string): string[] | undefined {
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
