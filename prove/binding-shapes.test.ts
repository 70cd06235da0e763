import { describe, expect, test } from 'vitest'
import { ok } from '../reference/core/route.ts'
import { handler } from '../reference/faults/core/changes.ts'
import { overlayOfVariant } from '../reference/variants/core/variant.ts'
import { allVariants } from '../reference/variants/index.ts'
import { ledger } from '../schemas/ledger.ts'
import { blamedBy, casesOf, run, tried } from './testing.ts'

const NEEDED: Readonly<Record<string, RegExp>> = {
  'shapes-of-lines': /^(export-|ingest-|list-usage-(v2-)?by-)/,
  'shapes-of-things': /^(walk\/1|create-archiving|create-key|create-enterprise-key|list-enterprise-keys)/,
}

test('exports without filters are paged all the same: lines are known by their marks', {
  timeout: 120_000,
}, async () => {
  const parameters = { hosts: null, apps: null, levels: null }
  const trial = await run({
    binding: { formatVersion: 1, name: 'unfiltered', operations: { 'export-v2': { parameters } } },
    cases: casesOf((id) => /^export-v2\/(sizes|tokens|arriving)$/.test(id)),
    concurrency: 1,
  })
  expect(trial.records.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(blamedBy(trial)).toEqual([])
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
      const cases = casesOf((id) => NEEDED[variant.name]?.test(id) === true)
      const usual = await run({ cases })
      const binding = variant.binding ? { binding: variant.binding() } : {}
      const found = await run({ cases, overlay: overlayOfVariant(variant), ...binding })
      expect(found.faults).toEqual([])
      expect(found.records.filter(({ state }) => state === 'error')).toEqual([])
      expect(blamedBy(found)).toEqual([])
      const judged = ({ tallies }: typeof usual): string[] =>
        [...ledger()].flatMap(([id, { level }]) =>
          level !== 'open' && !/-ORDER$/.test(id) && tallies.of(id).evidence.judged > 0 ? [id] : [],
        )
      expect(judged(usual).filter((id) => !judged(found).includes(id))).toEqual([])
      expect(found.records.filter(({ leftovers = [] }) => leftovers.length > 0)).toEqual([])
    },
  )
})
