import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'

/** One exchange as the tee took it down on the forwarding thread: nothing parsed, nothing copied. */
export interface Taken {
  /** counted from 1, in the order in which requests arrived */
  readonly number: number
  readonly connection: number
  readonly startedAt: number
  endedAt: number
  /** milliseconds between the two for which this process stood still itself; until the end: all so far */
  stalled: number
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly requestHeaders: readonly string[]
  readonly request: TakenBody
  status: number
  statusText: string
  responseHeaders: readonly string[]
  readonly response: TakenBody
  outcome: ExchangeOutcome
  error: string
  trailers: readonly string[]
}

/** A body, or as much of it as is kept. */
export interface TakenBody {
  /** whole length */
  bytes: number
  chunks: Buffer[]
  /** bytes in `chunks` */
  kept: number
  cut: boolean
  /** hex, of the whole body; '' where it is not known here */
  sha256: string
}

export function emptyBody(): TakenBody {
  return { bytes: 0, chunks: [], kept: 0, cut: false, sha256: '' }
}

/** Leaves the first `bytes` of what is kept of a body. */
export function shorten(body: TakenBody, bytes: number): void {
  if (body.kept <= bytes) return
  const kept: Buffer[] = []
  let room = bytes
  for (const chunk of body.chunks) {
    if (room <= 0) break
    // A copy: a piece of a chunk would keep the whole of it in memory.
    kept.push(chunk.length <= room ? chunk : Buffer.from(chunk.subarray(0, room)))
    room -= chunk.length
  }
  body.chunks = kept
  body.kept = bytes
  body.cut = true
}
