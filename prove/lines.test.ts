import { describe, expect, test } from 'vitest'
import { faultsOf } from '../reference/faults/index.ts'
import { tried } from './testing.ts'

const mutants = (['ingestion', 'exports', 'usage'] as const).flatMap(faultsOf)

/** Requirements that follow: the same lines come out of other operations, which cases about the fault's own use too. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  'ingestion-sampled': ['EXPORT-V1-PREFER', 'EXPORT-V2-PREFER'],
  'line-lost': ['EXPORT-V2-COMPLETE', 'EXPORT-V2-LIKE-V1'],
  'line-stored-twice': ['EXPORT-V2-NEXT-PAGE'],
  'line-out-twice': ['EXPORT-V2-PAGE-MAX'],
  'line-app-upper-case': ['EXPORT-V2-FILTERS'],
  'exclusion-drops-all': ['EXCLUSION-DELETE-STORES'],
  'get-exclusion-inactive': ['EXCLUSION-READ'],
  'export-v2-without-warnings': ['LINES-COME-OUT'],
  'export-v1-cap-15000': ['EXPORT-V1-CAP'],
  // Who says more than there is says a wrong share too.
  'list-usage-by-tag-over': ['USAGE-TAGS-SHARE'],
  'usage-lines-as-percentage': ['USAGE-TAGS-SHARE'],
  'list-usage-by-app-over': ['USAGE-V1-SHARE'],
  'list-usage-by-host-over': ['USAGE-V1-SHARE'],
  'usage-v1-half-each': ['USAGE-V1-SHARE'],
  // Shares of a past day are those of its lines alone.
  'list-usage-by-tag-no-end': ['USAGE-TAGS-SHARE'],
  'list-usage-by-tag-no-start': ['USAGE-TAGS-SHARE'],
  'list-usage-by-app-no-end': ['USAGE-V1-SHARE'],
  'list-usage-by-app-no-start': ['USAGE-V1-SHARE'],
  'list-usage-by-host-no-end': ['USAGE-V1-SHARE'],
  'list-usage-by-host-no-start': ['USAGE-V1-SHARE'],
}

/** Requirements that follow at most times: of a part of a day, lines beside it may be left out. */
const MOSTLY: Readonly<Record<string, readonly string[]>> = { 'list-usage-v2-by-app-moments': ['USAGE-V2-BY-APP'] }

/** Requirements whose cases show the fault by another one. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'suspension-deletes-stored': ['SUSPENSION-STOPS-LINES'],
}

/** Faults that show a while later alone. */
const LATER = new Set(['suspension-ends', 'suspension-comes-later'])

describe('faults of lines, each against the cases of its requirement', () => {
  test.each(mutants)('$name turns exactly what it is about red', { timeout: 60_000 }, async (mutant) => {
    // Quick sends fewer lines than a plan caps, and does not look a while later.
    const isLong = mutant.kills.some((id) => id.startsWith('EXPORT-V1-CAP')) || LATER.has(mutant.name)
    const profile = isLong ? 'standard' : 'quick'
    const { red: all } = await tried(mutant, { profile })
    const red = all.filter((id) => MOSTLY[mutant.name]?.includes(id) !== true)
    const broken = mutant.kills.filter((id) => SHOWN_BY[mutant.name]?.includes(id) !== true)
    const expected = [...broken, ...(BESIDES[mutant.name] ?? [])].sort()
    expect(red).toEqual(mutant.withheld !== undefined ? [] : expected)
  })
})
