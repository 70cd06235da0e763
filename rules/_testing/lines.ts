import type { Exchange, Intent, LineDigest } from '../../schemas/types/exchange.ts'
import { exchange, type Given } from '../testing.ts'

/** Milliseconds since the epoch, on the second. */
export const NOW: number = Math.floor(Date.now() / 1000) * 1000
const PERIOD = `from=${NOW / 1000 - 3_600}&to=${NOW / 1000 + 300}`
export const FINAL: Intent = { kind: 'read', final: true }
let tick = 0

/** A line of a test: equal numbers are one line. */
export interface OneLine {
  readonly number: number
  readonly app?: string
  readonly host?: string
  readonly text?: string
  readonly level?: string
  readonly tags?: readonly string[]
}

function digest(lines: readonly OneLine[], unreadable = 0): LineDigest {
  return {
    count: lines.length + unreadable,
    unreadable,
    marks: ['assay-0-x-1'],
    senders: lines.map(({ app = 'a', host = 'h', level = 'info', tags = ['t'] }) => ({
      host,
      app,
      level,
      tags: [...tags],
    })),
    lines: lines.map(({ number, text = 'same' }, index) => `0.${number} ${text} ${NOW + number} ${index}`),
  }
}

/** An exchange that begins a second after the one before, unless it is given when. */
export function timed(line: string, given: Given): Exchange {
  if (given.start !== undefined) return exchange(line, given)
  tick += 1
  return exchange(line, { ...given, start: NOW + tick * 1_000 })
}

/** Gives exchanges their times, a second apart: for histories of so many that the clock of all tests would run far ahead. */
export function clock(): () => { readonly start: number } {
  let ticks = 0
  return () => {
    ticks += 1
    return { start: NOW + ticks * 1_000 }
  }
}

/** Sends lines. */
export function send(lines: readonly OneLine[], given: Given = {}): Exchange {
  return { ...timed('POST /logs/ingest?hostname=h&tags=t', { got: {}, ...given }), _digest: { sent: digest(lines) } }
}

/** A page of an export v2; `query` begins with `&`. */
export function page(
  lines: readonly OneLine[],
  token: string | number | null,
  query = '',
  given: Given = {},
): Exchange {
  const body = { lines: [], pagination_id: token }
  const sent = timed(`GET /v2/export?${PERIOD}&hosts=h${query}`, { got: body, intent: FINAL, ...given })
  return { ...sent, _digest: { received: digest(lines) } }
}

/** An export v1. */
export function jsonl(lines: readonly OneLine[], query = '', given: Given = {}): Exchange {
  const sent = timed(`GET /v1/export?${PERIOD}&hosts=h${query}`, { got: 'text', intent: FINAL, ...given })
  return { ...sent, _digest: { received: digest(lines) } }
}

export const one: OneLine = { number: 1 }
export const two: OneLine = { number: 2 }
export const three: OneLine = { number: 3 }
export const four: OneLine = { number: 4 }
