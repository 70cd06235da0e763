import { describe } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given } from '../../testing.ts'

const PATH = '/v1/config/presetalert'
const channel = (emails: readonly string[]): unknown => ({ integration: 'email', emails })
const preset = (name: string, emails: readonly string[] = ['a@example.com']): Record<string, unknown> => ({
  name,
  channels: [channel(emails)],
})
const make = (name: string, given: Given = {}): Exchange =>
  exchange(`POST ${PATH}`, { sent: preset(name), start: 1_000, ...given })
const update = (id: string, name: string, given: Given = {}): Exchange =>
  exchange(`PUT ${PATH}/${id}`, { sent: preset(name, ['b@example.com']), start: 5_000, ...given })
const list = (presets: readonly Record<string, unknown>[], given: Given = {}): Exchange =>
  exchange(`GET ${PATH}`, { got: presets, start: 9_000, ...given })
const read = (id: string, record: unknown): Exchange => exchange(`GET ${PATH}/${id}`, { got: record, start: 9_000 })
const early = (): Exchange => list([{ ...preset('a'), presetid: '1' }], { start: 2_000 })
const changed = preset('b', ['b@example.com'])

describe('a preset alert', () => {
  eachSays({ told: 'PRESET-READ', settles: true }, [
    ['is listed as it was made', [make('a'), list([{ ...preset('a'), presetid: '1' }])], 'held'],
    [
      'is listed with other channels',
      [make('a'), list([{ ...preset('a', ['x@example.com']), presetid: '1' }])],
      'broken',
    ],
    [
      'may be another one of its name, whose creation failed and was carried out all the same',
      [
        make('a', { status: 500 }),
        make('a', { start: 1_500 }),
        list([{ ...preset('a', ['x@example.com']), presetid: '1' }]),
      ],
      '',
    ],
    [
      'is believed no longer once a list has shown other channels',
      [
        make('a'),
        list([{ ...preset('a', ['x@example.com']), presetid: '1' }], { start: 3_000 }),
        read('1', preset('a', ['x@example.com'])),
      ],
      'broken',
    ],
    [
      'is believed no longer once a read has shown other channels',
      [make('a'), early(), read('1', preset('a', [])), read('1', preset('a', []))],
      'held broken',
    ],
    ['is listed without its channels', [make('a'), list([{ name: 'a', channels: [], presetid: '1' }])], 'broken'],
    ['is listed by its name alone', [make('a'), list([{ name: 'a', presetid: '1' }])], 'held'],
    ['is read as it was made', [make('a'), early(), read('1', preset('a'))], 'held held'],
    ['is read with other channels', [make('a'), early(), read('1', preset('a', []))], 'held broken'],
    ['is read without its channel', [make('a'), early(), read('1', { name: 'a', channels: [] })], 'held broken'],
    ['is read under another name', [make('a'), early(), read('1', preset('A'))], 'held broken'],
    [
      'is listed as it was updated',
      [make('a'), early(), update('1', 'b'), list([{ ...changed, presetid: '1' }])],
      'held held',
    ],
    [
      'is listed as before its update',
      [make('a'), early(), update('1', 'b'), list([{ ...preset('a'), presetid: '1' }])],
      'held broken',
    ],
    ['is read as before its update', [make('a'), early(), update('1', 'b'), read('1', preset('a'))], 'held broken'],
    [
      'may have been updated',
      [make('a'), early(), update('1', 'b', { status: 500 }), list([{ ...changed, presetid: '1' }])],
      'held',
    ],
    [
      'may have been updated before its id was known',
      [make('a'), update('1', 'a', { status: 500 }), list([{ ...preset('a', ['x@example.com']), presetid: '1' }])],
      '',
    ],
    [
      'was removed',
      [make('a'), early(), exchange(`DELETE ${PATH}/1`, { start: 5_000 }), read('1', preset('b'))],
      'held',
    ],
    ['was refused', [make('a', { status: 400 }), list([{ ...preset('a', []), presetid: '1' }])], ''],
    ['of another name', [make('a'), list([{ ...preset('b', []), presetid: '1' }])], ''],
  ])
})
