import { createHash } from 'node:crypto'
import type { Packed } from './packing.ts'
import { pack } from './packing.ts'
import { shorten, type Taken, type TakenBody } from './taken.ts'
import type { Side, Sink } from './tee.ts'

/** What goes to the other thread. */
export type ToRecorder =
  | { readonly type: 'exchanges'; readonly packed: Packed; readonly weight: number }
  | { readonly type: 'part'; readonly part: Part; readonly weight: number }
  | { readonly type: 'lost'; readonly count: number; readonly reason: string }
  | { readonly type: 'show'; readonly request: number; readonly id: string }
  | { readonly type: 'end' }

/** Bytes of one long body, in order. */
export interface Part {
  /** of the exchange */
  readonly number: number
  readonly side: Side
  /** what the body is, at its first part; undefined: more of it */
  readonly opening: Opening | undefined
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What has to be known of a long body before its exchange is complete. */
export interface Opening {
  readonly method: string
  readonly url: string
  /** 0: of a request */
  readonly status: number
  /** of the side that the body belongs to: name, value, name, value */
  readonly headers: readonly string[]
}

export interface QueueOptions {
  readonly post: (message: ToRecorder, transfer: readonly ArrayBuffer[]) => void
  /** bytes that may wait for the recorder */
  readonly mostBytes: number
  /** exchanges that are handed over at once, at most */
  readonly batch: number
  /** milliseconds that an exchange waits for others, at most */
  readonly delayMs: number
}

export interface QueueCounts {
  /** exchanges handed over */
  readonly taken: number
  /** exchanges of which nothing was kept, since the recorder was behind */
  readonly dropped: number
  /** bodies of which only the beginning was kept, since the recorder was behind */
  readonly cut: number
  /** long bodies whose hash and lines could not be followed to their end */
  readonly unfollowed: number
  /** bytes that wait */
  readonly waiting: number
}

/** The bounded way from the forwarding thread to the recorder. */
export interface Queue extends Sink {
  /** the recorder has done so much of what was posted */
  acknowledge(weight: number): void
  counts(): QueueCounts
  /** hands over the last; what comes later is counted as dropped */
  close(): void
}

/** What an exchange weighs beside its bodies: its words, and what the recorder makes of it. */
const OVERHEAD = 2_048
/** From half of the bound on, bodies are cut to so many bytes. */
const SHORT = 4_096
/** Bytes of bodies with which a batch is full. */
const BATCH_BYTES = 262_144
/** Smaller parts wait for each other. */
const PART_BYTES = 131_072

export function createQueue(options: QueueOptions): Queue {
  let batch: Taken[] = []
  let batchBytes = 0
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const counts = { taken: 0, dropped: 0, cut: 0, unfollowed: 0 }
  let lost = 0
  /** long bodies that are followed: bytes that wait to be one part; undefined: no longer followed */
  const parts = new Map<string, { chunks: Buffer[]; bytes: number; opening: Opening | undefined } | undefined>()

  const hand = (): void => {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    if (lost > 0) {
      options.post({ type: 'lost', count: lost, reason: 'the recorder could not keep up' }, [])
      lost = 0
    }
    if (batch.length === 0) return
    const packed = pack(batch)
    const weight = batch.length * OVERHEAD + batchBytes
    batch = []
    batchBytes = 0
    options.post({ type: 'exchanges', packed, weight }, [packed.bodies.buffer, packed.numbers.buffer as ArrayBuffer])
  }

  const handPart = (key: string, number: number, side: Side): void => {
    const open = parts.get(key)
    if (!open || open.bytes === 0) return
    const bytes = new Uint8Array(open.bytes)
    let place = 0
    for (const chunk of open.chunks) {
      bytes.set(chunk, place)
      place += chunk.length
    }
    const { opening } = open
    parts.set(key, { chunks: [], bytes: 0, opening: undefined })
    options.post({ type: 'part', part: { number, side, opening, bytes }, weight: bytes.length }, [bytes.buffer])
  }

  const finishPart = (taken: Taken, side: Side): void => {
    if (!taken[side].cut) return
    const key = `${taken.number} ${side}`
    handPart(key, taken.number, side)
    parts.delete(key)
  }

  return {
    exchange(taken) {
      if (closed) {
        counts.dropped += 1
        return
      }
      finishPart(taken, 'request')
      finishPart(taken, 'response')
      if (waiting > options.mostBytes / 2) {
        for (const body of [taken.request, taken.response]) {
          if (body.kept <= SHORT) continue
          if (!body.cut) {
            counts.cut += 1
            body.sha256 = hashOf(body)
          }
          shorten(body, SHORT)
        }
      }
      const bytes = taken.request.kept + taken.response.kept
      if (waiting + bytes + OVERHEAD > options.mostBytes) {
        counts.dropped += 1
        lost += 1
        timer ??= setTimeout(hand, options.delayMs)
        return
      }
      counts.taken += 1
      waiting += bytes + OVERHEAD
      batch.push(taken)
      batchBytes += bytes
      if (batch.length >= options.batch || batchBytes >= BATCH_BYTES) hand()
      else timer ??= setTimeout(hand, options.delayMs)
    },
    part(taken, side, chunks, first) {
      if (closed) return
      const key = `${taken.number} ${side}`
      if (first) parts.set(key, { chunks: [], bytes: 0, opening: openingOf(taken, side) })
      const open = parts.get(key)
      if (!open) return
      let bytes = 0
      for (const chunk of chunks) bytes += chunk.length
      // Long bodies leave room for exchanges.
      if (waiting + bytes > options.mostBytes / 2) {
        // The recorder sees from the length that this body was not followed to its end.
        counts.unfollowed += 1
        waiting -= open.bytes
        parts.set(key, undefined)
        return
      }
      waiting += bytes
      open.chunks.push(...chunks)
      open.bytes += bytes
      if (open.bytes >= PART_BYTES) handPart(key, taken.number, side)
    },
    acknowledge(weight) {
      waiting -= weight
    },
    counts: () => ({ ...counts, waiting }),
    close() {
      hand()
      closed = true
    },
  }
}

function hashOf(body: TakenBody): string {
  const hash = createHash('sha256')
  for (const chunk of body.chunks) hash.update(chunk)
  return hash.digest('hex')
}

function openingOf(taken: Taken, side: Side): Opening {
  return {
    method: taken.method,
    url: taken.url,
    status: side === 'request' ? 0 : taken.status,
    headers: side === 'request' ? taken.requestHeaders : taken.responseHeaders,
  }
}
