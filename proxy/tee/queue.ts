import { createHash } from 'node:crypto'
import { createPacker, type Packed } from './packing.ts'
import { createRing, type Place, type Ring } from './ring.ts'
import { shorten, type Taken, type TakenBody } from './taken.ts'
import type { Side, Sink } from './tee.ts'

/** What goes to the other thread. */
export type ToRecorder =
  | { readonly type: 'exchanges'; readonly packed: Packed; readonly weight: number }
  | {
      readonly type: 'parts'
      readonly memory: SharedArrayBuffer
      readonly parts: readonly PlacedPart[]
      readonly weight: number
    }
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
  /** valid until the next one comes: whoever keeps them has to copy them */
  readonly bytes: Uint8Array
}

/** A part whose bytes stand in memory that both threads share. */
export interface PlacedPart extends Omit<Part, 'bytes'>, Place {}

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
  /** the recorder has done so much of what was posted; `type`: of the message */
  acknowledge(weight: number, type: 'exchanges' | 'parts'): void
  counts(): QueueCounts
  /** The recorder is gone, having kept so many exchanges: all others, and all that come, are dropped. */
  abandon(kept: number): void
  /** hands over the last; what comes later is counted as dropped */
  close(): void
}

/** What an exchange weighs beside its bodies: its words, and what the recorder makes of it. */
const OVERHEAD = 2_048
/** From half of the bound on, bodies are cut to so many bytes. */
const SHORT = 4_096
const SIDES = ['request', 'response'] as const
/** Parts of so many bytes together are handed over at once; fewer wait for others. */
const PARTS_BYTES = 131_072
/** Bytes of long bodies that may wait, where the bound of all that waits allows it. */
const RING_BYTES = 8 * 1024 * 1024

export function createQueue(options: QueueOptions): Queue {
  const packer = createPacker()
  let weight = 0
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const counts = { taken: 0, dropped: 0, cut: 0, unfollowed: 0 }
  let lost = 0
  /** where long bodies wait; made when the first one comes */
  let ring: Ring | undefined
  let parts: PlacedPart[] = []
  let partsBytes = 0
  /** long bodies under way, and whether all that came of them was handed over */
  const followed = new Map<string, boolean>()

  const handParts = (): void => {
    if (ring === undefined || parts.length === 0) return
    const message = { type: 'parts', memory: ring.memory, parts, weight: partsBytes } as const
    parts = []
    partsBytes = 0
    options.post(message, [])
  }

  const hand = (): void => {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    if (lost > 0) {
      options.post({ type: 'lost', count: lost, reason: 'the recorder could not keep up' }, [])
      lost = 0
    }
    // An exchange comes after all that there is of its bodies.
    handParts()
    if (packer.count() === 0) return
    const packed = packer.finish()
    options.post({ type: 'exchanges', packed, weight }, [packed.memory])
    weight = 0
  }

  /** Whether all bytes found room. */
  const place = (taken: Taken, side: Side, chunks: readonly Buffer[], first: boolean): boolean => {
    ring ??= createRing(Math.min(RING_BYTES, options.mostBytes >> 1))
    let bytes = 0
    for (const chunk of chunks) bytes += chunk.length
    if (bytes > ring.room()) return false
    waiting += bytes
    partsBytes += bytes
    let opening = first ? openingOf(taken, side) : undefined
    for (const chunk of chunks) {
      for (const { at, length } of ring.take(chunk)) {
        parts.push({ number: taken.number, side, opening, at, length })
        opening = undefined
      }
    }
    return true
  }

  return {
    exchange(taken) {
      if (closed) {
        counts.dropped += 1
        return
      }
      for (const side of SIDES) if (taken[side].cut) followed.delete(`${taken.number} ${side}`)
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
      if (!packer.add(taken)) {
        hand()
        packer.add(taken)
      }
      weight += bytes + OVERHEAD
      if (packer.count() >= options.batch) hand()
      else timer ??= setTimeout(hand, options.delayMs)
    },
    part(taken, side, chunks, first) {
      if (closed) return
      const key = `${taken.number} ${side}`
      if (!first && followed.get(key) !== true) return
      const fits = place(taken, side, chunks, first)
      followed.set(key, fits)
      // The recorder sees from the length that this body was not followed to its end.
      if (!fits) counts.unfollowed += 1
      else if (partsBytes >= PARTS_BYTES) handParts()
      else timer ??= setTimeout(hand, options.delayMs)
    },
    acknowledge(done, type) {
      waiting -= done
      if (type === 'parts') ring?.giveBack(done)
    },
    abandon(kept) {
      if (timer !== undefined) clearTimeout(timer)
      closed = true
      counts.dropped += counts.taken - kept
      counts.taken = kept
      waiting = 0
      packer.finish()
      parts = []
      ring = undefined
      followed.clear()
    },
    counts: () => ({ ...counts, waiting }),
    close() {
      hand()
      if (timer !== undefined) clearTimeout(timer)
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
