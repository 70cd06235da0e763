import { describe, expect, test } from 'vitest'
import { type Place, Ring } from './packing.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const read = (memory: SharedArrayBuffer, places: readonly Place[]): string =>
  places.map(({ at, length }) => Buffer.from(memory, at, length).toString()).join('')

describe('a ring', () => {
  test('gives every byte a place, round and round', () => {
    const ring = new Ring(10)
    const waiting: { readonly text: string; readonly places: Place[] }[] = []
    for (let turn = 0; turn < 100; turn += 1) {
      const text = String(turn).padStart((turn % 5) + 1, 'x')
      while (ring.room() < text.length) {
        const oldest = waiting.shift()
        expect(read(ring.memory, oldest?.places ?? [])).toBe(oldest?.text)
        ring.giveBack(oldest?.text.length ?? 0)
      }
      waiting.push({ text, places: ring.take(bytes(text)) })
    }
    expect(waiting.map(({ places }) => read(ring.memory, places))).toEqual(waiting.map(({ text }) => text))
  })

  test('takes its whole size and not a byte more', () => {
    const ring = new Ring(4)
    ring.take(bytes('abc'))
    expect(() => ring.take(bytes('de'))).toThrow(RangeError)
    ring.take(bytes('d'))
    expect(ring.room()).toBe(0)
    ring.giveBack(3)
    expect(read(ring.memory, ring.take(bytes('xyz')))).toBe('xyz')
  })

  test('takes what goes over its end in two pieces', () => {
    const ring = new Ring(4)
    ring.take(bytes('abc'))
    ring.giveBack(3)
    expect(ring.take(bytes('12'))).toEqual([
      { at: 3, length: 1 },
      { at: 0, length: 1 },
    ])
  })
})
