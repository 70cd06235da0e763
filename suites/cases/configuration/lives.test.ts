import { describe, expect, test } from 'vitest'
import { type Collection, collections } from '../../../schemas/service.ts'
import { NotRun } from '../../case.ts'
import { hasManyListed, listMany, type World } from './lives.ts'

/** A world that notes what is done in it. `most`: things that there may be. */
function worldOf(
  most: number,
  offered: Partial<World['offered']> = {},
): { readonly world: World; readonly done: string[] } {
  const done: string[] = []
  const note = async (what: string): Promise<void> => void done.push(what)
  const world: World = {
    offered: { read: 'get-board', list: 'list-boards', update: undefined, remove: undefined, ...offered },
    async make() {
      if (done.length >= most) throw new NotRun('no-resource', 'there are too many')
      await note('make')
    },
    read: (index) => note(`read ${index}`),
    list: () => note('list'),
    update: () => note('update'),
    remove: async () => true,
    readRemoved: () => note('read removed'),
    removeAgain: () => note('remove again'),
  }
  return { world, done }
}

function collectionOf(type: string): Collection {
  const found = collections.find((one) => one.type === type)
  if (!found) throw new Error(`there is no ${type}`)
  return found
}

describe('many things', () => {
  test('are each read before they are listed: more than a page has', async () => {
    const { world, done } = worldOf(100)
    await listMany(world)
    const counted = (what: string): number => done.filter((one) => one.startsWith(what)).length
    expect([counted('make'), counted('read'), counted('list'), done.at(-1)]).toEqual([30, 30, 1, 'list'])
  })
  test('are as many as a target allows', async () => {
    const { world, done } = worldOf(2)
    await listMany(world)
    expect(done).toEqual(['make', 'make', 'read 0', 'read 1', 'list'])
  })
  test('that cannot be made for another reason are an error', async () => {
    const { world } = worldOf(2)
    const broken = { ...world, make: () => Promise.reject(new Error('broken')) }
    await expect(listMany(broken)).rejects.toThrow('broken')
  })
})

describe('whether a list is looked at with many', () => {
  const { world } = worldOf(1)
  test('hangs on whether it is said to hold all, and on another way to find them', () => {
    expect(hasManyListed(collectionOf('board'), world)).toBe(true)
    expect(hasManyListed(collectionOf('source'), world)).toBe(false)
    expect(hasManyListed(collectionOf('board'), worldOf(1, { read: undefined }).world)).toBe(false)
    expect(hasManyListed(collectionOf('board'), worldOf(1, { list: undefined }).world)).toBe(false)
  })
  test('is left where a list stands for creation', () => {
    expect(hasManyListed(collectionOf('preset-alert'), world)).toBe(false)
  })
})
