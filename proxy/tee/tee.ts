import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import { headerValue } from '../forward/headers.ts'
import type { ExchangeObserver, Observe } from '../forward/observer.ts'
import { emptyBody, shorten, type Taken, type TakenBody } from './taken.ts'

export type Side = 'request' | 'response'

/** Takes what the tee took down. Neither may block. */
export interface Sink {
  /** a whole exchange, in the order of completion */
  exchange(taken: Taken): void
  /**
   * The next bytes of a body that is longer than the limit, all of them, from its first on. They come before the
   * exchange does. `first`: nothing came of this body before.
   */
  part(taken: Taken, side: Side, chunks: readonly Buffer[], first: boolean): void
}

export interface TeeOptions {
  readonly sink: Sink
  /** bytes of a body up to which it is kept whole */
  readonly maxBody: number
  /** bytes that bodies under way may take together before long ones are cut earlier; left out: no bound */
  readonly mostHeld?: number | undefined
  /** told of the bytes of bodies when they have passed */
  readonly passed?: ((bytes: number) => void) | undefined
  /** milliseconds since the epoch, with fractions */
  readonly now: () => number
  /** milliseconds for which this process stood still so far */
  readonly stalled?: (() => number) | undefined
  /** header fields for the client's answer, known before its head is sent */
  readonly annotate?: ((taken: Taken) => readonly string[] | undefined) | undefined
}

/** Bytes that stay of a body that is cut. */
const PREFIX = 65_536
/** The same, where very many are under way. */
const SHORT_PREFIX = 4_096

/** Bytes of bodies of all exchanges under way. */
interface Held {
  bytes: number
}

/** Takes down every exchange that passes. */
export function createTee(options: TeeOptions): Observe {
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

class TakingDown implements ExchangeObserver {
  readonly #options: TeeOptions
  readonly #taken: Taken
  readonly #held: Held

  constructor(options: TeeOptions, held: Held, number: number, connection: number, request: IncomingMessage) {
    this.#options = options
    this.#held = held
    this.#taken = {
      number,
      connection,
      startedAt: options.now(),
      endedAt: 0,
      stalled: options.stalled?.() ?? 0,
      method: request.method ?? '',
      url: request.url ?? '',
      httpVersion: request.httpVersion,
      requestHeaders: request.rawHeaders,
      request: emptyBody(),
      status: 0,
      statusText: '',
      responseHeaders: [],
      response: emptyBody(),
      outcome: 'interrupted',
      error: '',
      trailers: [],
    }
  }

  requestData(chunk: Buffer): void {
    this.#take(this.#taken.request, 'request', chunk)
  }

  answerHead(status: number, statusText: string, headers: readonly string[]): void {
    this.#taken.status = status
    this.#taken.statusText = statusText
    this.#taken.responseHeaders = headers
  }

  annotation(): readonly string[] | undefined {
    return this.#options.annotate?.(this.#taken)
  }

  answerData(chunk: Buffer): void {
    this.#take(this.#taken.response, 'response', chunk)
  }

  done(outcome: ExchangeOutcome, error: string | undefined, trailers: readonly string[]): void {
    const taken = this.#taken
    taken.endedAt = this.#options.now()
    taken.stalled = (this.#options.stalled?.() ?? 0) - taken.stalled
    taken.outcome = outcome
    taken.error = error ?? ''
    taken.trailers = trailers
    this.#held.bytes -= taken.request.kept + taken.response.kept
    this.#options.sink.exchange(taken)
  }

  #take(body: TakenBody, side: Side, chunk: Buffer): void {
    this.#options.passed?.(chunk.length)
    body.bytes += chunk.length
    if (body.cut) {
      this.#options.sink.part(this.#taken, side, [chunk], false)
      return
    }
    body.chunks.push(chunk)
    body.kept += chunk.length
    this.#held.bytes += chunk.length
    const { maxBody, mostHeld = Number.POSITIVE_INFINITY } = this.#options
    const crowded = this.#held.bytes > mostHeld && body.kept > SHORT_PREFIX
    if (body.kept <= maxBody && !crowded && !(body.kept > PREFIX && this.#isLong(side))) return
    this.#options.sink.part(this.#taken, side, body.chunks, true)
    const before = body.kept
    shorten(body, Math.min(this.#held.bytes > 2 * mostHeld ? SHORT_PREFIX : PREFIX, maxBody))
    this.#held.bytes -= before - body.kept
    body.cut = true
  }

  /** Whether the body says of itself that it will be longer than what is kept: then it need not be waited for. */
  #isLong(side: Side): boolean {
    const headers = side === 'request' ? this.#taken.requestHeaders : this.#taken.responseHeaders
    return Number(headerValue(headers, 'content-length') ?? 0) > this.#options.maxBody
  }
}
