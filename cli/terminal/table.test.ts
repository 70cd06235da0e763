import { expect, test } from 'vitest'
import { widthOf } from '../../reports/text.ts'
import { table } from './table.ts'

const rows = [
  ['A', 'stated', 'a short text'],
  ['A-LONG-ID', 'open', 'a text that is longer than what is left of the line'],
]

test('columns are aligned and the last is cut to fit', () => {
  expect(table(rows, 40)).toEqual(['A          stated  a short text', 'A-LONG-ID  open    a text that is longe…'])
  expect(table(rows, 40).every((line) => widthOf(line) <= 40)).toBe(true)
})

test('colours do not shift a column', () => {
  expect(table(rows, 40, [(text) => `<${text}>`])[0]).toBe('<A        >  stated  a short text')
})

test('no rows give no lines', () => {
  expect(table([], 80)).toEqual([])
})
