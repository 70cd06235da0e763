import { expect, test } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import { isWorthSending, observedGap } from './observed-gap.ts'

const gapOf = (operation: string, pointer: string, label: string): string | undefined =>
  observedGap(operation, pointer, label, ledger())

test('an observed value tells about the gap that asks for it', () => {
  expect(gapOf('update-transform', '/title', 'missing')).toBe('GAP-REQUIRED-FIELDS')
  expect(gapOf('create-preset-alert', '/name', 'missing')).toBe('GAP-PRESET-REQUIRED')
  expect(gapOf('update-transform', '/title', '3 emoji')).toBe('GAP-LENGTH-UNIT')
  expect(gapOf('update-transform', '/description', 'length 5000')).toBe('GAP-TEXT-MAXIMUM')
  expect(gapOf('update-transform', '/title', 'length 5000')).toBeUndefined()
})

test('a gap is asked about only by operations that its entry names', () => {
  expect(gapOf('update-transform', '/name', 'missing')).not.toBe('GAP-PRESET-REQUIRED')
  expect(observedGap('create-preset-alert', '/name', 'missing', new Map())).toBeUndefined()
})

test('values that no gap asks about are sent where a server may break on them', () => {
  expect(isWorthSending('update-transform', '/title', 'length 5000')).toBe(true)
  expect(isWorthSending('update-transform', '/title', 'a capital')).toBe(false)
  expect(isWorthSending('update-transform', '/generation_id', 'a capital')).toBe(true)
})

test('no long name of a preset alert is sent, since each list would carry it, and no edge without events', () => {
  expect(isWorthSending('create-preset-alert', '/name', 'length 5000')).toBe(false)
  expect(isWorthSending('create-preset-alert', '/name', 'a capital')).toBe(true)
  expect(isWorthSending('start-tap', '/edge_id', 'U+0000')).toBe(false)
})
