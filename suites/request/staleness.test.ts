import { expect, test } from 'vitest'
import { createViewer } from '../../rules/core/viewer.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { Staleness } from './staleness.ts'

const viewer = createViewer(referenceBinding(), specificationSchemas().validator, '')

const made = (id: string, at: number): Given & { line: string } => ({
  line: 'POST /v1/config/board',
  sent: { title: id },
  got: { id },
  start: at - 1,
  end: at,
})
const read = (id: string, start: number, status = 200): Given & { line: string } => ({
  line: `GET /v1/config/board/${id}`,
  status,
  got: status === 200 ? { id } : {},
  start,
  end: start + 1,
})
const removed = (id: string, start: number): Given & { line: string } => ({
  line: `DELETE /v1/config/board/${id}`,
  start,
  end: start + 1,
})

function told(history: readonly (Given & { line: string })[], settleMs = 0): string | undefined {
  const staleness = new Staleness()
  for (const { line, ...given } of history) staleness.see(viewer.view(exchange(line, given)))
  return staleness.told(settleMs)
}

/** A thing that is there only `late` milliseconds after it was made. */
const lately = (id: string, late: number) => [made(id, 1_000), read(id, 1_000 + late, 404), read(id, 1_000 + 2 * late)]

test('things that are found only later tell how long to wait', () => {
  const history = ['a', 'b', 'c'].flatMap((id, index) => lately(id, 100 * (index + 1)))
  expect(told(history)).toMatch(/^3 things .* up to 300 ms: with "settleTimeout": 600 /)
})

test.each([
  ['are two', ['a', 'b'].flatMap((id) => lately(id, 300)), 0],
  ['are waited for', ['a', 'b', 'c'].flatMap((id) => lately(id, 300)), 300],
  ['are found at once', ['a', 'b', 'c'].flatMap((id) => [made(id, 1), read(id, 2), read(id, 3, 404), read(id, 4)]), 0],
  ['are never found', ['a', 'b', 'c'].flatMap((id) => [made(id, 1), read(id, 300, 404), read(id, 600, 404)]), 0],
  ['were removed', ['a', 'b', 'c'].flatMap((id) => [made(id, 1), removed(id, 2), read(id, 300, 404), read(id, 9)]), 0],
  ['others made', ['a', 'b', 'c'].flatMap((id) => [read(id, 300, 404), read(id, 600)]), 0],
])('nothing is told of things that %s', (_, history, settleMs) => {
  expect(told(history, settleMs)).toBeUndefined()
})
