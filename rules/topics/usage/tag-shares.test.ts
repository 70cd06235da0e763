import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { one, send, timed, two } from '../../_testing/lines.ts'
import { judgeAll } from '../../testing.ts'

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
