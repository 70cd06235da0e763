import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'

/**
 * Exchanges on their way to the other thread: few things of one kind instead of some forty texts and objects an exchange.
 *
 * Paid for by `npm run bench:proxy -- --only speed --stages bare,judge`. Posted as objects, an exchange costs the
 * recorder 5 us more, of some 50, and the forwarding thread 3 us.
 */
export interface Packed {
  /** of each exchange its id, method, path, version of HTTP, outcome and header fields, between them a sign that none holds */
  readonly words: readonly string[]
  /** texts that may hold any sign, four an exchange */
  readonly texts: readonly string[]
  readonly numbers: Float64Array
  /** all bodies, one behind the other */
  readonly memory: ArrayBuffer
}

/** Node's parser lets none through in what it reads of a head but the reason phrase. */
const BETWEEN = '\0'
const FIRST_WORDS = 5
const TEXTS = 4
const NUMBERS = 14

/** Takes exchanges one by one, so that their parts are garbage at once. */
export class Packer {
  #words: string[] = []
  #texts: string[] = []
  #numbers: number[] = []
  #bodies: Buffer[] = []
  /** of all bodies */
  bytes = 0
  count = 0

  add(raw: RawExchange): void {
    const { requestHeaders, responseHeaders, responseTrailers, requestBody, responseBody } = raw
    this.#words.push(
      [raw.id, raw.method, raw.url, raw.httpVersion, raw.outcome]
        .concat(requestHeaders, responseHeaders, responseTrailers)
        .join(BETWEEN),
    )
    this.#texts.push(raw.statusText, raw.error ?? '', requestBody.sha256 ?? '', responseBody.sha256 ?? '')
    this.#numbers.push(raw.startedAt, raw.endedAt, raw.stalled ?? 0, raw.client?.connection ?? 0, raw.status)
    this.#numbers.push(requestHeaders.length, responseHeaders.length, responseTrailers.length)
    for (const { bytes, kept, cut } of [requestBody, responseBody]) this.#numbers.push(bytes, kept.length, cut ? 1 : 0)
    this.#bodies.push(requestBody.kept, responseBody.kept)
    this.bytes += requestBody.kept.length + responseBody.kept.length
    this.count += 1
  }

  /** What was added; nothing of it stays. */
  finish(): Packed {
    const memory = new ArrayBuffer(this.bytes)
    const all = new Uint8Array(memory)
    let place = 0
    for (const body of this.#bodies) {
      all.set(body, place)
      place += body.length
    }
    const packed: Packed = {
      words: this.#words,
      texts: this.#texts,
      numbers: new Float64Array(this.#numbers),
      memory,
    }
    this.#words = []
    this.#texts = []
    this.#numbers = []
    this.#bodies = []
    this.bytes = 0
    this.count = 0
    return packed
  }
}

/** The exchanges again. */
export function unpack({ words, texts, numbers, memory }: Packed): RawExchange[] {
  let place = 0
  const body = (at: number, sha256: string): RawBody => {
    const length = numbers[at + 1] ?? 0
    const kept = Buffer.from(memory, place, length)
    place += length
    const whole: RawBody = { bytes: numbers[at] ?? 0, kept, cut: numbers[at + 2] === 1 }
    return sha256 === '' ? whole : { ...whole, sha256 }
  }
  return words.map((joined, index) => {
    const at = index * NUMBERS
    const number = (slot: number): number => numbers[at + slot] ?? 0
    const found = joined.split(BETWEEN)
    const [id = '', method = '', url = '', httpVersion = '', outcome = ''] = found
    const answer = FIRST_WORDS + number(5)
    const trailers = answer + number(6)
    const [statusText = '', error = '', sent = '', received = ''] = texts.slice(index * TEXTS, (index + 1) * TEXTS)
    return {
      id,
      startedAt: number(0),
      endedAt: number(1),
      ...(number(2) > 0 && { stalled: number(2) }),
      method,
      url,
      httpVersion,
      requestHeaders: found.slice(FIRST_WORDS, answer),
      requestBody: body(at + 8, sent),
      status: number(4),
      statusText,
      responseHeaders: found.slice(answer, trailers),
      responseTrailers: found.slice(trailers),
      responseBody: body(at + 11, received),
      outcome: outcome as ExchangeOutcome,
      ...(error !== '' && { error }),
      ...(number(3) > 0 && { client: { connection: number(3) } }),
    }
  })
}

/**
 * Memory that two threads share, taken from its beginning to its end and from its beginning again. Buffers are given
 * back in the order in which they were taken. So nothing is made, thrown away or collected, however much passes.
 *
 * Paid for by 'sixteen streams of 5 MB at a time' (`cli/e2e/proof/record-memory.test.ts`). With posted buffers the peak
 * is 18 % higher (149 MiB instead of 126), and an answer takes 15 % more CPU.
 */
export class Ring {
  readonly memory: SharedArrayBuffer
  readonly #all: Buffer
  #next = 0
  #used = 0

  /** `size`: bytes */
  constructor(size: number) {
    this.memory = new SharedArrayBuffer(size)
    this.#all = Buffer.from(this.memory)
  }

  /** Bytes that can be taken. */
  room(): number {
    return this.#all.length - this.#used
  }

  /** Copies bytes in, in one piece or two, and returns where they stand; there has to be room. */
  take(bytes: Uint8Array): Place[] {
    const size = this.#all.length
    if (bytes.length > this.room()) throw new RangeError('there is no room in the ring')
    this.#used += bytes.length
    const first = Math.min(bytes.length, size - this.#next)
    const places = [{ at: this.#next, length: first }]
    // `set` copies word by word into shared memory, for those who read meanwhile: nobody does, and `fill` is twice as fast.
    this.#all.fill(bytes, this.#next, this.#next + first)
    this.#next = (this.#next + first) % size
    const rest = bytes.length - first
    if (rest === 0) return places
    this.#all.fill(bytes.subarray(first), 0, rest)
    this.#next = rest
    return [...places, { at: 0, length: rest }]
  }

  /** So many bytes, the oldest, are used no more. */
  giveBack(count: number): void {
    this.#used -= count
  }
}

export interface Place {
  readonly at: number
  readonly length: number
}
