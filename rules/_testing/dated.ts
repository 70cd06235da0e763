import type { Exchange, LineDigest } from '../../schemas/types/exchange.ts'
import type { Given } from '../testing.ts'
import { timed } from './lines.ts'

/** A line of a test: equal numbers say the same. `time`: milliseconds since the epoch; left out: none is known. */
export interface Dated {
  readonly number: number
  readonly time?: number
}

function digest(lines: readonly Dated[]): LineDigest {
  return {
    count: lines.length,
    unreadable: 0,
    marks: ['assay-0-x-1'],
    senders: [{ host: 'h', app: 'a', level: 'info', tags: ['t'] }],
    lines: lines.map(({ number, time }) => `0.${number} text${number} ${time ?? '-'} 0`),
  }
}

/** Sends lines with times of their own. */
export function sendDated(lines: readonly Dated[], given: Given): Exchange {
  return { ...timed('POST /logs/ingest?hostname=h&tags=t', { got: {}, ...given }), _digest: { sent: digest(lines) } }
}

/** An export between two times in milliseconds. `more`: of its query, from `&` on. */
export function exportDated(
  version: 1 | 2,
  lines: readonly Dated[],
  [from, to]: readonly [number, number],
  given: Given,
  more: string = '',
): Exchange {
  const got = version === 1 ? 'text' : { lines: [], pagination_id: null }
  const path = `GET /v${version}/export?from=${from / 1000}&to=${to / 1000}&hosts=h${more}`
  return { ...timed(path, { got, ...given }), _digest: { received: digest(lines) } }
}
