import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const list = (...names: readonly string[]): Exchange =>
  exchange('GET /v3/pipeline/gateway-route', {
    got: { data: names.map((title, index) => ({ id: `r${index + 1}`, title })) },
    intent: { kind: 'read', probe: probes.beside, group: 'g', final: true },
  })
const patch = (id: string, title: unknown, given: Given = {}): Exchange =>
  exchange(`PATCH /v3/pipeline/gateway-route/${id}`, {
    sent: { title },
    intent: { kind: 'base', group: 'g' },
    ...given,
  })
const broken = (...history: readonly Exchange[]): string[] =>
  judgeAll(history).flatMap(({ outcome, message }) => (outcome === 'broken' ? [message ?? ''] : []))

describe('the name that one thing was given', () => {
  test('is that of no other one in the list', () => {
    expect(broken(list('a', 'b'), patch('r1', 'new'), list('new', 'b'))).toEqual([])
    expect(broken(list('a', 'b'), patch('r1', 'new'), list('new', 'new'))).toEqual([
      'an update of one gateway route has given its name to another',
    ])
  })
  test.each([
    ['had it before', [list('a', 'new'), patch('r1', 'new'), list('new', 'new')]],
    ['was not listed before', [list('a'), patch('r1', 'new'), list('new', 'new')]],
    ['has yet another name', [list('a', 'b'), patch('r1', 'new'), list('new', 'c')]],
    ['has it, and the update was refused', [list('a', 'b'), patch('r1', 'new', { status: 400 }), list('a', 'new')]],
    [
      'has it, and nobody knows of the update',
      [list('a', 'b'), patch('r1', 'new', { outcome: 'reset' }), list('a', 'new')],
    ],
    ['has it, and no name was sent', [list('a', 'b'), patch('r1', undefined), list('a', 'new')]],
  ])('may be that of one that %s', (_, history) => {
    expect(broken(...history)).toEqual([])
  })
})
