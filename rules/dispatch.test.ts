import { expect, test } from 'vitest'
import { exchangeRules, historyRules } from './all.ts'
import { createDispatch } from './dispatch.ts'
import { referenceBinding } from './testing.ts'

const binding = referenceBinding()
const operations = [...binding.operations.keys()]
const { shareOf } = createDispatch(binding)
const rulesFor = shareOf(undefined)

/** The operations whose exchanges reach a history rule. */
function reaching(place: number, intended: boolean): string[] {
  return operations.filter((id) => rulesFor(id, intended).history.includes(place))
}

test('a history rule is shown the operations that it names, and no others', () => {
  for (const [place, rule] of historyRules.entries()) {
    const named = rule.operations?.(binding) ?? operations
    const offered = operations.filter((id) => named.includes(id))
    expect(offered.length, rule.name).toBeGreaterThan(0)
    expect(reaching(place, true), rule.name).toEqual(offered)
    expect(reaching(place, false), rule.name).toEqual(rule.intended === true ? [] : offered)
  }
})

test('a rule about intents is shown exchanges of a run alone, one about stated operations no others', () => {
  const names = (operation: string | undefined, intended: boolean): string[] =>
    rulesFor(operation, intended).exchange.map(({ name }) => name)
  const about = (what: unknown): string[] =>
    exchangeRules.filter(({ operations }) => operations === what).map(({ name }) => name)
  expect([about('intent').length, about('specified').length].every((count) => count > 0)).toBe(true)
  for (const name of about('intent')) {
    expect(names(undefined, true)).toContain(name)
    expect(names('update-transform', false)).not.toContain(name)
  }
  for (const name of about('specified')) {
    expect(names('update-transform', false)).toContain(name)
    expect(names('list-boards', false)).not.toContain(name)
  }
})

test('two shares of the rules together are shown what all rules are shown', () => {
  const half = Math.floor(operations.length / 2)
  const places = historyRules.map((_, place) => place)
  const shares = [
    { exchange: operations.slice(0, half), history: places.filter((place) => place % 2 === 0) },
    { exchange: ['', ...operations.slice(half)], history: places.filter((place) => place % 2 === 1) },
  ].map(shareOf)
  for (const operation of [undefined, ...operations]) {
    for (const intended of [true, false]) {
      const both = shares.map((share) => share(operation, intended))
      const whole = rulesFor(operation, intended)
      expect(both.flatMap(({ exchange }) => exchange)).toEqual(whole.exchange)
      expect(both.flatMap(({ history }) => history).sort((a, b) => a - b)).toEqual(whole.history)
    }
  }
})
