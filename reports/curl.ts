import type { Exchange, HarHeader } from '../schemas/types/exchange.ts'
import { quoted, quotedParts, type ShellPart } from './shell.ts'
import { visible } from './text.ts'

// The placeholder that stands for a configured secret in what was recorded -> the variable that a person sets.
const VARIABLES: Readonly<Record<string, string>> = {
  'access-token': 'ASSAY_ACCESS_TOKEN',
  'service-key': 'ASSAY_SERVICE_KEY',
  'enterprise-key': 'ASSAY_ENTERPRISE_SERVICE_KEY',
  'ingestion-key': 'ASSAY_INGESTION_KEY',
  iam: 'ASSAY_IAM_TOKEN',
  header: 'ASSAY_HEADER',
}

// curl writes these itself, for the connection that it makes.
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'])

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
  // no argument of a process can hold a NUL
  if (body.includes('\0')) return `${printed(body)} | ${[...words, '--data-binary', '@-', word(url)].join(' ')}`
  return [...words, '--data-raw', word(body), word(url)].join(' ')
}

function headerWord({ name, value }: HarHeader, word: (text: string) => string): string {
  return value === '' ? quoted(`${name};`) : word(`${name}: ${value}`)
}

/** Text with its placeholders, as they are or percent-encoded, replaced by variables. */
function wordOf(text: string, variables: Readonly<Record<string, string>>): string {
  const parts: ShellPart[] = []
  let end = 0
  for (const match of text.matchAll(/(?:<|%3C)([a-z-]+)(?::|%3A)configured(?:>|%3E)/gi)) {
    const name = match[1] ?? ''
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (variable === undefined) continue
    parts.push(text.slice(end, match.index), { variable })
    end = match.index + match[0].length
  }
  return quotedParts([...parts, text.slice(end)])
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
