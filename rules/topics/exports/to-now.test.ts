import { describe, expect, test } from 'vitest'
import { type ProbeName, probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const HOUR = 3_600

/** An export until so many seconds that shows these of the lines 1 (now), 2 and 3 (to come). */
function exported(probe: ProbeName, to: number, shown: readonly number[], given: Given = {}): Exchange {
  const one = exchange(`GET /v2/export?from=1&to=${to}&hosts=h`, {
    got: { lines: [], pagination_id: null },
    intent: { kind: probe === probes.endsNow ? 'read' : 'observe', probe, group: 'g' },
    ...given,
  })
  // Line 1 is of now, the others of a day, and of two days, to come.
  const lines = shown.map((number) => `0.${number} hash ${number === 1 ? 1 : number * 24 * HOUR * 1_000_000} -`)
  const received = { count: lines.length, unreadable: 0, marks: ['assay-a-b-1'], senders: [], lines }
  return { ...one, _digest: { received } }
}

const later = (shown: readonly number[]): Exchange => exported(probes.endsAfterComing, 72 * HOUR * 1_000, shown)
const soon = (shown: readonly number[], given?: Given): Exchange =>
  exported(probes.endsBeforeComing, HOUR * 1_000, shown, given)
const now = (shown: readonly number[], given?: Given): Exchange => exported(probes.endsNow, 0, shown, given)
const outcomes = (history: readonly Exchange[]): string[] =>
  judgeAll(history).flatMap(({ edge, outcome }) => (edge === 'lines of times to come' ? [outcome] : []))

describe('an export with to=0', () => {
  test('leaves out what is still to come', () => {
    expect(outcomes([later([1, 2, 3]), soon([1]), now([1])])).toEqual(['held'])
  })
  test('that shows what an export of the near future leaves out does not end now', () => {
    expect(outcomes([later([1, 2, 3]), soon([1]), now([1, 2])])).toEqual(['broken'])
  })
  test('may show lines of before that an export did not show yet', () => {
    expect(outcomes([later([1, 2, 3]), soon([]), now([1])])).toEqual(['held'])
  })
  test('may show lines that were given another time, or that nobody knows the time of', () => {
    expect(outcomes([later([1, 2, 3]), soon([1, 2, 3]), now([1, 2, 3])])).toEqual([])
    expect(outcomes([later([]), soon([]), now([1, 2, 3])])).toEqual([])
    expect(outcomes([soon([1]), now([1, 2, 3])])).toEqual([])
  })
  test('is not judged where the near future has passed meanwhile, or has more pages', () => {
    const end = HOUR * 1_000_000
    expect(outcomes([later([1, 2]), soon([1]), now([1, 2], { start: end, end: end + 1 })])).toEqual([])
    const paged = { lines: [], pagination_id: 'more' }
    expect(outcomes([later([1, 2]), soon([1], { got: paged }), now([1, 2])])).toEqual([])
  })
})
