import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Newest } from './newest.ts'

test('keeps the order of a map whose entries are taken out and put in again', () => {
  const keys = fc.array(fc.tuple(fc.constantFrom('of', 'of', 'of', 'forget'), fc.constantFrom(...'abcdefg')))
  fc.assert(
    fc.property(keys, (steps) => {
      const ours = new Newest<{ key: string; used: number }>()
      const plain = new Map<string, { key: string; used: number }>()
      for (const [step, key] of steps) {
        if (step === 'of') {
          const value = plain.get(key) ?? { key, used: 0 }
          plain.delete(key)
          plain.set(key, value)
          expect(ours.of(key, () => value)).toBe(value)
        } else {
          const [oldest] = plain
          if (oldest) plain.delete(oldest[0])
          expect(ours.forgetOldest()).toBe(oldest?.[1])
        }
        expect(ours.values()).toEqual([...plain.values()])
        expect(ours.size).toBe(plain.size)
      }
    }),
  )
})

test('holds nothing once it is cleared', () => {
  const newest = new Newest<{ used: number }>()
  newest.of('a', () => ({ used: 0 }))
  newest.of('b', () => ({ used: 0 }))
  newest.forgetOldest()
  newest.clear()
  expect([newest.size, newest.values(), newest.forgetOldest()]).toEqual([0, [], undefined])
  const made = { used: 0 }
  expect(newest.of('b', () => made)).toBe(made)
  expect(newest.forgetOldest()).toBe(made)
})
