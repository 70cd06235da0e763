import { HOP_BY_HOP } from '../../fixtures/http/wire.ts'
import { headerOf } from '../../fixtures/recording/raw.ts'
import type { Target } from './target.ts'

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
    if (mayStay(name, named)) {
      kept.push(name, value)
      continue
    }
    const lower = name.toLowerCase()
    if (lower === 'host') {
      kept.push(name, keepHost ? value : host)
      hosted = true
    } else if (lower === 'transfer-encoding' || lower === 'content-length') {
      kept.push(name, value)
      framed = true
    } else if (lower === 'te' && /(^|,)\s*trailers\s*($|[,;])/i.test(value)) {
      // Trailers do get through; nothing else that TE can ask for does.
      kept.push(name, 'trailers', 'Connection', 'TE')
    } else if (!HOP_BY_HOP.has(lower) && !named.has(lower)) kept.push(name, value)
  }
  dropNeedlessTrailer(kept)
  if (!hosted) kept.unshift('Host', host)
  // Nothing says that a body follows; said aloud, since the client of Node would announce one otherwise.
  if (!framed && mayCarryBody(method.toUpperCase())) kept.push('Content-Length', '0')
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
    const lower = mayStay(name, named) ? '' : name.toLowerCase()
    const isKept = lower === 'transfer-encoding' ? chunks : !HOP_BY_HOP.has(lower) && !named.has(lower)
    if (isKept) kept.push(name, raw[index + 1] ?? '')
  }
  dropNeedlessTrailer(kept)
  return kept
}

/** Whether the length of a name tells that it is a field for all hops, which it does of most. */
function mayStay({ length }: string, named: ReadonlySet<string>): boolean {
  return named.size === 0 && !LENGTHS.has(length)
}

const LENGTHS = new Set([...HOP_BY_HOP, 'host', 'content-length'].map(({ length }) => length))

/** Trailers come behind chunks alone. Node writes no message that announces some and has none (RFC 9110, 6.6.2). */
function dropNeedlessTrailer(flat: string[]): void {
  if (headerOf(flat, 'trailer') === undefined || headerOf(flat, 'transfer-encoding') !== undefined) return
  for (let index = flat.length - 2; index >= 0; index -= 2) {
    if (flat[index]?.toLowerCase() === 'trailer') flat.splice(index, 2)
  }
}

/** Whether a request says that a body follows. */
export function announcesBody(raw: readonly string[]): boolean {
  return headerOf(raw, 'transfer-encoding') !== undefined || Number(headerOf(raw, 'content-length') ?? 0) !== 0
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

/** Fields that Connection says are for this hop, in small letters. Framing, Host and what ends a message stay. */
function namedByConnection(raw: readonly string[]): ReadonlySet<string> {
  let named: Set<string> | undefined
  // Twice for each exchange: nothing is made of the other fields.
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.length !== CONNECTION.length || raw[index]?.toLowerCase() !== CONNECTION) continue
    named ??= new Set()
    for (const name of (raw[index + 1] ?? '').toLowerCase().split(',')) named.add(name.trim())
  }
  if (!named) return NONE
  for (const name of NEVER_NAMED) named.delete(name)
  return named
}

const NONE: ReadonlySet<string> = new Set()
/** A client that names these would change what the message means, not only what this hop does. */
const NEVER_NAMED = [
  ...['close', 'keep-alive', 'content-length', 'transfer-encoding'],
  ...['host', 'te', 'trailer', 'authorization'],
] as const
const CONNECTION = 'connection'
