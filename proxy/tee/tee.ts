import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { headerOf, type RawBody, type RawExchange } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import type { ExchangeObserver } from '../forward/observer.ts'

export type Side = 'request' | 'response'

/** Takes what the tee took down. Neither may block. */
export interface Sink {
  /** a whole exchange, in the order of completion */
  exchange(raw: RawExchange): void
  /**
   * The next bytes of a body that is longer than the limit, all of them, from its first on. They come before the
   * exchange does. `first`: nothing came of this body before.
   */
  part(raw: RawExchange, side: Side, chunks: readonly Buffer[], first: boolean): void
}

export interface TeeOptions {
  readonly sink: Sink
  /** stands before the id of each exchange */
  readonly session: string
  /** bytes of a body up to which it is kept whole */
  readonly maxBody: number
  /** bytes that bodies under way may take together before long ones are cut earlier; left out: 16 MiB */
  readonly mostHeld?: number | undefined
  /** told of the bytes of bodies when they have passed */
  readonly passed?: ((bytes: number) => void) | undefined
  /** milliseconds since the epoch, with fractions */
  readonly now: () => number
  /** milliseconds for which this process stood still so far */
  readonly stalled?: (() => number) | undefined
  /** header fields for the client's answer, known before its head is sent; the exchange has no answer's body then */
  readonly annotate?: ((raw: RawExchange) => readonly string[] | undefined) | undefined
}

const MOST_HELD = 16 * 1024 * 1024
/** Bytes that stay of a body that is cut. */
const PREFIX = 65_536
/** The same, where very many are under way. */
const SHORT_PREFIX = 4_096
const NOTHING = Buffer.alloc(0)

/** Bytes of bodies of all exchanges under way. */
interface Held {
  bytes: number
}

/** Takes down every exchange that passes. `id`: how it is called. */
export function createTee(
  options: TeeOptions,
): (request: IncomingMessage) => ExchangeObserver & { readonly id: string } {
  const connections = new WeakMap<Socket, number>()
  let connectionCount = 0
  let count = 0
  const held: Held = { bytes: 0 }
  const connectionOf = (socket: Socket): number => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    connectionCount += 1
    connections.set(socket, connectionCount)
    return connectionCount
  }
  return (request) => {
    count += 1
    return new TakingDown(options, held, count, connectionOf(request.socket), request)
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Fills in one exchange while its bytes pass. Its bodies stand in it when they are whole. */
class TakingDown implements ExchangeObserver {
  readonly #options: TeeOptions
  readonly #raw: Writable<RawExchange>
  readonly #sent = new PassingBody()
  readonly #received = new PassingBody()
  readonly #held: Held
  readonly #stalledBefore: number

  constructor(options: TeeOptions, held: Held, number: number, connection: number, request: IncomingMessage) {
    this.#options = options
    this.#held = held
    this.#stalledBefore = options.stalled?.() ?? 0
    this.#raw = {
      id: idOf(options.session, number),
      startedAt: options.now(),
      endedAt: 0,
      method: request.method ?? '',
      url: request.url ?? '',
      httpVersion: request.httpVersion,
      requestHeaders: request.rawHeaders,
      requestBody: this.#sent.taken(),
      status: 0,
      statusText: '',
      responseHeaders: [],
      responseTrailers: [],
      responseBody: this.#received.taken(),
      outcome: 'interrupted',
      client: { connection },
    }
  }

  get id(): string {
    return this.#raw.id
  }

  requestData(chunk: Buffer): void {
    this.#take(this.#sent, 'request', chunk)
  }

  answerHead(status: number, statusText: string, headers: readonly string[]): void {
    this.#raw.status = status
    this.#raw.statusText = statusText
    this.#raw.responseHeaders = headers
  }

  annotation(): readonly string[] | undefined {
    return this.#options.annotate?.({ ...this.#raw, requestBody: this.#sent.taken() })
  }

  answerData(chunk: Buffer): void {
    this.#take(this.#received, 'response', chunk)
  }

  done(outcome: ExchangeOutcome, error: string | undefined, trailers: readonly string[]): void {
    const raw = this.#raw
    raw.endedAt = this.#options.now()
    const stalled = (this.#options.stalled?.() ?? 0) - this.#stalledBefore
    if (stalled > 0) raw.stalled = stalled
    raw.outcome = outcome
    if (error !== undefined) raw.error = error
    raw.responseTrailers = trailers
    raw.requestBody = this.#sent.taken()
    raw.responseBody = this.#received.taken()
    this.#held.bytes -= this.#sent.kept + this.#received.kept
    this.#options.sink.exchange(raw)
  }

  #take(body: PassingBody, side: Side, chunk: Buffer): void {
    this.#options.passed?.(chunk.length)
    body.bytes += chunk.length
    if (body.cut) {
      this.#options.sink.part(this.#raw, side, [chunk], false)
      return
    }
    body.chunks.push(chunk)
    body.kept += chunk.length
    this.#held.bytes += chunk.length
    const { maxBody, mostHeld = MOST_HELD } = this.#options
    const crowded = this.#held.bytes > mostHeld && body.kept > SHORT_PREFIX
    if (body.kept <= maxBody && !crowded && !(body.kept > PREFIX && this.#isLong(side))) return
    this.#options.sink.part(this.#raw, side, body.chunks, true)
    const before = body.kept
    body.cutTo(Math.min(this.#held.bytes > 2 * mostHeld ? SHORT_PREFIX : PREFIX, maxBody))
    this.#held.bytes -= before - body.kept
  }

  /** Whether the body says of itself that it will be longer than what is kept: then it need not be waited for. */
  #isLong(side: Side): boolean {
    const headers = side === 'request' ? this.#raw.requestHeaders : this.#raw.responseHeaders
    return Number(headerOf(headers, 'content-length') ?? 0) > this.#options.maxBody
  }
}

/** A body under way, or as much of it as is kept. */
class PassingBody {
  bytes = 0
  chunks: Buffer[] = []
  /** bytes in `chunks` */
  kept = 0
  cut = false

  /** Leaves the first `most` bytes. They are copied: a piece of a chunk would keep the whole of it in memory. */
  cutTo(most: number): void {
    this.cut = true
    if (this.kept <= most) return
    this.chunks = [Buffer.concat(this.chunks, most)]
    this.kept = most
  }

  taken(): RawBody {
    const [first = NOTHING] = this.chunks
    const kept = this.chunks.length > 1 ? Buffer.concat(this.chunks, this.kept) : first
    return { bytes: this.bytes, kept, cut: this.cut }
  }
}

/** Ids sort in the order in which requests arrived. */
function idOf(session: string, number: number): string {
  return `${session}-${String(number).padStart(9, '0')}`
}
