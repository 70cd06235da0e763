import { expect, test } from 'vitest'
import { referenceBinding } from '../../rules/testing.ts'
import type { Made } from '../case.ts'
import { createKept } from './kept.ts'

const made = (id: string): Made => ({ type: 'board', id, params: {}, label: '', own: true })
const kept = () => createKept(referenceBinding())
const fails = () => Promise.reject(new Error('no'))

test('what stays is used by one after the other', async () => {
  const { take, giveBack } = kept()
  const first = await take('board', true, async () => made('1'))
  const second = take('board', true, fails)
  const third = take('board', true, fails)
  giveBack('board', first)
  expect(await second).toBe(first)
  giveBack('board', first)
  expect(await third).toBe(first)
})

test('whoever holds one does not wait for another, but makes it', async () => {
  const { take } = kept()
  await take('board', true, async () => made('1'))
  expect(await take('board', false, async () => made('2'))).toMatchObject({ id: '2' })
})

test('things of other parents are other things', async () => {
  const { take } = kept()
  await take('transform p1', true, async () => made('1'))
  expect(await take('transform p2', true, async () => made('2'))).toMatchObject({ id: '2' })
})

test('where one could not be made, the next one tries', async () => {
  const { take } = kept()
  let refuse = (_: Error): void => {}
  const first = take(
    'board',
    true,
    () =>
      new Promise<Made>((_, failed) => {
        refuse = failed
      }),
  )
  const second = take('board', true, async () => made('2'))
  refuse(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  expect(await second).toMatchObject({ id: '2' })
})
