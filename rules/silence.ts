import type { Exchange } from '../schemas/types/exchange.ts'

/** Notices that a target answered until some moment, and not once since. */
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
    add({ _outcome, _end }) {
      if (_outcome === 'complete') {
        answered += 1
        last = _end
        silent = 0
      } else {
        silent += 1
        why = _outcome
      }
    },
    problems() {
      if (silent < ENOUGH || answered === 0) return []
      const since = new Date(last).toISOString()
      return [
        `the target stopped answering at ${since}, after ${answered} answers: ${silent} more requests got none (${why})`,
      ]
    },
  }
}
