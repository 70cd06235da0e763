import { describe, expect, test } from 'vitest'
import { listsBehind } from '../reference/variants/general/behaviour.ts'
import { blamedBy, casesOf, run } from './testing.ts'

/** Cases that make and remove things, and a walk: they look at lists right after a change. */
const cases = casesOf((id) => /\/removes$|^walk\/1$|^list-|^create-|^delete-/.test(id))

describe.each([50, 200, 600])('lists that are %i ms behind', (lag) => {
  test.each([
    ['each newer than the one before', false],
    ['some older than the one before', true],
  ])('%s: nobody is blamed', { timeout: 300_000 }, async (_, varies) => {
    for (const seed of [1, 2]) {
      const overlay = { name: 'lists behind', ...listsBehind(lag, varies, seed) }
      const trial = await run({ seed, settleTimeout: 2 * lag, overlay, cases, concurrency: 16 })
      expect(blamedBy(trial)).toEqual([])
    }
  })
})
