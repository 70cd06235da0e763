import { expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { allCases } from '../suites/cases/index.ts'
import { tried } from './testing.ts'

test.each([
  ['node/title/maxLength-511', 'update-transform'],
  ['node/title/minLength-2', 'update-source'],
  ['group-from-pipeline/title/maxLength-511', 'create-group-from-pipeline'],
  ['tap-request/limit/maximum-99', 'start-tap'],
])('%s, a bound that is too tight, is held against no other rule of the same field', async (name, operation) => {
  const mutant = allFaults().find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no fault ${name}`)
  const cases = allCases().filter((one) => one.operation === operation)
  expect((await tried(mutant, { profile: 'standard', cases })).red).toEqual(mutant.kills)
})
