import { describe, expect, test } from 'vitest'
import type { BindingFile } from '../schemas/binding.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial, type Trial } from './trial.ts'

let files = 0

/** Runs cases against the reference as it is, under a binding that does not fit it. */
function under(operations: BindingFile['operations'], ...cases: readonly string[]): Promise<Trial> {
  files += 1
  return runTrial({
    overlay: undefined,
    binding: { formatVersion: 1, name: `misfit-${files}`, ...(operations && { operations }) },
    seed: 5,
    profile: 'standard',
    cases: allCases().filter(({ id }) => cases.includes(id)),
    concurrency: 4,
    enough: () => false,
  })
}

const EXCLUDING = ['create-exclusion/drops', 'create-exclusion/usage']
const ends = ({ records }: Trial): unknown[] => records.map(({ state, reason, detail }) => [state, reason, detail])

describe('an exclusion rule that cannot act is not held against the target', () => {
  const sample = (more: object): BindingFile['operations'] => ({
    'create-exclusion': { body: { title: '{{label}}', apps: ['{{label}}'], ...more } },
    'update-exclusion': { offered: false },
  })
  test.each<[object, string]>([
    [{ active: false }, 'active is false'],
    [{ disabled: true }, 'disabled is true'],
    [{ indexonly: false }, 'indexonly is false'],
    [{ apps: ['another'], active: true }, 'it does not select by {{label}}'],
  ])('%j', async (more, why) => {
    const trial = await under(sample(more), ...EXCLUDING)
    expect(trial.broken).toEqual([])
    const what = `a rule made with the sample body would drop nothing: ${why}`
    const place = /\(binding misfit-\d+#\/operations\/create-exclusion\/body\)$/
    expect(trial.records.map(({ reason }) => reason)).toEqual(EXCLUDING.map(() => 'answer-does-not-fit'))
    for (const { detail } of trial.records) {
      expect(detail).toContain(what)
      expect(detail).toMatch(place)
    }
  })

  test('the shipped sample acts by itself', async () => {
    const trial = await under({ 'update-exclusion': { offered: false } }, ...EXCLUDING)
    expect(trial.broken).toEqual([])
    expect(ends(trial)).toEqual(EXCLUDING.map(() => ['done', undefined, undefined]))
    for (const id of ['EXCLUSION-DROPS', 'USAGE-V2-STORED']) expect(trial.tallies.of(id).evidence.judged).not.toBe(0)
  })
})

describe('an operation that the binding declines', () => {
  test('is said to be not offered, with its place in the binding', async () => {
    const trial = await under({ 'create-exclusion': { offered: false } }, 'create-exclusion/drops')
    const why = `create-exclusion is not offered (binding misfit-${files}#/operations/create-exclusion/offered)`
    expect(ends(trial)).toContainEqual(['not-run', 'not-offered', why])
  })

  test('is noted where a case does without it', async () => {
    const trial = await under({ 'list-boards': { offered: false } }, 'create-board/life')
    expect(trial.records[0]).toMatchObject({ state: 'done', notOffered: { 'list-boards': expect.any(String) } })
  })

  test('still has to be shown where the text gives its path', async () => {
    const trial = await under({ 'delete-screen': { offered: false } }, 'delete-screen/removes')
    expect(trial.records[0]).toMatchObject({ state: 'not-run', reason: 'answer-does-not-fit' })
    expect(trial.records[0]?.detail).toContain('delete-screen is not offered (binding misfit-')
  })
})
