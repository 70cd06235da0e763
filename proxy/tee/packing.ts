import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import type { Taken, TakenBody } from './taken.ts'

/**
 * Exchanges on their way to the other thread. Many small strings and buffers are slow to hand over, few large ones are
 * not: all words of an exchange are one string, all numbers one array, all bodies one buffer, which is not copied.
 */
export interface Packed {
  readonly words: readonly string[]
  readonly numbers: Float64Array
  readonly bodies: Uint8Array<ArrayBuffer>
}

/** Cannot stand in a header, a path or a method. */
const BETWEEN = '\0'
const FIXED_WORDS = 10
/** Of each exchange; the first is its number. */
export const NUMBERS: number = 11

export function pack(exchanges: readonly Taken[]): Packed {
  const words: string[] = []
  const numbers = new Float64Array(exchanges.length * NUMBERS)
  let bytes = 0
  for (const { request, response } of exchanges) bytes += request.kept + response.kept
  const bodies = new Uint8Array(bytes)
  let place = 0
  let at = 0
  for (const one of exchanges) {
    words.push(wordsOf(one))
    const { request, response } = one
    numbers[at] = one.number
    numbers[at + 1] = one.startedAt
    numbers[at + 2] = one.endedAt
    numbers[at + 3] = one.connection
    numbers[at + 4] = one.status
    numbers[at + 5] = request.bytes
    numbers[at + 6] = request.kept
    numbers[at + 7] = request.cut ? 1 : 0
    numbers[at + 8] = response.bytes
    numbers[at + 9] = response.kept
    numbers[at + 10] = response.cut ? 1 : 0
    at += NUMBERS
    place = copy(request, bodies, place)
    place = copy(response, bodies, place)
  }
  return { words, numbers, bodies }
}

/** The exchanges again. Their bodies are views of one buffer. `session` stands before each id. */
export function unpack({ words, numbers, bodies }: Packed, session: string): RawExchange[] {
  const all = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.byteLength)
  let place = 0
  return words.map((joined, index) => {
    const number = (slot: number): number => numbers[index * NUMBERS + slot] ?? 0
    const parts = joined.split(BETWEEN)
    const sent = Number(parts[6])
    const received = Number(parts[7])
    const headersEnd = FIXED_WORDS + sent
    const answerEnd = headersEnd + received
    const body = (slot: number, sha256 = ''): RawBody => {
      const kept = all.subarray(place, place + number(slot + 1))
      place += kept.length
      const whole = { bytes: number(slot), kept, cut: number(slot + 2) === 1 }
      return sha256 === '' ? whole : { ...whole, sha256 }
    }
    const error = parts[5] ?? ''
    return {
      id: idOf(session, number(0)),
      startedAt: number(1),
      endedAt: number(2),
      method: parts[0] ?? '',
      url: parts[1] ?? '',
      httpVersion: parts[2] ?? '',
      requestHeaders: parts.slice(FIXED_WORDS, headersEnd),
      requestBody: body(5, parts[8]),
      status: number(4),
      statusText: parts[3] ?? '',
      responseHeaders: parts.slice(headersEnd, answerEnd),
      responseTrailers: parts.slice(answerEnd),
      responseBody: body(8, parts[9]),
      outcome: (parts[4] ?? 'reset') as ExchangeOutcome,
      ...(error === '' ? {} : { error }),
      client: { connection: number(3) },
    }
  })
}

/** Ids sort in the order in which requests arrived. */
function idOf(session: string, number: number): string {
  return `${session}-${String(number).padStart(9, '0')}`
}

function wordsOf(one: Taken): string {
  const { requestHeaders, responseHeaders, trailers } = one
  let text = `${one.method}\0${one.url}\0${one.httpVersion}\0${one.statusText}\0${one.outcome}\0${one.error}\0${requestHeaders.length}\0${responseHeaders.length}\0${one.request.sha256}\0${one.response.sha256}`
  for (const word of requestHeaders) text += BETWEEN + word
  for (const word of responseHeaders) text += BETWEEN + word
  for (const word of trailers) text += BETWEEN + word
  return text
}

function copy(body: TakenBody, into: Uint8Array, from: number): number {
  let place = from
  for (const chunk of body.chunks) {
    into.set(chunk, place)
    place += chunk.length
  }
  return place
}
