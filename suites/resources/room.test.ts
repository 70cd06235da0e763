import { describe, expect, test } from 'vitest'
import { Room } from './room.ts'

const EIGHT = Array.from({ length: 8 }, (_, index) => index)

/** A room with eight pipelines, each of another case. */
async function full(): Promise<Room> {
  const room = new Room()
  for (const _ of EIGHT) await room.enter('pipeline', 0)
  room.taken('pipeline')
  return room
}

/** Whether a case gets in while nobody leaves. */
async function getsIn(room: Room, type: string, own = 0): Promise<boolean> {
  let isIn = false
  void room.enter(type, own).then(() => {
    isIn = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return isIn
}

describe('eight pipelines', () => {
  test('are as many as a run has at once: the next case waits for one to go', async () => {
    const room = await full()
    const ninth = getsIn(room, 'pipeline')
    expect(await ninth).toBe(false)
    room.leave('pipeline')
    expect(await getsIn(room, 'pipeline')).toBe(false)
    room.leave('pipeline')
    room.leave('pipeline')
    expect(await getsIn(room, 'pipeline')).toBe(true)
  })

  test('let in who has one already, so that no two wait for each other, and whatever is something else', async () => {
    const room = await full()
    expect(await getsIn(room, 'pipeline', 1)).toBe(true)
    expect(await getsIn(room, 'view')).toBe(true)
  })
})

describe('a target that refuses one more', () => {
  test('has room for as many as are there', async () => {
    const room = new Room()
    for (const _ of [1, 2, 3]) await room.enter('pipeline', 0)
    room.taken('pipeline')
    room.leave('pipeline')
    expect(room.isFull('pipeline')).toBe(true)
    expect(await getsIn(room, 'pipeline')).toBe(false)
    room.leave('pipeline')
    expect(await getsIn(room, 'pipeline')).toBe(false)
  })

  test('has room for one beside those that stay until the end', async () => {
    const room = await full()
    let isIn = false
    const ninth = room.enter('pipeline', 0).then(() => {
      isIn = true
    })
    expect(isIn).toBe(false)
    room.rest('pipeline', 8)
    await ninth
    expect(isIn).toBe(true)
    expect(await getsIn(room, 'pipeline')).toBe(false)
  })

  test.each([
    ['that it never took', 0],
    ['of which there is none', 1],
  ])('is not said to be full of something %s', async (_, taken) => {
    const room = new Room()
    await room.enter('pipeline', 0)
    if (taken === 1) {
      room.taken('pipeline')
      room.leave('pipeline')
    }
    expect(room.isFull('pipeline')).toBe(false)
  })
})
