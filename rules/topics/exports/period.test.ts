import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { type Dated, exportDated, sendDated } from '../../_testing/dated.ts'
import { FINAL, NOW } from '../../_testing/lines.ts'
import { exchange, type Given, judgeAll, SETTLE_MS, said } from '../../testing.ts'

describe('a closed period', () => {
  const HOUR = 3_600_000
  const old: Dated = { number: 1, time: NOW - 5 * HOUR }
  const fresh: Dated = { number: 2, time: NOW }
  const intent = (probe: ProbeName) => ({ intent: { kind: 'observe', probe, group: 'g' } as const })

  const sent = (lines: readonly Dated[] = [old, fresh]): Exchange =>
    sendDated(lines, { intent: { kind: 'base', group: 'g' } })
  const whole = (lines: readonly Dated[]): Exchange =>
    exportDated(1, lines, [NOW - 6 * HOUR, NOW + HOUR], intent('holds older and newer lines'))
  const older = (lines: readonly Dated[]): Exchange =>
    exportDated(1, lines, [NOW - 6 * HOUR, NOW - 4 * HOUR], intent('ends before newer lines'))
  const newer = (lines: readonly Dated[]): Exchange =>
    exportDated(1, lines, [NOW - 3 * HOUR, NOW + HOUR], intent('begins after older lines'))

  function told(history: readonly Exchange[]): string[] {
    return judgeAll(history).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'EXPORT-V1-PERIOD' ? [`${edge} ${outcome}`] : [],
    )
  }

  describe('an export between two times', () => {
    test('holds no lines from after its end, nor from before its beginning', () => {
      expect(told([sent(), whole([old, fresh]), older([old]), newer([fresh])])).toEqual(['to held', 'from held'])
    })
    test('that goes on after its end shows lines that came in later, under later times', () => {
      const history = [sent(), whole([old, fresh]), older([old, fresh]), newer([fresh])]
      expect(told(history)).toEqual(['to broken'])
      const [found] = judgeAll(history).filter(({ outcome }) => outcome === 'broken')
      expect(found?.actual).toBe(`a line of ${new Date(NOW).toISOString()}, such as assay-0-x-1.2`)
    })
    test('that begins too early shows lines of earlier times, by which the same target has selected', () => {
      expect(told([sent(), whole([old, fresh]), older([old]), newer([old, fresh])])).toEqual(['to held', 'from broken'])
    })
    test('of version 2 is held to its own requirement', () => {
      const pages = exportDated(2, [old, fresh], [NOW - 6 * HOUR, NOW - 4 * HOUR], intent('ends before newer lines'))
      const found = judgeAll([sent(), pages]).filter(({ outcome }) => outcome === 'broken')
      expect(found.map(({ requirement }) => requirement)).toEqual(['EXPORT-V2-PERIOD'])
    })
  })

  describe('which time of a line counts', () => {
    test('may be that of its arrival, under which both are new', () => {
      expect(told([sent(), whole([old, fresh]), older([]), newer([old, fresh])])).toEqual(['to held'])
    })
    test('may be that of its arrival, under which both are shown', () => {
      const moved = { ...old, time: NOW + 1_000 }
      expect(told([sent(), whole([moved, fresh]), older([]), newer([moved, fresh])])).toEqual(['to held'])
    })
    test('is one that the target gave it, where it shows that', () => {
      const moved = { ...fresh, time: NOW - 5 * HOUR }
      expect(told([sent(), whole([old, moved]), older([old, moved]), newer([])])).toEqual([])
    })
    test('is another one for a while, where it shows another one now', () => {
      const moved = { ...old, time: NOW - HOUR }
      expect(told([sent(), whole([old, fresh]), older([old]), newer([moved, fresh])])).toEqual(['to held'])
    })
    test('is before the end for what came in before it, whatever the line says', () => {
      const ahead = { number: 2, time: NOW + 3 * HOUR }
      const until = (lines: readonly Dated[]): Exchange =>
        exportDated(1, lines, [NOW - 6 * HOUR, NOW + 2 * HOUR], intent('ends before newer lines'))
      expect(told([sent([old, ahead]), whole([old, ahead]), until([old, ahead])])).toEqual([])
    })
    test('is that of its arrival, or its own, where none is shown', () => {
      const bare = [{ number: 1 }, { number: 2 }]
      expect(told([sent(bare), whole(bare), older(bare)])).toEqual(['to broken'])
      expect(told([sent(bare), whole(bare), older([]), newer(bare)])).toEqual(['to held'])
    })
  })

  test('nothing is said where the newer line is not known to be stored, and nothing of an export that shows nothing', () => {
    expect(told([sent(), whole([old]), older([old]), newer([old])])).toEqual([])
    expect(told([sent(), whole([old, fresh]), older([old]), newer([])])).toEqual(['to held'])
  })
})

