import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const intent = { kind: 'read' as const, final: true }
const make = (name: string, given: Given = {}): Exchange =>
  exchange('POST /v1/config/presetalert', { sent: { name, channels: [] }, intent: { kind: 'base' }, ...given })
const list = (...ids: readonly (readonly [id: string, name: string])[]): Exchange =>
  exchange('GET /v1/config/presetalert', { got: ids.map(([presetid, name]) => ({ presetid, name })), intent })
const update = (id: string, name: string): Exchange =>
  exchange(`PUT /v1/config/presetalert/${id}`, { sent: { name, channels: [] }, intent: { kind: 'base' } })

function outcomes(history: readonly Exchange[]): string {
  return judgeAll(history)
    .filter(
      ({ requirement, message }) =>
        requirement === 'PRESET-CREATE-MAKES' && message?.startsWith('one creation') === true,
    )
    .map(({ outcome }) => outcome)
    .join(' ')
}

describe('a creation of a preset alert', () => {
  test('makes one', () => {
    expect(outcomes([make('n'), list(['1', 'n'], ['2', 'm'])])).toBe('')
    expect(outcomes([make('n'), list(['1', 'n'], ['2', 'n'])])).toBe('broken')
  })
  test('may have made two where there were two requests, or one that nobody knows the end of', () => {
    expect(outcomes([make('n'), make('n'), list(['1', 'n'], ['2', 'n'])])).toBe('')
    expect(outcomes([make('n', { outcome: 'reset' }), make('n'), list(['1', 'n'], ['2', 'n'])])).toBe('')
    expect(outcomes([make('n'), update('2', 'n'), list(['1', 'n'], ['2', 'n'])])).toBe('')
  })
})
