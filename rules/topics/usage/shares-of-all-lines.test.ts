import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/records/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { one, send, timed, two } from '../../_testing/lines.ts'
import { judgeAll } from '../../testing.ts'

describe('all rows', () => {
  const group = { probe: probes.wholeShares, group: 'g' } as const
  let number = 0

  const sent = (count: number): Exchange =>
    send(
      Array.from({ length: count }, () => {
        number += 1
        return { number }
      }),
      { intent: { kind: 'base', ...group } },
    )

  type Rows = Readonly<Record<string, number | string>>

  const report = (rows: Rows, final = true): Exchange =>
    timed('GET /v1/usage/hosts?limit=10000', {
      got: Object.entries(rows).map(([name, percentage_of_total]) => ({ name, percentage_of_total })),
      intent: { kind: 'read', final, ...group },
    })

  const SENT = [3, 5, 11, 20]

  /** What a target reports that has 100 lines of another host, after each sending; `all`: the lines that it takes for all. */
  function history(sharesOf: (own: number, all: number, step: number) => Rows): Exchange[] {
    let own = 0
    return SENT.flatMap((count, step) => {
      own += count
      return [sent(count), report(sharesOf(own, own + 100, step))]
    })
  }

  const shares = (own: number, all: number): Rows => ({ h: (100 * own) / all, other: (100 * 100) / all })

  function told(exchanges: readonly Exchange[]): string[] {
    return judgeAll(exchanges).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'USAGE-V1-SHARE' && edge === 'all rows' ? [outcome] : [],
    )
  }

  describe('the shares of all hosts', () => {
    test('sum to the whole', () => {
      expect(told(history(shares))).toEqual(['held'])
    })
    test('sum to the same part of it whatever comes in: they are of another number', () => {
      expect(told(history((own, all) => shares(own, 2 * all)))).toEqual(['broken'])
      expect(told(history((own, all) => shares(own, 1.25 * all)))).toEqual(['broken'])
    })
    test('that are more than the whole are the matter of another rule', () => {
      expect(told(history((own, all) => shares(own, all / 2)))).toEqual([])
    })
    test('come nearer to the whole, where lines have none', () => {
      expect(told(history((own, all) => shares(own, all + 100)))).toEqual([])
    })
    test('may go with lines without a host that come in meanwhile, unless in step to the line', () => {
      expect(told(history((own, all, step) => shares(own, 2 * all + (step === 2 ? 1 : 0))))).toEqual([])
    })
    test('say nothing where they are told too roughly', () => {
      const rough = (own: number, all: number): Rows =>
        Object.fromEntries(
          Object.entries(shares(own, 2 * all)).map(([name, value]) => [name, Math.round(Number(value))]),
        )
      expect(told(history(rough))).toEqual([])
    })
    test('of which the one that is known is small are rounded as much as it is', () => {
      // exact, of 6,080 lines of other hosts, 21,065 of a third one and 22,929 without any
      const told_ = [
        [0.01, 42.07, 12.14],
        [0.02, 42.06, 12.14],
        [0.04, 42.05, 12.14],
        [0.08, 42.04, 12.13],
      ]
      const rows = (step: number): Rows => {
        const [h = 0, b = 0, c = 0] = told_[step] ?? []
        return { h, b, c }
      }
      expect(told(history((_own, _all, step) => rows(step)))).toEqual([])
    })
    test('say nothing where no new line was counted, or too few reports came', () => {
      expect(told(history(() => shares(10, 200)))).toEqual([])
      expect(told(history((own, all) => shares(own, 2 * all)).slice(0, 6))).toEqual([])
    })
    test('say nothing where one of them is no number', () => {
      expect(told(history((own, all) => ({ ...shares(own, 2 * all), more: 'some' })))).toEqual([])
    })
    test('that are fractions of one are the matter of another rule', () => {
      expect(told(history((own, all) => shares(own, 100 * all)))).toEqual([])
    })
    test('are looked at once they are final', () => {
      const early = history((own, all) => shares(own, 2 * all)).slice(0, 7)
      expect(told([...early, report(shares(39, 278), false)])).toEqual([])
      expect(told([...early, report({ h: 1, other: 2 }, false), report(shares(39, 278))])).toEqual(['broken'])
    })
  })
})

describe('rows by tag and by host', () => {
  const group = { probe: probes.sharesOfOneSender, group: 'g' } as const
  const sent = (): Exchange => send([one, two], { intent: { kind: 'base', ...group } })
  const report = (kind: 'hosts' | 'tags', shares: Readonly<Record<string, number>>, final = true): Exchange =>
    timed(`GET /v1/usage/${kind}?limit=100`, {
      got: Object.entries(shares).map(([name, percentage_of_total]) => ({ name, percentage_of_total })),
      intent: { kind: 'read', final, ...group },
    })
  const hosts = (share: number, rest = 100 - share): Exchange => report('hosts', { h: share, other: rest })
  const tags = (share: number, final?: boolean): Exchange => report('tags', { t: share, other: 90 }, final)

  function told(history: readonly Exchange[], settleMs = 0): string[] {
    return judgeAll(history, settleMs).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'USAGE-TAGS-SHARE' && edge === probes.sharesOfOneSender ? [outcome] : [],
    )
  }

  describe('lines of one host and one tag', () => {
    test('have the same share by both', () => {
      expect(told([sent(), hosts(12.5), tags(12.5), hosts(12.5)])).toEqual(['held'])
      expect(told([sent(), hosts(33.3), tags(33.33), hosts(33.3)])).toEqual(['held'])
    })
    test('that have another share by tag are counted as part of another number', () => {
      expect(told([sent(), hosts(12.5), tags(6.25), hosts(12.5)])).toEqual(['broken'])
    })
    test('have another share for a while, when others send lines', () => {
      expect(told([sent(), hosts(12.5), tags(8), hosts(6.25)])).toEqual(['held'])
      expect(told([sent(), hosts(12.5), tags(5), hosts(6.25)])).toEqual(['inconclusive'])
      expect(told([sent(), hosts(12.5), tags(6.25), hosts(12.5)], 3_600_000)).toEqual(['inconclusive'])
    })
    test('say nothing where the shares of all hosts are not the whole', () => {
      expect(told([sent(), hosts(12.5, 37.5), tags(25), hosts(12.5, 37.5)])).toEqual([])
    })
    test('say nothing where they are not listed yet, or not at rest', () => {
      expect(told([sent(), hosts(12.5), tags(0), hosts(12.5)])).toEqual([])
      expect(told([sent(), hosts(12.5), tags(6.25, false), hosts(12.5)])).toEqual([])
      expect(told([sent(), tags(6.25), hosts(12.5)])).toEqual([])
      expect(told([hosts(12.5), tags(6.25), hosts(12.5)])).toEqual([])
    })
    test('say nothing where more lines were sent, which may have other names', () => {
      expect(told([sent(), sent(), hosts(12.5), tags(6.25), hosts(12.5)])).toEqual([])
    })
  })
})
