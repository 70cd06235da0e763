import { describe, expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { allCases } from '../suites/cases/index.ts'
import { caseJobs, isWhole, type Job, type Outcome, type Selection } from './job.ts'
import { type CaseOutcome, candidatesFor, isObserver, proveCase } from './prove-case.ts'
import type { MutantOutcome } from './prove-mutant.ts'
import { strengthFrom, summarise } from './summary.ts'
import { EVERYTHING } from './testing.ts'

const WHOLE: Selection = { ...EVERYTHING, variants: false }
const OPTIONS = { seed: 1, profile: 'quick' } as const
const JOB: Job = { kind: 'mutant', name: 'x', seed: 1, profile: 'quick' }

function mutant(given: Partial<MutantOutcome>): Outcome {
  const common = { name: 'x', about: '', kills: ['NODE-TITLE-MAX'], requests: 2, milliseconds: 1, detail: '' }
  return { job: JOB, mutant: { ...common, result: 'killed', requirement: 'NODE-TITLE-MAX', case: '', ...given } }
}

function oneCase(given: Partial<CaseOutcome>): Outcome {
  const common = {
    name: 'c',
    about: '',
    mutant: '',
    requirement: '',
    tried: 1,
    requests: 3,
    milliseconds: 1,
    detail: '',
  }
  return { job: { ...JOB, kind: 'case' }, case: { ...common, result: 'kills', ...given } }
}

describe('a case by itself', () => {
  test('shows its worth by a fault that it notices', async () => {
    const outcome = await proveCase('delete-screen/removes', OPTIONS)
    expect(outcome).toMatchObject({ result: 'kills', detail: '' })
    const found = allFaults().find(({ name }) => name === outcome.mutant)
    expect(found?.kills).toContain(outcome.requirement)
  })

  test('that notices none of them is idle', async () => {
    const harmless = { name: 'harmless', about: 'nothing', kills: ['SCREEN-DELETE-STATUS'], changes: {} }
    const other = { ...harmless, name: 'other', kills: ['NODE-TITLE-MAX'] }
    const outcome = await proveCase('delete-screen/removes', OPTIONS, [harmless, other])
    expect(outcome).toMatchObject({ result: 'idle', mutant: '', requirement: '', tried: 1 })
    expect(outcome.requests).toBeGreaterThan(0)
  })

  test('that nobody knows is an error', async () => {
    await expect(proveCase('nobody/knows', OPTIONS)).rejects.toThrow('there is no case')
  })

  test('is tried with the faults of its requirements, those of its own operation first', () => {
    const one = allCases().find(({ id }) => id === 'update-source/credentials')
    if (!one) throw new Error('there is no such case')
    const names = candidatesFor(one).map(({ name }) => name)
    expect(names[0]).toContain('update-source')
    expect(names).toContain('update-source-open')
    expect(names).toContain('v3-any-token')
    expect(names).not.toContain('v1-any-token')
  })
})

test('every case that is not there to observe has a fault that is about its requirements', () => {
  const judging = allCases().filter((one) => !isObserver(one))
  expect(judging.length).toBeGreaterThan(200)
  expect(judging.filter((one) => candidatesFor(one).length === 0).map(({ id }) => id)).toEqual([])
})

describe('a whole run', () => {
  test('is one that tries every mutant', () => {
    expect(isWhole(WHOLE)).toBe(true)
    expect(isWhole({ ...WHOLE, only: ['slow'] })).toBe(false)
    expect(isWhole({ ...WHOLE, sample: 3 })).toBe(false)
    expect(isWhole({ ...WHOLE, mutants: false })).toBe(false)
  })

  test('asks the cases that noticed nothing, but for those that only observe', () => {
    const all = caseJobs([], WHOLE).map(({ name }) => name)
    expect(all).toContain('delete-member/owner')
    expect(all).not.toContain('create-key/name-lengths')
    const left = caseJobs([mutant({ case: 'delete-member/owner' })], WHOLE).map(({ name }) => name)
    expect(left).toEqual(all.filter((name) => name !== 'delete-member/owner'))
  })

  test('is no proof where a case is idle, or a stated requirement was turned red by nothing', () => {
    expect(summarise([mutant({}), oneCase({})]).proven).toBe(true)
    const idle = summarise([mutant({}), oneCase({ name: 'idler', result: 'idle' })])
    expect(idle).toMatchObject({ proven: false, idle: ['idler'] })
    const whole = summarise([mutant({}), oneCase({ requirement: 'NODE-TITLE-MIN' })], true)
    expect(whole.proven).toBe(false)
    expect(whole.untried).toContain('NODE-TITLE-PATTERN')
    expect(whole.untried).not.toContain('NODE-TITLE-MAX')
    expect(whole.untried).not.toContain('NODE-TITLE-MIN')
  })

  test('says how many faults each requirement noticed', () => {
    const outcomes = [
      mutant({}),
      mutant({ result: 'withheld' }),
      mutant({ result: 'survived', requirement: '' }),
      mutant({ result: 'unrelated', requirement: 'TAP-LIMIT', kills: ['TAP-FILTER'] }),
    ]
    expect(strengthFrom(outcomes, { seed: 7, profile: 'standard', suite: 'a'.repeat(64) })).toEqual({
      formatVersion: 1,
      suite: 'a'.repeat(64),
      profile: 'standard',
      seed: 7,
      mutants: 4,
      noticed: 2,
      requirements: { 'NODE-TITLE-MAX': { tried: 3, killed: 2 }, 'TAP-FILTER': { tried: 1, killed: 0 } },
    })
  })
})
