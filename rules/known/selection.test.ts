import { expect, test } from 'vitest'
import { specificationSchemas } from '../../schemas/validator.ts'
import { createViewer } from '../core/viewer.ts'
import { exchange, referenceBinding } from '../testing.ts'
import type { Line } from './lines.ts'
import { selectionOf, selects } from './selection.ts'

const viewer = createViewer(referenceBinding(), specificationSchemas().validator, '')
const SECOND = 1_700_000_000
const line = (time: number, app = 'a', level = 'info'): Line => ({
  id: '0.1',
  hash: 'x',
  time,
  sender: { host: 'h', app, level, tags: [] },
})

/** Whether an export that was asked for like this selects a line. */
function isSelected(query: string, one: Line): boolean {
  return selects(selectionOf(viewer.view(exchange(`GET /v2/export?${query}`))), one)
}

test('a line belongs to a period from its beginning to its end', () => {
  const period = `from=${SECOND}&to=${SECOND + 10}`
  const of = (second: number): boolean => isSelected(period, line((SECOND + second) * 1_000))
  expect([-1, 0, 10, 11].map(of)).toEqual([false, true, true, false])
})

test('times may be given in milliseconds, and 0 leaves an end open', () => {
  expect(isSelected(`from=${SECOND * 1_000}&to=${SECOND * 1_000 + 10}`, line(SECOND * 1_000 + 11))).toBe(false)
  expect(isSelected(`from=${SECOND}&to=0`, line(SECOND * 2_000))).toBe(true)
})

test('a line fits each filter that was given', () => {
  const period = `from=${SECOND}&to=${SECOND + 10}`
  const of = (filters: string): boolean => isSelected(`${period}${filters}`, line(SECOND * 1_000))
  expect(['&apps=b,a', '&apps=b', '&hosts=h&apps=a&levels=info', '&hosts=h&levels=warn'].map(of)).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('a target may write all levels in capitals', () => {
  const asked = `from=${SECOND}&to=${SECOND + 10}&levels=info,Warn`
  const of = (level: string): boolean => isSelected(asked, line(SECOND * 1_000, 'a', level))
  expect(['INFO', 'WARN', 'ERROR'].map(of)).toEqual([true, true, false])
})

test('of a selection that nobody can follow no line is expected', () => {
  expect(isSelected(`from=${SECOND}&to=${SECOND + 10}&query=x`, line(SECOND * 1_000))).toBe(false)
  expect(isSelected(`to=${SECOND + 10}`, line(SECOND * 1_000))).toBe(false)
})
