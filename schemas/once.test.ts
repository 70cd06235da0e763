import { expect, test } from 'vitest'
import { oncePer } from './once.ts'

test('works something out once for each object, also where nothing comes of it', () => {
  let made = 0
  const nameOf = oncePer(({ name }: { readonly name?: string }) => {
    made += 1
    return name
  })
  const [one, other, none] = [{ name: 'one' }, { name: 'other' }, {}]
  expect([one, other, one, none, none, other].map(nameOf)).toEqual([
    'one',
    'other',
    'one',
    undefined,
    undefined,
    'other',
  ])
  expect(made).toBe(3)
})
