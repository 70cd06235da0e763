import { createHash, type Hash } from 'node:crypto'
import type { LineDigest } from '../../schemas/types/exchange.ts'
import type { Part } from '../tee/queue.ts'

/** What is known of a body that was too long to be kept. */
export interface Followed {
  readonly sha256: string
  readonly digest?: LineDigest
}

/** Follows long bodies while they pass, each in memory that does not grow with it. */
export interface Followers {
  part(part: Part): void
  /** what came of a body of so many bytes; undefined where it was not followed to its end */
  finish(number: number, side: Part['side'], bytes: number): Followed | undefined
}

/** Bodies followed at once. What was begun and never finished is forgotten, the oldest first. */
const MOST = 1_024

export function createFollowers(): Followers {
  const open = new Map<string, { readonly hash: Hash; bytes: number }>()
  return {
    part({ number, side, opening, bytes }) {
      const key = `${number} ${side}`
      if (opening) open.set(key, { hash: createHash('sha256'), bytes: 0 })
      const body = open.get(key)
      if (!body) return
      body.hash.update(bytes)
      body.bytes += bytes.length
      const [oldest] = open
      if (open.size > MOST && oldest) open.delete(oldest[0])
    },
    finish(number, side, bytes) {
      const key = `${number} ${side}`
      const body = open.get(key)
      open.delete(key)
      return body?.bytes === bytes ? { sha256: body.hash.digest('hex') } : undefined
    },
  }
}
