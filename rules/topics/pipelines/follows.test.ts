import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const look = (status: string, given: Given = {}): Exchange =>
  exchange('GET /v3/pipeline/b', {
    got: { data: { id: 'b', processing_status: status } },
    intent: { kind: 'read', probe: probes.beside, group: 'g', final: true },
    ...given,
  })
const turn = (to: string, given: Given = {}, id = 'a'): Exchange =>
  exchange(`PUT /v3/pipeline/${id}/processing-status`, {
    sent: { processing_status: to },
    intent: { kind: 'base', group: 'g' },
    ...given,
  })
const outcomes = (...history: readonly Exchange[]): string[] =>
  judgeAll(history).flatMap(({ edge, outcome }) => (edge === 'another pipeline' ? [outcome] : []))

/** What another pipeline is read as at first, and after the first was switched on, off and on. */
const walk = (...[first = '', on = '', off = '', again = '']: readonly string[]): Exchange[] => [
  look(first),
  turn('enabled'),
  look(on),
  turn('disabled'),
  look(off),
  turn('enabled'),
  look(again),
]

describe('another pipeline', () => {
  test('stays as it is', () => {
    expect(outcomes(...walk('enabled', 'enabled', 'enabled', 'enabled'))).toEqual(['held'])
  })
  test('that follows the first there and back is switched with it', () => {
    expect(outcomes(...walk('enabled', 'enabled', 'disabled', 'enabled'))).toEqual(['broken'])
    expect(outcomes(...walk('off', 'on', 'off', 'on'))).toEqual(['broken'])
  })
  test('may change once, by itself', () => {
    expect(outcomes(...walk('disabled', 'enabled', 'enabled', 'enabled'))).toEqual(['held'])
    expect(outcomes(...walk('disabled', 'disabled', 'disabled', 'enabled'))).toEqual(['held'])
  })
  test('is not judged by switches that were refused, or were its own', () => {
    const refused = turn('disabled', { status: 409 })
    expect(outcomes(look('x'), turn('enabled'), look('on'), refused, look('off'), turn('enabled'), look('on'))).toEqual(
      [],
    )
    const own = turn('disabled', {}, 'b')
    expect(outcomes(look('x'), turn('enabled'), look('on'), own, look('off'), turn('enabled'), look('on'))).toEqual([])
  })
})
