import { isPutOff, says } from '../core/says.ts'
import type { ExchangeView } from '../core/view.ts'

/** Notices that a target worked until some moment of a run, and then carried out nothing any more. */
export interface AtWork {
  /** exchanges of a run, in their order */
  add(view: ExchangeView): void
  /** the judgements at the end; none if the target was still at work */
  problems(): string[]
}

/** So many requests in a row that were not carried out are no whim of the network. */
const ENOUGH = 20
/** Errors of so many operations are no matter of one of them. */
const OPERATIONS = 3

export function createAtWork(): AtWork {
  let worked = 0
  let last = 0
  let idle = 0
  let why = ''
  /** operations that were answered with errors since then; undefined: some requests were not answered at all */
  let refused: Set<string> | undefined
  const taken = new Set<string>()
  const begin = (): void => {
    idle = 0
    refused = undefined
  }
  return {
    add(view) {
      const { exchange, accepted, operation } = view
      const kept = away(view)
      const found = kept ?? (accepted ? undefined : refusal(view, taken))
      if (found !== undefined) {
        idle += 1
        why = found
        if (kept === undefined) refused = (refused ?? new Set()).add(operation?.id ?? '')
      } else if (accepted || !refused) {
        // Any answer shows that somebody is there. Only success shows that it is at work.
        if (accepted) for (const one of [pairOf(view), freeOf(view)]) if (one !== undefined) taken.add(one)
        worked += 1
        last = exchange._end
        begin()
      }
    },
    problems() {
      if (idle < ENOUGH || worked === 0 || (refused && refused.size < OPERATIONS)) return []
      const since = new Date(last).toISOString()
      return [`the target stopped working at ${since}, after ${worked} responses: ${idle} more requests ${why}`]
    },
  }
}

/** Why nothing was carried out: nobody answered, or put it off. */
function away({ exchange: { _outcome }, status }: ExchangeView): string | undefined {
  if (_outcome !== 'complete') return `got no response (${_outcome})`
  return isPutOff(status) ? `were put off (${status})` : undefined
}

/** Requests that are not meant to be carried out, or need not be. */
const OTHERWISE: ReadonlySet<string | undefined> = new Set(['auth', 'refuse', 'provoke', 'observe', 'cleanup'])

/**
 * That a good request was answered with an error: a server error, or a refusal of what was taken before. An id may name
 * a thing that is gone. Right credentials that a part of the interface never took say nothing.
 */
function refusal(view: ExchangeView, taken: ReadonlySet<string>): string | undefined {
  const { status, intent, violations } = view
  if (status < 400 || OTHERWISE.has(intent?.kind) || violations.length > 0) return undefined
  if (status >= 500) return `were answered with ${status}`
  const isCaller = says(view, 'caller')
  if (!taken.has((isCaller ? pairOf(view) : freeOf(view)) ?? '')) return undefined
  return isCaller ? `were refused, with right credentials (${status})` : `were refused (${status})`
}

/** The first part of a path that names a version of the interface. */
const VERSION = /\/(v\d+)\//

/** Right credentials, and the part of the interface that they were sent to; undefined: others, or none. */
function pairOf({ credentials, exchange }: ExchangeView): string | undefined {
  if (credentials.length === 0 || !credentials.every(({ state }) => state === 'configured')) return undefined
  return `${credentials.map(({ scheme }) => scheme).join(' ')} ${VERSION.exec(exchange.request.url)?.[1] ?? ''}`
}

/** The operation of a request that names no thing. */
function freeOf({ operation, params }: ExchangeView): string | undefined {
  return Object.keys(params).length === 0 ? operation?.id : undefined
}
