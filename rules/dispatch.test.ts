import { expect, test } from 'vitest'
import { exchangeRules, historyRules } from './all.ts'
import { createDispatch } from './dispatch.ts'
import { referenceBinding } from './testing.ts'

const binding = referenceBinding()
const operations = [...binding.operations.keys()]
const rulesFor = createDispatch(binding)

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
