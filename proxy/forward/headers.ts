import { HOP_BY_HOP } from '../../fixtures/http/wire.ts'
import { headerOf } from '../../fixtures/recording/raw.ts'
import type { Target } from './target.ts'

/** The header fields that give a body's length. */
export type Framing = 'none' | 'length' | 'chunked' | 'until-close'

/** Hop-by-hop names are all this long or longer or begin with one of few letters: most names need no lower case copy. */
const LENGTHS = new Set([...HOP_BY_HOP].map((name) => name.length))

/**
 * The header of a request as the target gets it: names, values, order, case and duplicates as they came, without fields
 * for this hop. `raw`, and `more` of our own: name, value, name, value. The target's Host replaces the value of Host,
 * unless that is to stay, or stands for a missing one. Clients of HTTP/1.0 need none, and the target is asked in HTTP/1.1.
 */
export function requestHeaders(
  raw: readonly string[],
  { hostHeader: host, keepHost }: Pick<Target, 'hostHeader' | 'keepHost'>,
  method: string,
  more: readonly string[],
): string[] {
  const named = namedByConnection(raw)
  const kept: string[] = []
  let framed = false
  let hosted = false
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    const value = raw[index + 1] ?? ''
    const { length } = name
    if (length === 4 && name.toLowerCase() === 'host') {
      kept.push(name, keepHost ? value : host)
      hosted = true
      continue
    }
    if (LENGTHS.has(length) || named !== undefined) {
      const lower = name.toLowerCase()
      if (lower === 'transfer-encoding') {
        kept.push(name, value)
        framed = true
        continue
      }
      // Trailers do get through; nothing else that TE can ask for does.
      if (lower === 'te' && /(^|,)\s*trailers\s*($|[,;])/i.test(value)) {
        kept.push(name, 'trailers', 'Connection', 'TE')
        continue
      }
      if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue
    }
    if (length === 14 && name.toLowerCase() === 'content-length') framed = true
    kept.push(name, value)
  }
  if (!hosted) kept.unshift('Host', host)
  // Nothing says that a body follows; said aloud, since the client of Node would announce one otherwise.
  if (!framed && mayCarryBody(method)) kept.push('Content-Length', '0')
  if (more.length > 0) kept.push(...more)
  return kept
}

/** The header of an answer as the client gets it. `version`: of HTTP, as the client speaks it: `1.0`, `1.1`. */
export function responseHeaders(raw: readonly string[], version: string, status: number): string[] {
  const named = namedByConnection(raw)
  const chunks = version !== '1.0' && status !== 204 && status !== 304
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    const value = raw[index + 1] ?? ''
    if (LENGTHS.has(name.length) || named !== undefined) {
      const lower = name.toLowerCase()
      if (lower === 'transfer-encoding') {
        if (chunks) kept.push(name, value)
        continue
      }
      if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue
    }
    kept.push(name, value)
  }
  return kept
}

/** How the end of a request's body is known. */
export function requestFraming(raw: readonly string[]): Framing {
  if (headerOf(raw, 'transfer-encoding') !== undefined) return 'chunked'
  const length = headerOf(raw, 'content-length')
  return length === undefined || Number(length) === 0 ? 'none' : 'length'
}

/**
 * A reason phrase as Node writes it: it reads bytes in one that it does not write, and no client heeds it (RFC 9112, 4).
 */
export function writableReason(reason: string): string {
  return reason.replaceAll(UNWRITABLE, '?')
}

const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g

/** A flat list of header fields as pairs. */
export function pairs(raw: readonly string[]): [string, string][] {
  const found: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) found.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return found
}

function mayCarryBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE' && method !== 'OPTIONS' && method !== 'TRACE'
}

/** Fields that Connection says are for this hop, in lower case. Framing, Host and what ends a message stay. */
function namedByConnection(raw: readonly string[]): Set<string> | undefined {
  let named: Set<string> | undefined
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue
    for (const part of (raw[index + 1] ?? '').split(',')) {
      const lower = part.trim().toLowerCase()
      if (lower === '' || lower === 'keep-alive' || lower === 'close' || NEVER_NAMED.has(lower)) continue
      named ??= new Set()
      named.add(lower)
    }
  }
  return named
}

/** A client that names these would change what the message means, not only what this hop does. */
const NEVER_NAMED = new Set(['content-length', 'transfer-encoding', 'host', 'te', 'trailer', 'authorization'])
