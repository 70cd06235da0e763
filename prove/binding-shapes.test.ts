import { describe, expect, test } from 'vitest'
import { ok } from '../reference/core/route.ts'
import { handler } from '../reference/faults/core/changes.ts'
import { overlayOfVariant } from '../reference/variants/core/variant.ts'
import { allVariants } from '../reference/variants/index.ts'
import { ledger } from '../schemas/ledger.ts'
import { allCases } from '../suites/cases/index.ts'
import { tried } from './testing.ts'
import { runTrial } from './trial.ts'

const NEEDED: Readonly<Record<string, RegExp>> = {
  'shapes-of-lines': /^(export-|ingest-|list-usage-(v2-)?by-)/,
  'shapes-of-things': /^(walk\/1|create-archiving|create-key|create-enterprise-key|list-enterprise-keys)/,
}

test('exports without filters are paged all the same: lines are known by their marks', {
  timeout: 120_000,
}, async () => {
  const parameters = { hosts: null, apps: null, levels: null }
  const trial = await runTrial({
    overlay: undefined,
    binding: { formatVersion: 1, name: 'unfiltered', operations: { 'export-v2': { parameters } } },
    seed: 1,
    profile: 'quick',
    cases: allCases().filter(({ id }) => /^export-v2\/(sizes|tokens|arriving)$/.test(id)),
    concurrency: 1,
    enough: () => false,
  })
  expect(trial.records.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(trial.broken.map(({ requirement, message, actual }) => [requirement, message, actual])).toEqual([])
  const paging = ['EXPORT-V2-NEXT-PAGE', 'EXPORT-V2-COMPLETE', 'EXPORT-V2-TOKEN-REPEATS', 'EXPORT-V2-LAST-PAGE-NULL']
  expect(paging.filter((id) => ledger().has(id) && trial.tallies.of(id).evidence.judged === 0)).toEqual([])
})

test('one call that suspends is found, though it tells no token', async () => {
  const { red } = await tried({
    name: 'suspension-at-once-silent',
    about: 'the first call suspends ingestion, and tells no token',
    kills: ['SUSPENSION-GUARD'],
    changes: handler('suspend-ingestion', () => (call) => {
      call.state.suspension.suspended = true
      return ok({})
    }),
  })
  expect(red).toContain('SUSPENSION-GUARD')
})

describe('what a binding can say', () => {
  test.each(allVariants.filter(({ name }) => name in NEEDED))(
    '$name: nobody is blamed, and nothing is left out',
    { timeout: 120_000 },
    async (variant) => {
      const cases = allCases().filter(({ id }) => NEEDED[variant.name]?.test(id))
      const trial = (other: boolean) =>
        runTrial({
          overlay: other ? overlayOfVariant(variant) : undefined,
          ...(other && variant.binding ? { binding: variant.binding() } : {}),
          seed: 1,
          profile: 'quick',
          cases,
          concurrency: 8,
          enough: () => false,
        })
      const usual = await trial(false)
      const found = await trial(true)
      expect(found.faults).toEqual([])
      expect(found.records.filter(({ state }) => state === 'error')).toEqual([])
      expect(found.broken.map(({ requirement, message, actual }) => [requirement, message, actual])).toEqual([])
      const judged = ({ tallies }: typeof usual): string[] =>
        [...ledger()].flatMap(([id, { level }]) =>
          level !== 'open' && !/-ORDER$/.test(id) && tallies.of(id).evidence.judged > 0 ? [id] : [],
        )
      expect(judged(usual).filter((id) => !judged(found).includes(id))).toEqual([])
      expect(found.records.filter(({ leftovers = [] }) => leftovers.length > 0)).toEqual([])
    },
  )
})
