import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aResult } from '../../testing.ts'
import { byOutcome, type OutlineSection, sectionsOf } from './summary.ts'

test('what had the same outcome stands together, the most frequent first', () => {
  expect(
    byOutcome({
      'create-key without a name: status 400': 1,
      'create-key: a name twice: status 200': 2,
      'create-key a long name: status 200': 1,
      'lines come in order': 4,
    }),
  ).toEqual([
    { outcome: 'status 200', causes: ['create-key: a name twice', 'create-key a long name'], times: 3 },
    { outcome: 'status 400', causes: ['create-key without a name'], times: 1 },
    { outcome: '', causes: ['lines come in order'], times: 4 },
  ])
  expect(byOutcome({})).toEqual([])
})

const section = (name: string, given: Partial<OutlineSection> = {}): OutlineSection => ({
  section: name,
  statements: [],
  tableRows: [],
  gapBullets: [],
  beyond: [],
  ...given,
})

test('sections come in the order of the text, with what became of their sentences', () => {
  const [a, b] = [aResult({ id: 'A-A' }), aResult({ id: 'B-B', verdict: 'fail' })]
  const outline = [
    section('Errors', { statements: [{ about: 'bodies', entries: ['B-B', 'A-A'] }], beyond: ['A-A', 'NOT-THERE'] }),
    section('Limits', { tableRows: [{ about: 'none of ours', entries: ['NOT-THERE'] }] }),
  ]
  expect(sectionsOf(outline, [a, b])).toEqual([
    {
      title: 'Errors',
      depth: 0,
      items: [
        { about: 'bodies', results: [b, a] },
        { about: 'between the lines', results: [a] },
      ],
      results: [b, a],
    },
  ])
})

test('a heading without sentences of its own stands above its sections, once', () => {
  const item = { statements: [{ about: 'it', entries: ['A-A'] }] }
  const outline = [section('Fields > Key', item), section('Fields > Node', item)]
  expect(sectionsOf(outline, [aResult({ id: 'A-A' })]).map(({ title, depth }) => [title, depth])).toEqual([
    ['Fields', 0],
    ['Key', 1],
    ['Node', 1],
  ])
})

test('what the outline does not name is not lost', () => {
  const stray = aResult({ id: 'STRAY', section: 'Elsewhere > Deep' })
  expect(sectionsOf([], [stray]).map(({ title, results }) => [title, results])).toEqual([
    ['Elsewhere', []],
    ['Deep', [stray]],
  ])
})

test('the outline that is shipped shows every requirement of the ledger', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), 'utf8'))
  const { sections } = read('outline.json') as { sections: OutlineSection[] }
  const { requirements } = read('requirements.json') as { requirements: { id: string; section: string }[] }
  const shown = sectionsOf(
    sections,
    requirements.map(({ id, section: own }) => aResult({ id, section: own })),
  )
  expect(new Set(shown.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(requirements.length)
})
