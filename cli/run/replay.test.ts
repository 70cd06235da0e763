import { describe, expect, test } from 'vitest'
import { noticeLine } from './replay.ts'

const cleanup = (journal: string): string => `assay cleanup ${journal}`
const thing = { type: 'board', label: 'x', params: {}, id: undefined }

describe('what a replay says beside its outcome', () => {
  test('is why something could not be removed between two passes: no consent, or a target that refuses', () => {
    const exclusion = { ...thing, type: 'exclusion', consent: 'consent.exclusions' }
    expect(noticeLine({ kind: 'not cleared', left: [exclusion] }, cleanup)).toBe(
      '1 thing that the first replay made could not be removed before the second (no consent: consent.exclusions)',
    )
    const left = [thing, thing].map((one) => ({ ...one, consent: undefined }))
    expect(noticeLine({ kind: 'not cleared', left }, cleanup)).toBe(
      '2 things that the first replay made could not be removed before the second (the target did not remove them)',
    )
  })

  test('is what is left, and the command that removes it', () => {
    expect(noticeLine({ kind: 'left', count: 2, journal: 'j.ndjson' }, cleanup)).toBe(
      '2 things that the recording made and did not remove are left: assay cleanup j.ndjson',
    )
  })
})
