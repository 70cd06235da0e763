import { describe, expect, test } from 'vitest'
import { noticeLine } from './replay.ts'

const cleanup = (journal: string): string => `assay cleanup ${journal}`

describe('what a replay says beside its outcome', () => {
  test('is what is left, and the command that removes it', () => {
    expect(noticeLine({ kind: 'left', count: 2, journal: 'j.ndjson' }, cleanup)).toBe(
      '2 things that the recording made and did not remove are left: assay cleanup j.ndjson',
    )
  })
})
