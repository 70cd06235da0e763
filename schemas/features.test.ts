import { describe, expect, test } from 'vitest'
import { features, isClaimed } from './features.ts'
import { ledger, type Requirement } from './ledger.ts'
import { specifiedOperations } from './operations.ts'

function requirement(id: string): Requirement {
  const found = ledger().get(id)
  if (!found) throw new Error(`no requirement ${id}`)
  return found
}

describe('features', () => {
  test('those that have cases cover the operations of the specification', () => {
    const available = features().filter((feature) => feature.available)
    expect(available.map(({ id }) => id)).toContain('general')
    const covered = new Set(available.flatMap(({ operations }) => operations))
    expect(specifiedOperations().filter(({ id }) => !covered.has(id))).toEqual([])
  })
})

describe('isClaimed', () => {
  test('a requirement is claimed with its feature', () => {
    expect(isClaimed(requirement('NODE-TITLE-MAX'), new Set(['pipelines']))).toBe(true)
    expect(isClaimed(requirement('NODE-TITLE-MAX'), new Set(['general', 'usage-by-tag']))).toBe(false)
  })

  test('a general requirement is claimed with any feature that has one of its operations', () => {
    expect(isClaimed(requirement('ERROR-BODY-CODE-TYPE'), new Set(['screen-removal']))).toBe(true)
    expect(isClaimed(requirement('ERROR-BODY-CODE-TYPE'), new Set(['pipelines']))).toBe(false)
  })

  test('a general requirement without operations is always claimed', () => {
    expect(isClaimed(requirement('VERSION-NUMBER'), new Set(['pipelines']))).toBe(true)
  })
})
