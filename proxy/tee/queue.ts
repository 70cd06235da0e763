import { createHash } from 'node:crypto'
import type { LiveQuestion } from '../../fixtures/live/messages.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { type Packed, Packer, type Place, Ring } from '../fast/packing.ts'
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
  | { readonly type: 'ask'; readonly request: number; readonly question: LiveQuestion }
  | { readonly type: 'end' }

/** Bytes of one long body, in order. */
export interface Part {
  /** id of the exchange */
  readonly exchange: string
  readonly side: Side
  /** what the body is, at its first part; undefined: more of it */
  readonly opening: Opening | undefined
  /** valid until the next one comes: copy them to keep them */
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

/**
 * How much may wait for the recorder, and how it is handed over. Large lots cost less and keep the recorder busy longer at
 * a time: clients and target, which need the same processor, wait meanwhile. Tried with 6 to 256.
 */
const BOUNDS = { mostBytes: 32 * 1024 * 1024, batch: 24, delayMs: 20 } as const

export interface QueueOptions {
  readonly post: (message: ToRecorder, transfer: readonly ArrayBuffer[]) => void
  /** bytes that may wait for the recorder */
  readonly mostBytes?: number
  /** exchanges that are handed over at once, at most */
  readonly batch?: number
  /** milliseconds that an exchange waits for others, at most */
  readonly delayMs?: number
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

/** From so much of the bound on, bodies are cut. */
const CROWDED = 1 / 2

/** What an exchange weighs beside its bodies: its words, and what the recorder makes of it. */
const OVERHEAD = 2_048
/** Bytes that bodies are cut to. */
const SHORT = 4_096
/** So many bytes of bodies are handed over at once; fewer wait for others. */
const LOT_BYTES = 131_072
/** Bytes of long bodies that may wait, where the bound of all that waits allows it. */
const RING_BYTES = 8 * 1024 * 1024

/** The bounded way from the forwarding thread to the recorder. */
export class Queue implements Sink {
  readonly #options: Required<QueueOptions>
  readonly #counts = { taken: 0, dropped: 0, cut: 0, unfollowed: 0 }
  /** bytes that wait, here and at the recorder */
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** dropped, and the recorder has not heard of it */
  #lost = 0
  readonly #packer = new Packer()
  /** where long bodies wait; made when the first one comes */
  #ring: Ring | undefined
  #parts: PlacedPart[] = []
  #partsBytes = 0
  /** long bodies under way, and whether all that came of them was handed over */
  readonly #followed = new Map<string, boolean>()

  constructor(options: QueueOptions) {
    this.#options = { ...BOUNDS, ...options }
  }

  exchange(raw: RawExchange): void {
    if (this.#closed) {
      this.#counts.dropped += 1
      return
    }
    if (raw.requestBody.cut) this.#followed.delete(`${raw.id} request`)
    if (raw.responseBody.cut) this.#followed.delete(`${raw.id} response`)
    const { mostBytes, batch } = this.#options
    const one = this.#waiting > mostBytes * CROWDED ? shortened(raw) : raw
    const bytes = one.requestBody.kept.length + one.responseBody.kept.length
    if (this.#waiting + bytes + OVERHEAD > mostBytes) {
      this.#counts.dropped += 1
      this.#lost += 1
      this.#handSoon()
      return
    }
    this.#counts.taken += 1
    if (one.requestBody.cut && !raw.requestBody.cut) this.#counts.cut += 1
    if (one.responseBody.cut && !raw.responseBody.cut) this.#counts.cut += 1
    this.#waiting += bytes + OVERHEAD
    this.#packer.add(one)
    if (this.#packer.count >= batch || this.#packer.bytes >= LOT_BYTES) this.#hand()
    else this.#handSoon()
  }

  part(raw: RawExchange, side: Side, chunks: readonly Buffer[], first: boolean): void {
    if (this.#closed) return
    const key = `${raw.id} ${side}`
    if (!first && this.#followed.get(key) !== true) return
    const fits = this.#place(raw, side, chunks, first)
    this.#followed.set(key, fits)
    // The recorder sees from the length that this body was not followed to its end.
    if (!fits) this.#counts.unfollowed += 1
    else if (this.#partsBytes >= LOT_BYTES) this.#handParts()
    else this.#handSoon()
  }

  /** The recorder has done so much of what was posted; `type`: of the message. */
  acknowledge(weight: number, type: 'exchanges' | 'parts'): void {
    this.#waiting -= weight
    if (type === 'parts') this.#ring?.giveBack(weight)
  }

  counts(): QueueCounts {
    return { ...this.#counts, waiting: this.#waiting }
  }

  /** The recorder is gone, having kept so many exchanges: all others, and all that come, are dropped. */
  abandon(kept: number): void {
    clearTimeout(this.#timer)
    this.#closed = true
    this.#counts.dropped += this.#counts.taken - kept
    this.#counts.taken = kept
    this.#waiting = 0
    this.#packer.finish()
    this.#parts = []
    this.#ring = undefined
    this.#followed.clear()
  }

  /** Hands over the last; later ones are counted as dropped. */
  close(): void {
    this.#hand()
    this.#closed = true
  }

  #handSoon(): void {
    this.#timer ??= setTimeout(() => this.#hand(), this.#options.delayMs)
  }

  #hand(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lost > 0) {
      this.#options.post({ type: 'lost', count: this.#lost, reason: 'the recorder could not keep up' }, [])
      this.#lost = 0
    }
    // An exchange comes after all that there is of its bodies.
    this.#handParts()
    const { count, bytes } = this.#packer
    if (count === 0) return
    const packed = this.#packer.finish()
    const weight = bytes + OVERHEAD * count
    this.#options.post({ type: 'exchanges', packed, weight }, [packed.memory, packed.numbers.buffer as ArrayBuffer])
  }

  #handParts(): void {
    if (this.#ring === undefined || this.#parts.length === 0) return
    const { memory } = this.#ring
    this.#options.post({ type: 'parts', memory, parts: this.#parts, weight: this.#partsBytes }, [])
    this.#parts = []
    this.#partsBytes = 0
  }

  /** Whether all bytes found room. */
  #place(raw: RawExchange, side: Side, chunks: readonly Buffer[], first: boolean): boolean {
    this.#ring ??= new Ring(Math.min(RING_BYTES, this.#options.mostBytes >> 1))
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    if (bytes > this.#ring.room()) return false
    this.#waiting += bytes
    this.#partsBytes += bytes
    let opening = first ? openingOf(raw, side) : undefined
    for (const chunk of chunks) {
      for (const { at, length } of this.#ring.take(chunk)) {
        this.#parts.push({ exchange: raw.id, side, opening, at, length })
        opening = undefined
      }
    }
    return true
  }
}

/** With less of its bodies, where they are long: the recorder is behind. */
function shortened(raw: RawExchange): RawExchange {
  return { ...raw, requestBody: short(raw.requestBody), responseBody: short(raw.responseBody) }
}

function short(body: RawBody): RawBody {
  if (body.kept.length <= SHORT) return body
  const kept = Buffer.from(body.kept.subarray(0, SHORT))
  if (body.cut) return { ...body, kept }
  return { ...body, kept, cut: true, sha256: createHash('sha256').update(body.kept).digest('hex') }
}

function openingOf(raw: RawExchange, side: Side): Opening {
  const { method, url, status, requestHeaders, responseHeaders } = raw
  return side === 'request'
    ? { method, url, status: 0, headers: requestHeaders }
    : { method, url, status, headers: responseHeaders }
}
