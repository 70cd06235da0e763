import { escapeRegExp } from '../../schemas/pattern.ts'
import type { NewLine } from '../model/lines.ts'

/** A test of a line, stored or about to be. */
export type LineTest = (line: NewLine) => boolean

const FIELDS: Readonly<Record<string, (line: NewLine) => readonly string[]>> = {
  host: ({ host }) => [host],
  app: ({ app }) => [app],
  level: ({ level }) => [level],
  env: ({ env }) => [env],
  tag: ({ tags }) => tags,
}

interface Token {
  readonly kind: 'term' | 'or' | 'not' | 'open' | 'close'
  readonly field: string | undefined
  readonly text: string
}

const all: LineTest = () => true

/**
 * Compiles a search: words and "phrases" that the text contains; `host:`, `app:`, `level:`, `env:` and `tag:` with the
 * whole value. They are joined by AND, or by OR between them. `-` or NOT negates a term, parentheses group. Letters
 * match in both cases. An empty search matches every line. Undefined where it cannot be understood.
 */
export function compileQuery(query: string): LineTest | undefined {
  const tokens = tokensOf(query)
  let next = 0

  function either(): LineTest | undefined {
    const tests: LineTest[] = []
    for (;;) {
      const test = every()
      if (!test) return undefined
      tests.push(test)
      if (tokens[next]?.kind !== 'or') return tests.length === 1 ? test : (line) => tests.some((one) => one(line))
      next += 1
    }
  }

  function every(): LineTest | undefined {
    const tests: LineTest[] = []
    while (next < tokens.length && tokens[next]?.kind !== 'or' && tokens[next]?.kind !== 'close') {
      const test = one()
      if (!test) return undefined
      tests.push(test)
    }
    if (tests.length === 0) return undefined
    return (line) => tests.every((test) => test(line))
  }

  function one(): LineTest | undefined {
    const token = tokens[next]
    next += 1
    if (token?.kind === 'not') {
      const test = one()
      return test && ((line) => !test(line))
    }
    if (token?.kind === 'open') {
      const test = either()
      if (tokens[next]?.kind !== 'close') return undefined
      next += 1
      return test
    }
    return token?.kind === 'term' ? termTest(token) : undefined
  }

  if (tokens.length === 0) return all
  const test = either()
  return next === tokens.length ? test : undefined
}

function termTest({ field, text }: Token): LineTest {
  const wanted = text.toLowerCase()
  const values = field === undefined ? undefined : FIELDS[field]
  if (values) return (line) => values(line).some((value) => value.toLowerCase() === wanted)
  // Faster than lower case on both sides, as it makes no copy of the line.
  const pattern = new RegExp(escapeRegExp(text), 'iu')
  return ({ line }) => pattern.test(line)
}

function tokensOf(query: string): Token[] {
  // An optional known field, then a quoted phrase or a word; or one of the signs.
  const pattern = /\s*(?:(-)(?=\S)|([()])|(?:(host|app|level|env|tag):)?(?:"([^"]*)"|([^\s()"]+)))/gy
  const tokens: Token[] = []
  const trimmed = query.trim()
  while (pattern.lastIndex < trimmed.length) {
    const found = pattern.exec(trimmed)
    if (!found) return [{ kind: 'close', field: undefined, text: '' }]
    tokens.push(tokenOf(found))
  }
  return tokens
}

function tokenOf([, minus, bracket, field, phrase, word = '']: readonly (string | undefined)[]): Token {
  const sign = (kind: Token['kind']): Token => ({ kind, field: undefined, text: '' })
  if (minus !== undefined) return sign('not')
  if (bracket !== undefined) return sign(bracket === '(' ? 'open' : 'close')
  if (field === undefined && phrase === undefined) {
    if (word === 'OR') return sign('or')
    if (word === 'NOT') return sign('not')
  }
  return { kind: 'term', field, text: phrase ?? word }
}
