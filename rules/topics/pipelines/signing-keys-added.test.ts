import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, judgeAll, SETTLE_MS } from '../../testing.ts'

const ROUTE = '/v3/pipeline/gateway-route/r'
const base = { intent: { kind: 'base' } } as const
const add = (key: string, given: Given = {}): Exchange =>
  exchange(`PUT ${ROUTE}/signing-key`, { sent: { key }, got: {}, ...base, ...given })
const look = (count: number, given: Given = {}): Exchange =>
  exchange(`GET ${ROUTE}`, {
    got: { data: { signing_keys: new Array(count).fill({ id: 'x' }) } },
    intent: { kind: 'read', final: true },
    ...given,
  })
const outcomes = (history: readonly Exchange[], settleMs = 0): string[] =>
  judgeAll(history, settleMs)
    .filter(({ requirement, edge }) => /^SIGNING-KEYS?-(ADDS|KEPT)$/.test(requirement) || edge === 'signing keys')
    .map(({ requirement, outcome }) => `${requirement} ${outcome}`)

describe('signing keys', () => {
  const told = (count: number): Given => ({ got: { data: { signing_keys: new Array(count).fill('k') } } })
  const short = (line: string): string => line.replace(/^\S*?(ADDS|KEPT|PARTIAL)/, '$1')
  eachSays(
    (history) => [outcomes(history).map(short).join(', ')],
    [
      ['are there one after the other', [add('a'), look(1), add('b'), look(2)], 'ADDS held, ADDS held, KEPT held'],
      ['are counted together', [add('a'), add('b'), look(2)], 'ADDS held, KEPT held'],
      ['take the place of those before', [add('a'), look(1), add('b'), look(1)], 'ADDS held, ADDS held, KEPT broken'],
      ['were there before', [look(2), add('a'), look(3)], 'ADDS held, KEPT held'],
      ['are not added', [add('a'), look(0)], 'ADDS broken'],
      ['are not shown', [add('a'), exchange(`GET ${ROUTE}`, { got: { data: {} }, intent: { kind: 'read' } })], ''],
      ['are refused', [add('a'), add('b', { status: 400 }), look(1)], 'ADDS held'],
      ['may have been added', [add('a'), add('b', { status: 500 }), look(1)], ''],
      ['are added twice', [add('a'), add('a'), look(1)], ''],
      ['are looked at without an addition', [look(2), look(1)], ''],
      [
        'may have gone with an update',
        [add('a'), exchange(`PATCH ${ROUTE}`, { sent: {}, got: {}, ...base }), look(0)],
        '',
      ],
      [
        'are lost with a patch that sends none',
        [look(2), exchange(`PATCH ${ROUTE}`, { sent: { title: 'x' }, got: {}, ...base }), look(1)],
        'PARTIAL broken',
      ],
      [
        'stay with a patch that sends none',
        [look(2), exchange(`PATCH ${ROUTE}`, { sent: { title: 'x' }, got: {}, ...base }), look(2)],
        'PARTIAL held',
      ],
      [
        'may go with a patch that sends them, with one that broke the server, and with a replacement',
        [
          ...[look(2), exchange(`PATCH ${ROUTE}`, { sent: { signing_keys: [] }, got: {}, ...base }), look(1)],
          ...[exchange(`PATCH ${ROUTE}`, { sent: { title: 'x' }, status: 500, ...base }), look(0)],
          ...[look(1), exchange(`PUT ${ROUTE}`, { sent: { title: 'x' }, got: {}, ...base }), look(0)],
        ],
        '',
      ],
      ['are in the answers to additions', [add('a', told(1)), add('b', told(2))], 'KEPT held'],
      ['are in answers that show what was there before', [add('a', told(0)), add('b', told(1)), add('c', told(2))], ''],
      [
        'take the place of those before in the answers',
        [add('a', told(1)), add('b', told(1)), add('c', told(1))],
        'KEPT broken',
      ],
    ],
  )

  test('may take the place of those before where no binding promises that they stay', () => {
    const history = [add('a'), look(1), add('b'), look(1)]
    const told = judgeAll(history, 0, { answers: { 'GAP-SIGNING-KEY-REPEAT': null } })
    expect(told.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect(told.filter(({ requirement }) => requirement === 'GAP-SIGNING-KEY-REPEAT')).toMatchObject([
      {
        outcome: 'observed',
        actual: 'add-signing-key: a signing key that was added is gone after another one is added',
      },
    ])
  })

  test('are given the settle time', () => {
    expect(outcomes([add('a'), look(0), look(1)], SETTLE_MS).map((line) => line.split(' ')[1])).toEqual([
      'inconclusive',
      'held',
    ])
  })
})
