import type { Exchange } from '../schemas/types/exchange.ts'

/** Notices that a target answered until some moment, and then carried out nothing any more. */
export interface Silence {
  /** exchanges of a run, in their order */
  add(exchange: Exchange): void
  /** what has to be said at the end; nothing where the target was still there */
  problems(): string[]
}

/** So many requests in a row without an answer are no whim of the network. */
const ENOUGH = 20

export function createSilence(): Silence {
  let answered = 0
  let last = 0
  let silent = 0
  let why = ''
  return {
    add(exchange) {
      const found = idleness(exchange)
      if (found === undefined) {
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
      return [`the target stopped working at ${since}, after ${answered} answers: ${silent} more requests ${why}`]
    },
  }
}

/** Why nothing was carried out; '': nothing follows from the answer; undefined: the target is at work. */
function idleness({ _outcome, _credentials = [], response: { status } }: Exchange): string | undefined {
  if (_outcome !== 'complete') return `got no answer (${_outcome})`
  if (status === 429 || status === 503) return `were put off (${status})`
  if (status !== 401) return undefined
  const isRight = _credentials.length > 0 && _credentials.every(({ state }) => state === 'configured')
  return isRight ? 'were refused, with right credentials (401)' : ''
}
