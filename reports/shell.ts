import type { Exchange, HarHeader } from '../schemas/types/exchange.ts'
import { plainJson } from './inert.ts'
import { visible, widthOf } from './text.ts'

/** A piece of a shell word: literal text, or the value of an environment variable. */
export type ShellPart = string | { readonly variable: string }

/** One word of a shell line that stands for exactly `text`: bare, in single quotes, or with escapes where it must be. */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (visible(text) === text) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${[...text].map(ansiEscaped).join('')}'`
}

/** One word made of literal text and variables. Variables stand inside double quotes, so that their values are not split. */
export function quotedParts(parts: readonly ShellPart[]): string {
  if (parts.every((part) => typeof part !== 'string' || /^[\w@%+=:,./ -]*$/.test(part))) {
    if (parts.every((part) => typeof part === 'string')) return quoted(parts.join(''))
    return `"${parts.map((part, index) => (typeof part === 'string' ? part : named(part.variable, parts[index + 1]))).join('')}"`
  }
  return parts
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? quoted(part) : `"$${part.variable}"`))
    .join('')
}

function named(variable: string, next: ShellPart | undefined): string {
  return typeof next === 'string' && /^\w/.test(next) ? `\${${variable}}` : `$${variable}`
}

function ansiEscaped(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`
  const shown = visible(character)
  if (shown === character) return character
  if (/^\\[nrt]$/.test(shown)) return shown
  return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

type Quotes = 'none' | 'single' | 'ansi' | 'double'

// What must stay together when a line is folded, by the kind of quotes that it stands in.
const ATOMS: Readonly<Record<Quotes, RegExp>> = {
  none: /\\.|\$'|\$\{\w+\}|\$\w+|./suy,
  single: /./suy,
  ansi: /\\x[0-9a-f]{2}|\\.|./suy,
  double: /\\.|\$\{\w+\}|\$\w+|./suy,
}
const OPEN: Readonly<Record<Quotes, string>> = { none: '', single: "'", ansi: "$'", double: '"' }
const CLOSE: Readonly<Record<Quotes, string>> = { none: '', single: "'", ansi: "'", double: '"' }

interface Atom {
  readonly text: string
  readonly kind: 'open' | 'close' | 'content'
  readonly quotes: Quotes
}

/**
 * A shell line folded into lines of at most `columns` that a shell reads as the same words. It breaks between words
 * where it can, with an indent. Inside a word that is longer than a line it closes the quotes and goes on at the
 * margin.
 */
export function foldShell(line: string, columns: number, indent = '  '): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of words(atoms(line))) {
    const text = word.map((atom) => atom.text).join('')
    if (current !== '' && widthOf(current) + 1 + widthOf(text) + 2 <= columns) {
      current += ` ${text}`
      continue
    }
    if (current !== '') {
      lines.push(`${current} \\`)
      current = indent
    }
    const parted = widthOf(current) + widthOf(text) + 2 <= columns ? [current + text] : partWord(current, word, columns)
    current = parted.pop() ?? ''
    lines.push(...parted)
  }
  return [...lines, current]
}

/** `start` and the word in lines of at most `columns`, all but the last ended by a backslash. */
function partWord(start: string, word: readonly Atom[], columns: number): string[] {
  const lines: string[] = []
  let line = start
  for (const atom of word) {
    if (atom.kind !== 'close') {
      const reserve = atom.kind === 'open' ? 5 : CLOSE[atom.quotes].length + 2
      const begun = line.trim().length > OPEN[atom.quotes].length
      if (begun && widthOf(line) + widthOf(atom.text) + reserve > columns) {
        const inside = atom.kind === 'content'
        lines.push(`${line}${inside ? CLOSE[atom.quotes] : ''}\\`)
        line = inside ? OPEN[atom.quotes] : ''
      }
    }
    line += atom.text
  }
  return [...lines, line]
}

function atoms(line: string): Atom[] {
  const found: Atom[] = []
  let quotes: Quotes = 'none'
  for (let index = 0; index < line.length; ) {
    const pattern = ATOMS[quotes]
    pattern.lastIndex = index
    const text = pattern.exec(line)?.[0] ?? line.slice(index)
    index += text.length
    if (quotes === 'none') {
      quotes = opening(text)
      found.push({ text, kind: quotes === 'none' ? 'content' : 'open', quotes })
    } else if (text === CLOSE[quotes]) {
      found.push({ text, kind: 'close', quotes })
      quotes = 'none'
    } else found.push({ text, kind: 'content', quotes })
  }
  return found
}

function opening(text: string): Quotes {
  if (text === "'") return 'single'
  if (text === "$'") return 'ansi'
  return text === '"' ? 'double' : 'none'
}

function words(all: readonly Atom[]): Atom[][] {
  const found: Atom[][] = [[]]
  for (const atom of all) {
    if (atom.quotes === 'none' && atom.text === ' ') found.push([])
    else found.at(-1)?.push(atom)
  }
  return found.filter((word) => word.length > 0)
}

// The placeholder that stands for a configured secret in what was recorded -> the variable that a person sets.
const VARIABLES: Readonly<Record<string, string>> = {
  'access-token': 'ASSAY_ACCESS_TOKEN',
  'service-key': 'ASSAY_SERVICE_KEY',
  'enterprise-key': 'ASSAY_ENTERPRISE_SERVICE_KEY',
  'ingestion-key': 'ASSAY_INGESTION_KEY',
  iam: 'ASSAY_IAM_TOKEN',
  header: 'ASSAY_HEADER',
}

// curl writes these itself, for the connection that it makes, and so does fetch.
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
])

// Kernels refuse a single argument of 128 KiB.
const LONGEST_ARGUMENT = 100_000

/**
 * The request of an exchange as one line for a shell. Configured secrets appear as environment variables
 * (`$ASSAY_ACCESS_TOKEN`), other placeholders as they were recorded; nothing in it acts on a terminal. `variables`: kind
 * of a secret, such as `access-token`, to the variable that holds it, where that has another name.
 */
export function curlLine(exchange: Exchange, variables: Readonly<Record<string, string>> = {}): string {
  const word = (text: string): string => wordOf(text, { ...VARIABLES, ...variables })
  const { method, url, headers, postData } = exchange.request
  const body = postData?.text
  const words = ['curl', '-sS', '-i', '-g']
  if (/\/\.\.?(\/|$|\?)/.test(url)) words.push('--path-as-is')
  if (method !== 'GET' || body !== undefined) words.push('-X', quoted(method))
  for (const header of headers) {
    if (!OWN_HEADERS.has(header.name.toLowerCase())) words.push('-H', headerWord(header, word))
  }
  if (body === undefined) return [...words, word(url)].join(' ')
  // curl would call the body a form where no type is given
  if (!headers.some(({ name }) => name.toLowerCase() === 'content-type')) words.push('-H', "'Content-Type:'")
  if (Buffer.byteLength(body) > LONGEST_ARGUMENT) {
    return [...words, '--data-binary', quoted(`@${exchange._id.replaceAll('/', '-')}.body`), word(url)].join(' ')
  }
  if (postData?.encoding === 'base64') {
    const bytes = [...atob(body)].map((byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)
    return `printf ${quoted(bytes.join(''))} | ${[...words, '--data-binary', '@-', word(url)].join(' ')}`
  }
  // no argument of a process can hold a NUL
  if (body.includes('\0')) return `${printed(body)} | ${[...words, '--data-binary', '@-', word(url)].join(' ')}`
  return [...words, '--data-raw', word(body), word(url)].join(' ')
}

function headerWord({ name, value }: HarHeader, word: (text: string) => string): string {
  return value === '' ? quoted(`${name};`) : word(`${name}: ${value}`)
}

function wordOf(text: string, variables: Readonly<Record<string, string>>): string {
  return quotedParts(partsOf(text, variables))
}

/** Text with its placeholders, as they are or percent-encoded, replaced by variables. */
function partsOf(text: string, variables: Readonly<Record<string, string>> = VARIABLES): ShellPart[] {
  const parts: ShellPart[] = []
  let end = 0
  for (const match of text.matchAll(/(?:<|%3C)([a-z-]+)(?::|%3A)configured(?:>|%3E)/gi)) {
    const name = match[1] ?? ''
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (variable === undefined) continue
    parts.push(text.slice(end, match.index), { variable })
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function printed(body: string): string {
  const octal = [...body].map((character) => {
    if (character === '\\') return '\\\\'
    if (character === '%') return '%%'
    if (visible(character) === character) return character
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  })
  return `printf ${quoted(octal.join(''))}`
}

/** The request of an exchange as a call of `fetch`. Configured secrets are taken from the environment. */
export function fetchCall({ request }: Exchange): string {
  const { method, url, headers, postData } = request
  const lines = [`  method: ${written(method)},`]
  const sent = headers.filter(({ name }) => !OWN_HEADERS.has(name.toLowerCase()))
  if (sent.length > 0) {
    const pairs = sent.map(({ name, value }) => `    [${written(name)}, ${written(value)}],`)
    lines.push('  headers: [', ...pairs, '  ],')
  }
  if (postData) {
    const { text, encoding } = postData
    const body =
      encoding === 'base64' ? `Uint8Array.from(atob(${written(text)}), (c) => c.charCodeAt(0))` : written(text)
    lines.push(`  body: ${body},`)
  }
  const note = postData?._cut === true ? '// Only the beginning of this body was kept.\n' : ''
  return `${note}await fetch(${written(url)}, {\n${lines.join('\n')}\n})`
}

/** A text of JavaScript that means this, in which nothing acts on its reader. */
function written(text: string): string {
  const parts = partsOf(text)
  if (parts.every((part) => typeof part === 'string')) return plainJson(parts.join(''))
  const inside = parts.map((part) => {
    if (typeof part !== 'string') return `\${process.env.${part.variable}}`
    return plainJson(part)
      .slice(1, -1)
      .replaceAll('\\"', '"')
      .replaceAll(/`|\$\{/g, '\\$&')
  })
  return `\`${inside.join('')}\``
}
