import { describe, expect, test } from 'vitest'
import type { Requirement } from '../ledger.ts'
import { checkOutline, loadOutline, type OutlineSection } from './outline.ts'

function entry(id: string, level: Requirement['level']): Requirement {
  const provoke = 'always'
  return { id, level, section: 'Errors', category: 'c', feature: 'f', operations: [], text: 'It is so.', provoke }
}

const ledger = [entry('ONE-A', 'stated'), entry('TWO-B', 'implied'), entry('GAP-C', 'open'), entry('DEC-D', 'declared')]

const section: OutlineSection = {
  section: 'Errors',
  counts: { statements: 1, tableRows: 1, gapBullets: 1 },
  statements: [{ about: 'one', entries: ['ONE-A'] }],
  tableRows: [{ about: 'two', entries: ['TWO-B', 'ONE-A'] }],
  gapBullets: [{ about: 'three', entries: ['GAP-C'] }],
  beyond: ['DEC-D'],
}

function problems(change: Partial<OutlineSection>): string[] {
  return checkOutline({ specification: '0', sections: [{ ...section, ...change }] }, ledger)
}

describe('checkOutline', () => {
  test('an outline that covers the ledger is fine', () => {
    expect(problems({})).toEqual([])
  })

  const broken: [string, Partial<OutlineSection>, string][] = [
    [
      'a count that differs',
      { counts: { ...section.counts, tableRows: 2 } },
      'Errors: 2 tableRows were counted, 1 are listed',
    ],
    [
      'a sentence that nothing stands for',
      { statements: [{ about: 'one', entries: [] }] },
      "Errors, statements, 'one': no entry of the ledger stands for it",
    ],
    [
      'an item that names nothing of the ledger',
      { statements: [{ about: 'one', entries: ['ONE-Z'] }] },
      "Errors, statements, 'one': ONE-Z is not in the ledger",
    ],
    [
      'a gap bullet without a gap',
      { gapBullets: [{ about: 'three', entries: ['GAP-C', 'TWO-B'] }] },
      "Errors, gapBullets, 'three': TWO-B is not a gap",
    ],
    [
      'an entry beyond the text that does not exist',
      { beyond: ['DEC-D', 'DEC-Z'] },
      'Errors: DEC-Z is not in the ledger',
    ],
    [
      'an entry that is covered and beyond the text',
      { beyond: ['DEC-D', 'GAP-C'] },
      'Errors: GAP-C is both covered and beyond the text',
    ],
    ['an entry that stands nowhere', { beyond: [] }, 'Errors: DEC-D is in the ledger, but not in the outline'],
  ]
  test.each(broken)('%s is told', (_, change, problem) => {
    expect(problems(change)).toEqual([problem])
  })

  test('a stated entry that no sentence stands for is told', () => {
    expect(
      problems({ tableRows: [{ about: 'two', entries: ['TWO-B'] }], statements: [], beyond: ['DEC-D', 'ONE-A'] }),
    ).toEqual(['Errors: 1 statements were counted, 0 are listed', 'Errors: ONE-A is stated, but by no sentence'])
  })

  test('an entry of a section that does not exist is told', () => {
    const elsewhere = [...ledger, { ...entry('TWO-E', 'stated'), section: 'Elsewhere' }]
    expect(checkOutline({ specification: '0', sections: [section] }, elsewhere)).toEqual([
      "TWO-E: the specification has no section 'Elsewhere'",
    ])
  })
})

describe('the outline that ships', () => {
  test('it lists as much as was counted in the text: 68 statements, 85 table rows, 15 gap bullets', () => {
    const { sections } = loadOutline()
    const total = (part: 'statements' | 'tableRows' | 'gapBullets'): number =>
      sections.reduce((sum, { counts }) => sum + counts[part], 0)
    expect([total('statements'), total('tableRows'), total('gapBullets')]).toEqual([68, 85, 15])
  })
})
