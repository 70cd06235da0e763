import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import type { Taken, TakenBody } from './taken.ts'

/**
 * Exchanges on their way to the other thread: one lump of memory, which is not copied. Many strings and buffers would be
 * slow to hand over, and what waits for its batch as objects would keep the collector of garbage busy.
 */
export interface Packed {
  readonly memory: ArrayBuffer
  readonly exchanges: number
}

/** Makes lumps of exchanges. */
export interface Packer {
  readonly count: () => number
  /** false: there is no room for it beside the others, so that the lump has to be finished first */
  add(taken: Taken): boolean
  /** what was added, in memory of its size; the lump is empty then */
  finish(): Packed
}

/** An exchange with its number in the order in which requests arrived. */
export interface Unpacked {
  readonly number: number
  readonly raw: RawExchange
}

/** Bytes of a lump, but for one exchange that needs more. */
const LUMP = 131_072
/** Cannot stand in a header, a path or a method. */
const BETWEEN = '\0'
const FIXED_WORDS = 10
/** Numbers of each exchange. */
const NUMBERS = 13

export function createPacker(): Packer {
  const usual = lumpOf(new ArrayBuffer(LUMP))
  let lump = usual
  let place = 0
  let count = 0
  return {
    count: () => count,
    add(taken) {
      const words = wordsOf(taken)
      const { request, response } = taken
      const bytes = (NUMBERS << 3) + words.length + request.kept + response.kept
      if (place + bytes > lump.bytes.length) {
        if (count > 0) return false
        lump = lumpOf(new ArrayBuffer(aligned(bytes)))
      }
      const { numbers, bytes: into } = lump
      const at = place >> 3
      numbers[at] = taken.number
      numbers[at + 1] = taken.startedAt
      numbers[at + 2] = taken.endedAt
      numbers[at + 3] = taken.connection
      numbers[at + 4] = taken.status
      numbers[at + 5] = words.length
      numbers[at + 12] = taken.stalled
      place += NUMBERS << 3
      place += into.write(words, place, 'latin1')
      place = copy(request, into, place, numbers, at + 6)
      place = aligned(copy(response, into, place, numbers, at + 9))
      count += 1
      return true
    },
    finish() {
      // What waits may not take more memory than it is counted for.
      const packed = { memory: lump.memory.slice(0, place), exchanges: count }
      lump = usual
      place = 0
      count = 0
      return packed
    },
  }
}

/**
 * The exchanges again, one by one. Their bodies are views of the lump. `session` stands before each id.
 */
export function* unpack({ memory, exchanges }: Packed, session: string): Generator<Unpacked> {
  const { numbers, bytes } = lumpOf(memory)
  let place = 0
  for (let index = 0; index < exchanges; index += 1) {
    const at = place >> 3
    const number = (slot: number): number => numbers[at + slot] ?? 0
    place += NUMBERS << 3
    const parts = bytes.toString('latin1', place, place + number(5)).split(BETWEEN)
    place += number(5)
    const headersEnd = FIXED_WORDS + Number(parts[6])
    const answerEnd = headersEnd + Number(parts[7])
    const body = (slot: number, sha256 = ''): RawBody => {
      const kept = bytes.subarray(place, place + number(slot + 1))
      place += kept.length
      const whole = { bytes: number(slot), kept, cut: number(slot + 2) === 1 }
      return sha256 === '' ? whole : { ...whole, sha256 }
    }
    const error = parts[5] ?? ''
    const raw: RawExchange = {
      id: idOf(session, number(0)),
      startedAt: number(1),
      endedAt: number(2),
      ...(number(12) > 0 ? { stalled: number(12) } : {}),
      method: parts[0] ?? '',
      url: parts[1] ?? '',
      httpVersion: parts[2] ?? '',
      requestHeaders: parts.slice(FIXED_WORDS, headersEnd),
      requestBody: body(6, parts[8]),
      status: number(4),
      statusText: parts[3] ?? '',
      responseHeaders: parts.slice(headersEnd, answerEnd),
      responseTrailers: parts.slice(answerEnd),
      responseBody: body(9, parts[9]),
      outcome: (parts[4] ?? 'reset') as ExchangeOutcome,
      ...(error === '' ? {} : { error: Buffer.from(error, 'latin1').toString() }),
      client: { connection: number(3) },
    }
    place = aligned(place)
    yield { number: number(0), raw }
  }
}

/** Ids sort in the order in which requests arrived. */
function idOf(session: string, number: number): string {
  return `${session}-${String(number).padStart(9, '0')}`
}

function lumpOf(memory: ArrayBuffer): { memory: ArrayBuffer; numbers: Float64Array; bytes: Buffer } {
  return { memory, numbers: new Float64Array(memory), bytes: Buffer.from(memory) }
}

function aligned(bytes: number): number {
  return (bytes + 7) & ~7
}

/** What Node's parser read has one byte a character; only the words about an error may have others. */
function wordsOf(one: Taken): string {
  const { requestHeaders, responseHeaders, trailers } = one
  const error = one.error === '' ? '' : Buffer.from(one.error).toString('latin1')
  let text = `${one.method}\0${one.url}\0${one.httpVersion}\0${one.statusText}\0${one.outcome}\0${error}\0${requestHeaders.length}\0${responseHeaders.length}\0${one.request.sha256}\0${one.response.sha256}`
  for (const word of requestHeaders) text += BETWEEN + word
  for (const word of responseHeaders) text += BETWEEN + word
  for (const word of trailers) text += BETWEEN + word
  return text
}

/** Returns the place behind the body. `slot`: of its three numbers. */
function copy(body: TakenBody, into: Buffer, from: number, numbers: Float64Array, slot: number): number {
  numbers[slot] = body.bytes
  numbers[slot + 1] = body.kept
  numbers[slot + 2] = body.cut ? 1 : 0
  let place = from
  for (const chunk of body.chunks) {
    into.set(chunk, place)
    place += chunk.length
  }
  return place
}
