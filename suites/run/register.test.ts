import { expect, test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import { failureOf } from './register.ts'

const record = (state: CaseRecord['state'], detail = ''): CaseRecord => ({
  case: 'update-transform/title',
  requirements: ['NODE-TITLE-MAX'],
  state,
  requests: 1,
  durationMs: 1,
  ...(detail === '' ? {} : { detail }),
})
const broken = (requirement: string): Judgement => ({
  requirement,
  operation: 'update-transform',
  caseId: 'update-transform/title',
  exchanges: ['0-1'],
  outcome: 'broken',
})
const named = (some: readonly Judgement[]): string => some.map(({ requirement }) => requirement).join()

test('the test of a case that broke fails, whatever it found', async () => {
  expect(await failureOf({ record: record('error', 'the case threw'), broken: [] }, named)).toBe('the case threw')
})

test('a broken requirement fails the test where the text states it, or where it is asked for', async () => {
  const outcome = { record: record('done'), broken: [broken('NODE-TITLE-MAX'), broken('PIPELINE-CREATE')] }
  expect(await failureOf(outcome, named)).toBe('NODE-TITLE-MAX')
  expect(await failureOf(outcome, named, () => true)).toBe('NODE-TITLE-MAX,PIPELINE-CREATE')
  expect(await failureOf(outcome, named, () => false)).toBeUndefined()
  expect(await failureOf({ record: record('not-run'), broken: [] }, named)).toBeUndefined()
})
