import { expect, test } from 'vitest'
import type { TargetOperation } from '../schemas/binding.ts'
import { NotRun, notOffered } from './case.ts'

const operation = (more: Partial<TargetOperation>): TargetOperation => ({
  id: 'list-boards',
  method: 'GET',
  path: '/v1/boards',
  family: 'v1',
  effect: 'read',
  specified: false,
  offered: true,
  query: {},
  parameters: {},
  fields: {},
  answer: {},
  body: undefined,
  ...more,
})
const otherwise = new NotRun('no-resource', 'there is no board')
const places = { offered: 'operations.list-boards.offered in own.json' }

test('an operation that the binding declines is the reason, with its place', () => {
  const { reason, message } = notOffered(operation({ offered: false, places }), otherwise)
  expect([reason, message]).toEqual(['not-offered', `list-boards is not offered (${places.offered})`])
})

test('an operation that the text gives a path must be there, whatever the binding says', () => {
  expect(notOffered(operation({ offered: false, specified: true, places }), otherwise).reason).toBe(
    'answer-does-not-fit',
  )
})

test('else the reason is another one', () => {
  expect(notOffered(undefined, otherwise)).toBe(otherwise)
  expect(notOffered(operation({ places }), otherwise)).toBe(otherwise)
  expect(notOffered(operation({ offered: false }), otherwise)).toBe(otherwise)
})
