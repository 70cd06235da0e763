import type { Exchange } from '../../schemas/types/exchange.ts'
import { isPutOff } from '../core/statuses.ts'

/** Notices that a target answered until some moment, and then carried out nothing any more. */
export interface Silence {
  /** exchanges of a run, in their order */
  add(exchange: Exchange): void
  /** the judgements at the end; none if the target was still there */
  problems(): string[]
}

/** So many requests in a row without an answer are no whim of the network. */
const ENOUGH = 20

export function createSilence(): Silence {
  let answered = 0
  let last = 0
  let silent = 0
  let why = ''
  const worked = new Set<string>()
  return {
    add(exchange) {
      const found = idleness(exchange, worked)
      if (found === undefined) {
        const pair = pairOf(exchange)
        if (pair !== undefined) worked.add(pair)
        answered += 1
        last = exchange._end
        silent = 0
      } else if (found !== '') {
        silent += 1
        why = found
      }
    },
    problems() {
      if (silent < ENOUGH || answered === 0) return []
      const since = new Date(last).toISOString()
      return [`the target stopped working at ${since}, after ${answered} responses: ${silent} more requests ${why}`]
    },
  }
}

/**
 * Why nothing was carried out; '': nothing follows from the answer; undefined: the target is at work. `worked`: what was
 * let in before. Right credentials that a part of the interface never took are no sign that the target is gone.
 */
function idleness(exchange: Exchange, worked: ReadonlySet<string>): string | undefined {
  const {
    _outcome,
    response: { status },
  } = exchange
  if (_outcome !== 'complete') return `got no response (${_outcome})`
  if (isPutOff(status)) return `were put off (${status})`
  if (status !== 401) return undefined
  const pair = pairOf(exchange)
  return pair !== undefined && worked.has(pair) ? 'were refused, with right credentials (401)' : ''
}

/** The first part of a path that names a version of the interface. */
const VERSION = /\/(v\d+)\//

/** Right credentials, and the part of the interface that they were sent to; undefined: others, or none. */
function pairOf({ _credentials = [], request }: Exchange): string | undefined {
  if (_credentials.length === 0 || !_credentials.every(({ state }) => state === 'configured')) return undefined
  return `${_credentials.map(({ scheme }) => scheme).join(' ')} ${VERSION.exec(request.url)?.[1] ?? ''}`
}
