import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areRelated, Turns } from './turns.ts'

const ids = fc.subarray(['p1', 'p2', 'n1', 'n2'], { maxLength: 2 })
const change = fc.record({ ids, end: fc.nat(200) })
type Change = { readonly ids: readonly string[]; readonly end: number }

/** The right response of the store, computed from all changes, none of them forgotten. */
function isChanged(changes: readonly Change[], asked: readonly string[], since: number): boolean {
  return changes.some((one) => one.end > since && areRelated(one.ids, asked))
}

test('each change of the same thing, or of what it stands in, is known', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), ids, fc.nat(200), (changes, asked, since) => {
      const turns = new Turns()
      for (const one of changes) turns.add(one.ids, one.end)
      expect(turns.since(asked, since)).toBe(isChanged(changes, asked, since))
    }),
  )
})

test('a change that was forgotten is taken for one of the same thing', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 100, maxLength: 150 }), ids, fc.nat(200), (changes, asked, since) => {
      const turns = new Turns()
      for (const one of changes) turns.add(one.ids, one.end)
      if (isChanged(changes, asked, since)) expect(turns.since(asked, since)).toBe(true)
      if (changes.every(({ end }) => end <= since)) expect(turns.since(asked, since)).toBe(false)
    }),
  )
})

test('what is about a whole is about its parts, and parts are apart', () => {
  expect(areRelated([], ['p1', 'n1'])).toBe(true)
  expect(areRelated(['p1', 'n1'], ['p1'])).toBe(true)
  expect(areRelated(['p1', 'n1'], ['p1', 'n2'])).toBe(false)
  expect(areRelated(['p1'], ['p2'])).toBe(false)
})
