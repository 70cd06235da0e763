import { expect, test } from 'vitest'
import { overlayOf } from '../reference/faults/core/fault.ts'
import { allFaults } from '../reference/faults/index.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial } from './trial.ts'

test.each([
  ['node/title/maxLength-511', 'update-transform'],
  ['node/title/minLength-2', 'update-source'],
  ['group-from-pipeline/title/maxLength-511', 'create-group-from-pipeline'],
  ['tap-request/limit/maximum-99', 'start-tap'],
])('%s, a bound that is too tight, is held against no other rule of the same field', async (name, operation) => {
  const mutant = allFaults().find((one) => one.name === name)
  const trial = await runTrial({
    overlay: overlayOf(mutant ?? { name, about: '', kills: [], changes: {} }),
    seed: 1,
    profile: 'standard',
    cases: allCases().filter((one) => one.operation === operation),
    concurrency: 8,
    enough: () => false,
  })
  expect([...new Set(trial.broken.map(({ requirement }) => requirement))]).toEqual(mutant?.kills)
})
