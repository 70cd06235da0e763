import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../testing.ts'

const intent = { kind: 'read' as const, final: true }
const channel = (url: string): Record<string, string> => ({ integration: 'webhook', url })
const TWO = [channel('https://a.example.com'), channel('https://b.example.com')]

const make = (name: string, channels: readonly unknown[] = TWO, given: Given = {}): Exchange =>
  exchange('POST /v1/config/presetalert', { sent: { name, channels }, intent: { kind: 'base' }, ...given })
const list = (...ids: readonly (readonly [id: string, name: string])[]): Exchange =>
  exchange('GET /v1/config/presetalert', { got: ids.map(([presetid, name]) => ({ presetid, name })), intent })
const get = (id: string, channels: unknown, given: Given = {}): Exchange =>
  exchange(`GET /v1/config/presetalert/${id}`, { got: { presetid: id, channels }, intent, ...given })
const update = (id: string, name: string): Exchange =>
  exchange(`PUT /v1/config/presetalert/${id}`, { sent: { name, channels: [] }, intent: { kind: 'base' } })

/** Of this rule alone: what others say of the same requirement names no creation that was seen once. */
function outcomes(history: readonly Exchange[], settleMs = 0): string {
  return judgeAll(history, settleMs)
    .filter(({ requirement, message, edge }) => {
      const own = edge?.endsWith('channels') === true || message?.startsWith('one creation') === true
      return requirement === 'PRESET-CREATE-MAKES' && own
    })
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
    expect(outcomes([make('n', TWO, { outcome: 'reset' }), make('n'), list(['1', 'n'], ['2', 'n'])])).toBe('')
    expect(outcomes([make('n'), update('2', 'n'), list(['1', 'n'], ['2', 'n'])])).toBe('')
  })
  test('makes it with each of its channels', () => {
    expect(outcomes([make('n'), list(['1', 'n']), get('1', TWO)])).toBe('held')
    expect(outcomes([make('n'), list(['1', 'n']), get('1', TWO.slice(1))])).toBe('broken')
    expect(outcomes([make('n'), list(['1', 'n']), get('1', [])])).toBe('broken')
  })
  test('may be read with more channels, or without any that can be counted', () => {
    expect(outcomes([make('n'), list(['1', 'n']), get('1', [...TWO, ...TWO])])).toBe('held')
    expect(outcomes([make('n'), list(['1', 'n']), get('1', undefined)])).toBe('')
    expect(outcomes([make('n', []), list(['1', 'n']), get('1', [])])).toBe('')
  })
  test('is given the settle time', () => {
    const early = (): Exchange => get('1', [], { intent: { kind: 'read', final: false } })
    expect(outcomes([make('n'), list(['1', 'n']), early(), get('1', TWO)], 5_000)).toBe('inconclusive held')
  })
  test('is no longer what is read after an update', () => {
    expect(outcomes([make('n'), list(['1', 'n']), update('1', 'm'), get('1', [])])).toBe('')
  })
})
