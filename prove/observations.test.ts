import { expect, test } from 'vitest'
import { referenceBinding } from '../rules/testing.ts'
import { ledger } from '../schemas/ledger.ts'
import type { MeasuredCase } from '../suites/case.ts'
import { allCases } from '../suites/cases/index.ts'
import { run } from './testing.ts'

const { answers } = referenceBinding()
/** What a binding answers is a promise, which is judged. */
const OPEN = [...ledger().values()].filter(
  ({ id, level, provoke }) => level === 'open' && provoke === 'always' && !answers.has(id),
)

/** For each open entry the case that costs least of those that name it. */
function cheapest(): readonly MeasuredCase[] {
  const cases = [...allCases()].sort((a, b) => a.requests[1] - b.requests[1])
  return [...new Set(OPEN.flatMap(({ id }) => cases.find(({ requirements }) => requirements.includes(id)) ?? []))]
}

test('each open entry that can always be provoked is observed by the cheapest case that names it', {
  timeout: 60_000,
}, async () => {
  const trial = await run({ profile: 'standard', cases: cheapest() })
  const observed = ({ id }: { readonly id: string }): number =>
    Object.keys(trial.tallies.of(id).evidence.observations).length
  expect(OPEN.length).toBeGreaterThan(40)
  expect(OPEN.filter((entry) => observed(entry) === 0).map(({ id }) => id)).toEqual([])
  expect(trial.broken).toEqual([])
})
