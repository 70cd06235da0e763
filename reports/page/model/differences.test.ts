import { expect, test } from 'vitest'
import type { DifferenceGroup } from '../../../schemas/types/replay.ts'
import { aGroup } from '../../testing.ts'
import type { Piece } from './diff.ts'
import { answersBeside, placesIn } from './differences.ts'

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

test('of answers that differ only in status nothing else is marked', () => {
  const { left, right } = answersBeside(
    '{"id":"1","at":7}',
    '{"id":"2","at":8}',
    placesIn(aGroup({ pointer: 'status' }), []),
  )
  expect([left, right].flatMap(marks)).toEqual([])
  expect(right.map(({ text }) => text).join('')).toBe('{\n  "id": "2",\n  "at": 8\n}')
})

test.each(['body', 'lines'])('of answers that differ as a whole (%s), the words that differ are marked', (pointer) => {
  const { right } = answersBeside('{"a":"x"}', '{"a":"y"}', placesIn(aGroup({ pointer }), []))
  expect(marks(right)).toEqual(['"y"'])
})
