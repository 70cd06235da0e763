import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { type Fault, overlayOf } from '../reference/faults/core/fault.ts'
import { brokenOff, type Job, jobsOf, keyOf, type Outcome } from './job.ts'
import { openState, runJobs } from './prove.ts'
import { proveMutant } from './prove-mutant.ts'
import { EVERYTHING } from './testing.ts'

const OPTIONS = { seed: 1, profile: 'quick' } as const
/** Each sends requests to a target: on a busy machine that takes its time. */
const PATIENT = { timeout: 180_000 }

describe('a mutant', PATIENT, () => {
  const screen = (changes: Fault['changes'], more: Partial<Fault> = {}): Fault => ({
    name: 'test',
    about: 'a test',
    kills: ['SCREEN-DELETE-STATUS'],
    changes,
    ...more,
  })
  // Something else may be in progress: that is no finding, even if repeated.
  const refuses: Fault['changes'] = { handlers: { 'delete-screen': () => () => ({ status: 423 }) } }

  test('is killed by its requirement, after the requests that led there', async () => {
    const made = screen({
      answer: (answer, _, operation) => (operation === 'delete-screen' ? { ...answer, status: 201 } : answer),
    })
    const outcome = await proveMutant(made, OPTIONS)
    expect(outcome).toMatchObject({ result: 'killed', requirement: 'SCREEN-DELETE-STATUS' })
    expect(outcome.case).toMatch(/^delete-screen\//)
    expect(outcome.requests).toBeGreaterThan(0)
    expect(outcome.requests).toBeLessThan(10)
  })

  test('that does nothing wrong survives', async () => {
    const outcome = await proveMutant(screen({}), OPTIONS)
    expect(outcome).toMatchObject({ result: 'survived', requirement: '', case: '' })
  })

  test('that breaks another requirement than it says is not killed', async () => {
    const made = screen({
      answer: (answer, _, operation) =>
        operation === 'delete-screen' && answer.status === 200 ? { ...answer, json: { deleted: 1 } } : answer,
    })
    const outcome = await proveMutant(made, OPTIONS)
    expect(outcome).toMatchObject({ result: 'unrelated', requirement: 'SCREEN-RESULT-DELETED-TYPE' })
  })

  test('whose good requests are refused is withheld where it says so, and survives where it does not', async () => {
    expect(await proveMutant(screen(refuses, { withheld: 'its form is a gap' }), OPTIONS)).toMatchObject({
      result: 'withheld',
    })
    expect(await proveMutant(screen(refuses), OPTIONS)).toMatchObject({ result: 'survived' })
  })

  test('is not killed by a case that the unchanged reference fails too', async () => {
    const wrong = overlayOf(
      screen({
        answer: (answer, _, operation) => (operation === 'delete-screen' ? { ...answer, status: 201 } : answer),
      }),
    )
    const outcome = await proveMutant(screen({}), { ...OPTIONS, reference: wrong })
    expect(outcome).toMatchObject({ result: 'error', requirement: 'SCREEN-DELETE-STATUS' })
    expect(outcome.detail).toBe('the unchanged reference fails SCREEN-DELETE-STATUS too: mend that first')
  })

  test('that cannot be carried out is an error, not a kill', async () => {
    const broken: Fault['changes'] = {
      handlers: {
        'delete-screen': () => () => {
          throw new TypeError('spoilt')
        },
      },
    }
    const outcome = await proveMutant(screen(broken), OPTIONS)
    expect(outcome).toMatchObject({ result: 'error', detail: expect.stringContaining('TypeError: spoilt') })
  })
})

describe('jobs', () => {
  test('names select, also by how they begin, and an unknown one is said', () => {
    const names = (only: string[]): string[] => jobsOf({ ...EVERYTHING, only }).map(({ name }) => name)
    expect(names(['v3-open', 'slow'])).toEqual(['slow', 'v3-open'])
    expect(names(['node/title/maxLength*'])).toEqual(['node/title/maxLength-513', 'node/title/maxLength-511'])
    expect(() => names(['v3-opne'])).toThrow(new RangeError('v3-opne'))
  })

  test('a sample is the same for the same seed, and another for another', () => {
    const keys = (seed: number): string[] =>
      jobsOf({ ...EVERYTHING, sample: 20, seed }).map((job) => keyOf({ ...job, seed: 0 }))
    expect(keys(1)).toHaveLength(20)
    expect(keys(1)).toEqual(keys(1))
    expect(keys(1)).not.toEqual(keys(2))
  })

  test('variants are tried with each seed, all of them with one before the next, a mutant with one', () => {
    const jobs = jobsOf({ ...EVERYTHING, only: ['slow', 'plan-10000', 'v3-open'], seed: 7, seeds: 2 })
    const names = jobs.map(({ name, seed }) => `${name} ${seed}`)
    expect(names).toEqual(['slow 7', 'plan-10000 7', 'slow 8', 'plan-10000 8', 'v3-open 7'])
  })
})

describe('a sample', PATIENT, () => {
  test('nothing is begun any more once it is stopped', async () => {
    const outcomes: Outcome[] = []
    await runJobs(jobsOf({ ...EVERYTHING, variants: false, only: ['node/title/*'] }), {
      threads: 0,
      lanes: 2,
      onOutcome: (outcome) => outcomes.push(outcome),
      stopped: () => outcomes.length > 0,
    })
    expect(outcomes.length).toBeLessThanOrEqual(2)
    expect(outcomes.length).toBeGreaterThan(0)
  })
})

const job: Job = { kind: 'mutant', name: 'v3-open', seed: 1, profile: 'quick' }
const folder = ownFolder()

describe('the state of a proof', () => {
  test('is known to the next run, and forgotten on demand', () => {
    openState(folder, false).add(brokenOff(job, 'a test'))
    expect([...openState(folder, false).known.keys()]).toEqual([keyOf(job)])
    expect(openState(folder, true).known.size).toBe(0)
    expect(openState(folder, false).known.size).toBe(0)
  })

  test('of another suite is not used', () => {
    const state = openState(folder, false)
    state.add(brokenOff(job, 'a test'))
    const path = join(folder, 'prove-state.ndjson')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"suite":"[0-9a-f]{4}/, '"suite":"0000'))
    expect(openState(folder, false).known.size).toBe(0)
  })

  test('a last line that was cut off is left out, and the next one stands by itself', () => {
    const state = openState(folder, false)
    state.add(brokenOff(job, 'a test'))
    appendFileSync(join(folder, 'prove-state.ndjson'), '{"job":{"kind":"mut')
    const other = { ...job, name: 'v1-open' }
    openState(folder, false).add(brokenOff(other, 'a test'))
    expect([...openState(folder, false).known.keys()]).toEqual([keyOf(job), keyOf(other)])
  })
})
