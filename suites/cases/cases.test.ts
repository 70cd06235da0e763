import { describe, expect, test } from 'vitest'
import { referenceBinding } from '../../rules/testing.ts'
import { readData } from '../../schemas/load.ts'
import { checkCases, loadSpecification } from '../../schemas/testing/selfcheck.ts'
import type { MeasuredCase } from '../case.ts'
import { WALKS } from '../run/run-context.ts'
import { withWalks } from '../run/select.ts'
import { allCases } from './index.ts'

const RENEW = 'npm run build && node scripts/measure-cases.mjs renews schemas/cases.json'

/** Further walks are like the first ones. */
const standard = (): readonly MeasuredCase[] => withWalks(allCases(), WALKS.standard.walks)

describe('the cases', () => {
  test('name requirements that exist, and every one that can always be provoked is named by a case', () => {
    const { answers } = referenceBinding()
    const { requirements, features } = loadSpecification()
    // What a binding answers is a promise: no run of the reference observes it.
    const provoked = requirements.map((one) =>
      one.level === 'open' && answers.has(one.id) ? { ...one, provoke: 'if-seen' as const } : one,
    )
    expect(checkCases(allCases(), { requirements: provoked, features }), RENEW).toEqual([])
  })

  test('have ids of their own and titles that state facts', () => {
    const cases = allCases()
    expect(cases.length).toBeGreaterThan(140)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(cases.filter(({ title }) => /\bshould\b|\.$/.test(title))).toEqual([])
  })

  test('were each measured, and nothing else was', () => {
    const measured = Object.keys(readData<object>('cases.json')).sort()
    expect(measured, RENEW).toEqual(
      standard()
        .map(({ id }) => id)
        .sort(),
    )
  })

  test('send no more requests than a run may take', () => {
    const sent = (profile: 0 | 1, walks: number): number =>
      withWalks(allCases(), walks).reduce((sum, { requests }) => sum + requests[profile], 0)
    expect(sent(0, WALKS.quick.walks)).toBeLessThanOrEqual(3_000)
    expect(sent(1, WALKS.standard.walks)).toBeLessThanOrEqual(8_000)
  })

  test('run alone at the end, the first suspension before whatever else suspends', () => {
    const alone = allCases().flatMap(({ id, alone: isAlone }, index) => (isAlone === true ? [{ id, index }] : []))
    expect(alone[0]).toEqual({ id: 'suspend-ingestion/guarded', index: allCases().length - alone.length })
  })

  test('are each about at least one requirement, and belong to a feature', () => {
    const idle = standard().filter(({ requirements, features }) => requirements.length === 0 || features.length === 0)
    expect(
      idle.map(({ id }) => id),
      RENEW,
    ).toEqual([])
  })
})
