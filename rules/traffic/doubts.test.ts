import { expect, test } from 'vitest'
import type { Judgement } from '../core/judgement.ts'
import { createDoubts, type Doubts } from './doubts.ts'

const judgement = (outcome: Judgement['outcome'], exchange: string): Judgement => ({
  requirement: 'ROUTE-PATCH-APPLIES',
  operation: 'update-gateway-route',
  caseId: '',
  exchanges: [exchange],
  outcome,
})

/** What comes out, as outcome and exchange, when judgements about these things are added. */
function added(doubts: Doubts, rows: readonly (readonly [Judgement['outcome'], string, string])[]): string[] {
  const out: Judgement[] = []
  for (const [outcome, exchange, about] of rows) doubts.add(judgement(outcome, exchange), about, out)
  return out.map((one) => `${one.outcome} ${one.exchanges.join()}`)
}

test('three things of which none ever held are findings, and each after them at once', () => {
  const doubts = createDoubts()
  expect(
    added(doubts, [
      ['broken', '1', 'a'],
      ['broken', '2', 'b'],
    ]),
  ).toEqual([])
  expect(
    added(doubts, [
      ['broken', '3', 'c'],
      ['broken', '4', 'd'],
    ]),
  ).toEqual(['broken 1', 'broken 2', 'broken 3', 'broken 4'])
  expect(doubts.end()).toEqual([])
})

test('of one thing the newest finding waits, and the one before it is counted as lost', () => {
  const doubts = createDoubts()
  expect(
    added(doubts, [
      ['broken', '1', 'a'],
      ['broken', '2', 'a'],
      ['broken', '3', 'a'],
    ]),
  ).toEqual(['lost 1', 'lost 2'])
  expect(doubts.open()).toEqual([judgement('broken', '3')])
  expect(doubts.end()).toEqual([judgement('doubted', '3')])
})

test('where one thing held, none is a finding, and the oldest stays in doubt', () => {
  const doubts = createDoubts()
  const rows = ['1', '2', '3', '4'].map((exchange) => ['broken', exchange, `thing ${exchange}`] as const)
  expect(added(doubts, [['held', '0', 'a'], ...rows])).toEqual(['held 0', 'doubted 1'])
  expect(doubts.open()).toHaveLength(3)
})

test('nothing else is held back', () => {
  expect(
    added(createDoubts(), [
      ['inconclusive', '1', 'a'],
      ['observed', '2', 'a'],
    ]),
  ).toEqual(['inconclusive 1', 'observed 2'])
})
