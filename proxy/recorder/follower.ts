import { createHmac, type Hmac } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { undoCodings } from '../../fixtures/codings.ts'
import { createRows, Digest, KEPT_LINES } from '../../fixtures/digest.ts'
import { headerOf, type RawBody } from '../../fixtures/recording/raw.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import { createMatcher, type Matcher } from '../../schemas/matcher.ts'
import type { LineDigest } from '../../schemas/types/exchange.ts'
import type { Opening, Part } from '../tee/queue.ts'
import type { Side } from '../tee/tee.ts'
import { ListScanner } from './list-scanner.ts'

interface Following {
  readonly hash: Hmac
  bytes: number
  readonly lines: LineFollower | undefined
  readonly coding: string | undefined
  /** a body in a content coding, which is undone at its end; undefined: it grew too long */
  coded: Uint8Array[] | undefined
  readonly whole: WholeBody | undefined
}

/** Bodies followed at once. Unfinished ones are forgotten, the oldest first. */
const MOST = 1_024
/** Bytes that an export may have in a content coding, and without it, for its lines to be read. */
const MOST_CODED = 8 * 1024 * 1024
const MOST_DECODED = 64 * 1024 * 1024

/** Follows long bodies while they pass, each in memory that does not grow with it. */
export class Followers {
  readonly #match: Matcher<TargetOperation>
  readonly #key: Uint8Array
  readonly #wholes: WholeBodies | undefined
  readonly #open = new Map<string, Following>()

  /** `wholes`: keeps the bodies whole; left out: their beginnings are enough */
  constructor({ operations }: Binding, key: Uint8Array, wholes?: WholeBodies) {
    this.#match = createMatcher(operations.values())
    this.#key = key
    this.#wholes = wholes
  }

  part({ exchange, side, opening, bytes }: Part): void {
    const open = this.#open
    const key = `${exchange} ${side}`
    if (opening) open.set(key, this.#begin(opening))
    const body = open.get(key)
    if (!body) return
    body.hash.update(bytes)
    body.bytes += bytes.length
    body.whole?.push(bytes)
    if (body.lines && body.coding === undefined) body.lines.push(bytes)
    else if (body.lines && body.bytes <= MOST_CODED) body.coded?.push(Buffer.from(bytes))
    else body.coded = undefined
    const [oldest] = open
    if (open.size > MOST && oldest) {
      open.delete(oldest[0])
      oldest[1].whole?.discard()
    }
  }

  /** What came of a body of so many bytes; undefined where it was not followed to its end. */
  finish(exchange: string, side: Side, bytes: number): Partial<RawBody> | undefined {
    const key = `${exchange} ${side}`
    const body = this.#open.get(key)
    this.#open.delete(key)
    if (body?.bytes !== bytes) {
      body?.whole?.discard()
      return undefined
    }
    const sha256 = body.hash.digest('hex')
    const whole = body.whole?.finish()
    // A whole body is digested as a whole.
    if (whole) return { sha256, ...whole }
    const read = linesOf(body)
    return { sha256, ...(read && { digest: read.digest, kept: Buffer.from(read.outline), outline: true }) }
  }

  /** Forgets all that is under way. */
  end(): void {
    for (const { whole } of this.#open.values()) whole?.discard()
    this.#open.clear()
  }

  #begin({ method, url, status, headers }: Opening): Following {
    const isGood = status >= 200 && status < 300
    const operation = isGood ? this.#match(method, url.split('?')[0] ?? '')?.operation : undefined
    const lines = followLines(operation, this.#key)
    const coding = headerOf(headers, 'content-encoding')
    return { hash: createHmac('sha256', this.#key), bytes: 0, lines, coding, coded: [], whole: this.#wholes?.begin() }
  }
}

function linesOf({ lines, coding, coded }: Following): ReturnType<LineFollower['end']> {
  if (!lines) return undefined
  if (coding !== undefined) {
    const undone = coded && undoCodings(Buffer.concat(coded), coding, false, MOST_DECODED)
    if (!undone || !('body' in undone)) return undefined
    lines.push(undone.body)
  }
  return lines.end()
}

/** Digests the lines of an export while its body passes. */
interface LineFollower {
  push(bytes: Uint8Array): void
  /** undefined where the body was not what an export is */
  end(): { readonly digest: LineDigest; readonly outline: string } | undefined
}

/** Characters that one line of JSONL may have. */
const MOST_CHARACTERS = 1 << 20

/** A follower for the answer of an operation; undefined where it exports no lines. */
function followLines(operation: TargetOperation | undefined, key: Uint8Array): LineFollower | undefined {
  if (operation?.id === 'export-v1') return followJsonl(operation, key)
  const pointer = operation?.answer.list
  if (operation?.id === 'export-v2' && pointer !== undefined) return followPage(operation, pointer, key)
  return undefined
}

function followJsonl(operation: TargetOperation, key: Uint8Array): LineFollower {
  const decoder = new StringDecoder('utf8')
  const lines = createRows(operation, key)
  let rest = ''
  let broken = false
  return {
    push(bytes) {
      if (broken) return
      const rows = `${rest}${decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))}`.split(
        /\r?\n/,
      )
      rest = rows.pop() ?? ''
      for (const one of rows) lines.add(one)
      broken = rest.length > MOST_CHARACTERS
    },
    end() {
      lines.add(rest + decoder.end())
      return broken ? undefined : lines.done()
    },
  }
}

function followPage(operation: TargetOperation, pointer: string, key: Uint8Array): LineFollower {
  const decoder = new StringDecoder('utf8')
  const digest = new Digest(operation.fields, {}, key)
  const scanner = new ListScanner(pointer, KEPT_LINES, (text) => digest.add(jsonIn(text)))
  return {
    push(bytes) {
      scanner.push(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
    },
    end() {
      scanner.push(decoder.end())
      const outline = scanner.end()
      return outline === undefined ? undefined : { digest: digest.done(), outline }
    },
  }
}

/** Bytes up to which a body is kept whole, and bytes of all that are on their way. */
const MOST_WHOLE = 16 * 1024 * 1024
const MOST_WHOLES = 32 * 1024 * 1024

/** Collects bodies up to a bound, so that they are judged and cleaned as a whole. Of longer ones only the beginning stays. */
export class WholeBodies {
  #collected = 0

  begin(): WholeBody {
    return new WholeBody((bytes) => {
      this.#collected += bytes
      return this.#collected <= MOST_WHOLES
    })
  }
}

/** Keeps a long body whole while it passes. */
class WholeBody {
  /** `take`: notes that so many bytes more are held; false: there is no room */
  readonly #take: (bytes: number) => boolean
  #chunks: Buffer[] | undefined = []
  #bytes = 0

  constructor(take: (bytes: number) => boolean) {
    this.#take = take
  }

  push(part: Uint8Array): void {
    if (!this.#chunks) return
    this.#chunks.push(Buffer.from(part))
    this.#bytes += part.length
    if (!this.#take(part.length) || this.#bytes > MOST_WHOLE) this.discard()
  }

  /** The body itself; undefined: it could not be kept. */
  finish(): Pick<RawBody, 'kept' | 'cut'> | undefined {
    const chunks = this.#chunks
    this.discard()
    return chunks && { kept: Buffer.concat(chunks), cut: false }
  }

  /** Nothing of it is held any longer. */
  discard(): void {
    this.#take(-this.#bytes)
    this.#chunks = undefined
    this.#bytes = 0
  }
}
