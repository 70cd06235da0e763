import { createHash, type Hash } from 'node:crypto'
import { undoCodings } from '../../fixtures/codings.ts'
import type { RawBody } from '../../fixtures/recording/raw.ts'
import type { Binding } from '../../schemas/binding.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { headerValue } from '../forward/headers.ts'
import type { Opening, Part } from '../tee/queue.ts'
import { followLines, type LineFollower } from './line-follower.ts'
import type { WholeBodies, WholeBody } from './whole-body.ts'

/** Follows long bodies while they pass, each in memory that does not grow with it. */
export interface Followers {
  part(part: Part): void
  /** forgets all that is under way */
  end(): void
  /** what came of a body of so many bytes; undefined where it was not followed to its end */
  finish(number: number, side: Part['side'], bytes: number): Partial<RawBody> | undefined
}

interface Following {
  readonly hash: Hash
  bytes: number
  readonly lines: LineFollower | undefined
  readonly coding: string | undefined
  /** a body in a content coding, which is undone at its end; undefined: it grew too long */
  coded: Uint8Array[] | undefined
  readonly whole: WholeBody | undefined
}

/** Bodies followed at once. What was begun and never finished is forgotten, the oldest first. */
const MOST = 1_024
/** Bytes that an export may have in a content coding, and without it, for its lines to be read. */
const MOST_CODED = 8 * 1024 * 1024
const MOST_DECODED = 64 * 1024 * 1024

/** `wholes`: keeps the bodies whole; left out: their beginnings are enough */
export function createFollowers(binding: Binding, wholes?: WholeBodies): Followers {
  const match = createMatcher([...binding.operations.values()].filter(({ path }) => path !== ''))
  const open = new Map<string, Following>()

  const begin = (opening: Opening): Following => {
    const { method, url, status, headers } = opening
    const operation = status >= 200 && status < 300 ? match(method, url.split('?')[0] ?? '')?.operation : undefined
    const lines = followLines(operation)
    const coding = headerValue(headers, 'content-encoding')
    return { hash: createHash('sha256'), bytes: 0, lines, coding, coded: [], whole: wholes?.begin(opening) }
  }

  return {
    part({ number, side, opening, bytes }) {
      const key = `${number} ${side}`
      if (opening) open.set(key, begin(opening))
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
    },
    finish(number, side, bytes) {
      const key = `${number} ${side}`
      const body = open.get(key)
      open.delete(key)
      if (body?.bytes !== bytes) {
        body?.whole?.discard()
        return undefined
      }
      const whole = body.whole?.finish()
      // What is there as a whole is digested as a whole.
      if (whole && 'kept' in whole) return { sha256: body.hash.digest('hex'), ...whole }
      const read = linesOf(body)
      const lines = read && { digest: read.digest, kept: Buffer.from(read.outline), outline: true }
      return { sha256: body.hash.digest('hex'), ...lines, ...whole }
    },
    end() {
      for (const { whole } of open.values()) whole?.discard()
      open.clear()
    },
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
