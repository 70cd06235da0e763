import { expect, test } from 'vitest'
import type { Variant } from '../reference/variants/core/variant.ts'
import { type Job, jobsOf, type Outcome, type Selection } from './job.ts'
import { runJobs } from './prove.ts'
import { proveVariant } from './prove-variant.ts'
import { mutantsIn, summarise, variantsIn } from './summary.ts'
import { EVERYTHING } from './testing.ts'

const ALL: Selection = { ...EVERYTHING, mutantProfile: 'standard' }

test('a sample of everything is noticed, and nobody is blamed', { timeout: 120_000 }, async () => {
  const mutants = jobsOf({ ...ALL, variants: false, sample: 16 })
  const variants: Job[] = jobsOf({ ...ALL, mutants: false, sample: 1 })
  const outcomes: Outcome[] = []
  const onOutcome = (outcome: Outcome): void => void outcomes.push(outcome)
  await runJobs([...variants, ...mutants], { threads: 0, lanes: 4, onOutcome, stopped: () => false })
  const wrong = [...mutantsIn(outcomes), ...variantsIn(outcomes)].filter(
    ({ result }) => !['killed', 'withheld', 'quiet'].includes(result),
  )
  expect(wrong).toEqual([])
  const summary = summarise(outcomes)
  expect(summary).toMatchObject({ mutants: 16, variants: 1, proven: true })
  expect(summary.medianRequests).toBeLessThan(50)
})

test('a variant that the specification forbids is blamed, with an example', { timeout: 240_000 }, async () => {
  const forbidden: Variant = {
    name: 'test',
    about: 'a test',
    changes: () => ({
      answer: (answer, _, operation) =>
        operation === 'delete-screen' && answer.status === 200 ? { ...answer, status: 202 } : answer,
    }),
  }
  const outcome = await proveVariant(forbidden, { seed: 1, profile: 'quick' })
  expect(outcome.result).toBe('blamed')
  expect(outcome.findings).toHaveLength(1)
  expect(outcome.findings[0]).toMatchObject({
    requirement: 'SCREEN-DELETE-STATUS',
    actual: 'status 202',
    method: 'DELETE',
  })
})
