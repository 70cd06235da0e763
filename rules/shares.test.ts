import { expect, test } from 'vitest'
import { historyRules } from './all.ts'
import { planShares } from './shares.ts'
import { referenceBinding } from './testing.ts'

const binding = referenceBinding()
const counts = new Map([
  ['get-transform', 400],
  ['update-transform', 300],
  ['update-source', 200],
  ['get-state-variables', 100],
])

test.each([1, 2, 3, 8])('in %i shares every rule is looked after once, with all that it looks at', (of) => {
  const shares = planShares(binding, counts, of)
  expect(shares).toHaveLength(of)
  const whole = historyRules.flatMap((rule, place) => (rule.perOperation === true ? [] : [place]))
  expect(shares.flatMap(({ part }) => part.history).sort((a, b) => a - b)).toEqual(whole)
  expect(shares.flatMap(({ part }) => part.exchange).sort()).toEqual(['', ...binding.operations.keys()].sort())
  for (const { part, operations } of shares) {
    expect(operations).toEqual(expect.arrayContaining([...part.exchange]))
    for (const place of part.history) {
      const rule = historyRules[place]
      if (rule?.intended === true) continue
      const needed = rule?.operations?.(binding).filter((id) => id !== undefined) ?? []
      expect(operations, rule?.name).toEqual(expect.arrayContaining(needed))
    }
  }
})

test('the same counts give the same shares, and two of them have something to do each', () => {
  const shares = planShares(binding, counts, 2)
  expect(planShares(binding, new Map(counts), 2)).toEqual(shares)
  for (const { part } of shares) {
    const seen = part.history.filter((place) =>
      historyRules[place]?.operations?.(binding).some((id) => counts.has(id ?? '')),
    )
    expect(seen.length).toBeGreaterThan(1)
  }
})

test('rules that look at anything look at requests of runs alone', () => {
  const anything = historyRules.filter((rule) => rule.operations === undefined)
  expect(anything.filter((rule) => rule.intended !== true)).toEqual([])
})

test('two shares read little twice', () => {
  const [, other] = planShares(binding, counts, 2)
  expect(other?.operations?.filter((operation) => counts.has(operation))).toEqual(['get-transform', 'update-transform'])
})