describe('an open end', () => {
  const HOUR = 3_600

  /** An export until so many seconds that shows these of the lines 1 (now), 2 and 3 (to come). */
  function exported(probe: ProbeName, to: number, shown: readonly number[], given: Given = {}): Exchange {
    const one = exchange(`GET /v2/export?from=1&to=${to}&hosts=h`, {
      got: { lines: [], pagination_id: null },
      intent: { kind: probe === 'ends now' ? 'read' : 'observe', probe, group: 'g' },
      ...given,
    })
    // Line 1 is of now, the others of a day, and of two days, to come.
    const lines = shown.map((number) => `0.${number} hash ${number === 1 ? 1 : number * 24 * HOUR * 1_000_000} -`)
    const received = { count: lines.length, unreadable: 0, marks: ['assay-a-b-1'], senders: [], lines }
    return { ...one, _digest: { received } }
  }

  const later = (shown: readonly number[]): Exchange => exported('ends after lines to come', 72 * HOUR * 1_000, shown)
  const soon = (shown: readonly number[], given?: Given): Exchange =>
    exported('ends before lines to come', HOUR * 1_000, shown, given)
  const now = (shown: readonly number[], given?: Given): Exchange => exported('ends now', 0, shown, given)
  const outcomes = (history: readonly Exchange[]): string[] =>
    judgeAll(history).flatMap(({ edge, outcome }) => (edge === 'lines of the future' ? [outcome] : []))

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
})

const MINUTE = 60_000
const PERIOD = [NOW - 60 * MINUTE, NOW + 5 * MINUTE] as const
const many = (count: number): Dated[] => Array.from({ length: count }, (_, index) => ({ number: index + 1, time: NOW }))
const sent = (count: number): Exchange => sendDated(many(count), { intent: { kind: 'base' } })
const paged = (count: number): Exchange =>
  exportDated(2, many(count), PERIOD, { got: { lines: [], pagination_id: 'more' }, intent: { kind: 'read' } })
const exported = (count: number, given: Given = {}, more = ''): Exchange =>
  exportDated(1, many(count), PERIOD, { intent: FINAL, ...given }, more)
/** This rule alone: another one judges that none are more than 20,000. */
const outcomes = (...history: readonly Exchange[]): string[] => outcomesWithin(0, ...history)
const outcomesWithin = (settleMs: number, ...history: readonly Exchange[]): string[] =>
  judgeAll(history, settleMs).flatMap(({ requirement, outcome, edge }) =>
    requirement === 'EXPORT-V1-CAP-VALUES' && edge?.includes(' of ') ? [outcome] : [],
  )

describe('export v1', () => {
  test.each([
    [30_001, 10_000, ['held']],
    [30_001, 20_000, ['held']],
    [30_001, 15_000, ['broken']],
    [30_001, 10_005, ['broken']],
    [30_001, 5_000, ['broken']],
    [10_001, 10_000, ['held']],
    [10_001, 10_001, []],
    [10_001, 5_000, ['broken']],
    [20_000, 15_000, ['broken']],
    [10_000, 5_000, []],
  ])('with %i lines stored and %i returned is judged as %j', (stored, returned, expected) => {
    expect(outcomes(sent(stored), paged(stored), exported(returned))).toEqual(expected)
  })
  test('of 10,005 lines and not all is above the stated cap', () => {
    const history = [sent(30_001), paged(30_001), exported(10_005)]
    const cap = judgeAll(history).filter(({ requirement }) => requirement === 'EXPORT-V1-CAP')
    expect(cap.map(({ outcome }) => outcome)).toEqual(['broken'])
  })
  test('is not judged by lines that export v2 does not show', () => {
    expect(outcomes(sent(30_001), exported(5_000))).toEqual([])
    expect(outcomes(sent(30_001), paged(9_000), exported(5_000))).toEqual([])
  })
  test('is not judged where a number of lines was asked for, or it is mailed', () => {
    expect(outcomes(sent(30_001), paged(30_001), exported(5_000, {}, '&size=5000'))).toEqual([])
    expect(outcomes(sent(30_001), paged(30_001), exported(5_000, {}, '&email=a@example.com'))).toEqual([])
  })
  test('that is cut at another number is told from one that loses lines', () => {
    const told = (stored: number): string[] =>
      judgeAll([sent(stored), paged(stored), exported(5_000)])
        .filter(({ outcome, operation }) => outcome === 'broken' && operation === 'export-v1')
        .map(({ requirement }) => requirement)
    expect(told(30_001)).toEqual(['EXPORT-V1-CAP-VALUES'])
    expect(told(10_000)).toEqual(['LINES-COME-OUT'])
  })
  test('of more than 20,000 lines is found whatever is stored', () => {
    const told = (count: number): string[] =>
      judgeAll([exported(count)]).flatMap(({ requirement, outcome }) =>
        requirement === 'EXPORT-V1-CAP' ? [outcome] : [],
      )
    expect([20_000, 20_001, 15_000].map(told)).toEqual([['held'], ['broken'], []])
  })
  test('is given the settle time', () => {
    expect(outcomesWithin(SETTLE_MS, sent(10_001), paged(10_001), exported(5_000))).toEqual(['inconclusive'])
  })
})

const three: readonly Dated[] = [1, 2, 3].map((number) => ({ number, time: NOW - number * MINUTE }))
const sentThree = (): Exchange => sendDated(three, {})
/** An export of two lines from the beginning of the period. */
const head = (shown: readonly Dated[]): Exchange =>
  exportDated(1, shown, PERIOD, { intent: FINAL }, '&size=2&prefer=head')

test('the first lines are those of the earliest times', () => {
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(three.slice(1))])).toEqual(['held'])
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(three.slice(0, 2))])).toEqual(['broken'])
})

test('a target that keeps lines under other times than they were sent with goes by those', () => {
  const arrived = three.map((line) => ({ ...line, time: NOW }))
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(arrived.slice(0, 2))])).toEqual([])
})
