import { expect, test } from 'vitest'
import type { DifferenceGroup, ReplayReport } from '../../../schemas/types/replay.ts'
import { aGroup, aReplay } from '../../testing.ts'
import type { Piece } from './diff.ts'
import { answersBeside, comparedInWords, placesIn } from './differences.ts'

const marks = (pieces: readonly Piece[]): string[] =>
  pieces.filter(({ differs }) => differs).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())

test('of two answers the places that differ are marked, and no id', () => {
  const { left, right } = answersBeside(
    '{"data":{"id":"1","title":"a","tags":["x"]}}',
    '{"data":{"id":"2","title":"b","tags":["x"]}}',
    ['/data/title'],
  )
  expect([marks(left), marks(right)]).toEqual([['"title": "a",'], ['"title": "b",']])
})

test('of a list with one element more, that element is marked', () => {
  const { left, right } = answersBeside(
    '[{"id":1,"name":"assay-1-a"}]',
    '[{"id":7,"name":"assay-2-a"},{"id":8,"name":"other"}]',
    ['/*'],
  )
  expect([marks(left), marks(right)]).toEqual([[], ['{ "id": 8, "name": "other" }']])
})

test('of answers that are no JSON, the words that differ are marked', () => {
  const { left, right } = answersBeside('taken', 'not taken', ['/data'])
  expect([marks(left), marks(right)]).toEqual([[], ['not']])
})

test('an example is marked at all places at which it differs', () => {
  const same = { recorded: '1', replayed: '9', request: 'GET /' }
  const groups: DifferenceGroup[] = [
    aGroup({ pointer: '/data/title', example: same }),
    aGroup({ pointer: '/data/id', example: same }),
    aGroup({ pointer: 'status', example: same }),
    aGroup({ pointer: '/data/*', example: same }),
    aGroup({ pointer: '/other', example: { ...same, recorded: '2' } }),
  ]
  expect(groups.map((group) => placesIn(group, groups).length)).toEqual([2, 2, 2, 3, 1])
})

test.each<[string, Partial<ReplayReport['counts']>, number, string]>([
  ['nothing compared', { compared: 0 }, 0, 'Nothing could be compared.'],
  ['nothing different', { compared: 7, different: 0 }, 0, 'None of 7 answers differs from the recording.'],
  [
    'some different',
    { compared: 7, different: 2 },
    1,
    '2 of 7 answers differ from the recording, in 1 kind of difference.',
  ],
])('with %s', (_what, counts, groups, words) => {
  const differences = Array.from({ length: groups }, () => aGroup())
  expect(comparedInWords(aReplay({ counts: { ...aReplay().counts, ...counts }, differences }))).toBe(words)
})
