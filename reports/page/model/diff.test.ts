import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DifferenceGroup } from '../../../schemas/types/replay.ts'
import { aGroup } from '../../testing.ts'
import { answersBeside, diff, folded, isRelated, type Piece, placesIn } from './diff.ts'

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')
const marked = (pieces: readonly Piece[]): string[] => pieces.filter(({ differs }) => differs).map(({ text }) => text)
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"', ':', '\n', 'é', '\u{1f600}') })

describe('the difference of two texts', () => {
  test('is the value that differs, whole', () => {
    const { left, right } = diff('{"id":7,"title":"good"}', '{"id":8,"title":"bad one"}')
    expect(marked(left)).toEqual(['7', '"good"'])
    expect(marked(right)).toEqual(['8', '"bad one"'])
  })

  test('is nothing where they are the same, and everything where they share nothing', () => {
    expect(marked(diff('same', 'same').left)).toEqual([])
    expect(diff('', 'new')).toEqual({ left: [], right: [{ text: 'new', differs: true }] })
  })

  test('loses no character, and what is not marked is the same on both sides', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const { left, right } = diff(a, b)
        expect([joined(left), joined(right)]).toEqual([a, b])
        const shared = (pieces: readonly Piece[]): string =>
          joined(pieces.filter(({ differs }) => !differs)).replaceAll(' ', '')
        expect(shared(left)).toBe(shared(right))
      }),
    )
  })

  test('of very long texts takes no time to speak of', () => {
    const words = (seed: number): string =>
      Array.from({ length: 20_000 }, (_, index) => (index * seed) % 9973).join(' ')
    const started = performance.now()
    const { left, right } = diff(`{ ${words(7)} }`, `{ ${words(11)} }`)
    expect(performance.now() - started).toBeLessThan(1000)
    expect(joined(left)).toHaveLength(`{ ${words(7)} }`.length)
    expect(marked(right)).toHaveLength(1)
  })

  test('folds what both sides share but for the lines beside a difference', () => {
    const lines = (value: string): string => [...'abcdef', value, ...'uvwxyz'].join('\n')
    const { right } = diff(lines('1'), lines('2'))
    expect(folded(right, 1)).toEqual([
      { text: '', differs: false },
      { text: '', differs: false, folded: 5 },
      { text: '\nf\n', differs: false },
      { text: '2', differs: true },
      { text: '\nu\n', differs: false },
      { text: '', differs: false, folded: 5 },
      { text: '', differs: false },
    ])
    expect(folded(right, 6)).toEqual(right)
  })

  test('loses no line where it is folded', () => {
    const linesOf = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
    fc.assert(
      fc.property(linesOf, linesOf, fc.integer({ min: 1, max: 3 }), (a, b, around) => {
        const { right } = diff(a.join('\n'), b.join('\n'))
        const count = folded(right, around).reduce(
          // the last of the folded lines ends where the text goes on
          (sum, { text, folded: hidden = 1 }) => sum + text.split('\n').length - 1 + hidden - 1,
          1,
        )
        expect(count).toBe(right.reduce((sum, { text }) => sum + text.split('\n').length - 1, 1))
      }),
    )
  })

  test('helps where enough is shared', () => {
    expect(isRelated(diff('refused with 400', 'refused with 500'))).toBe(true)
    expect(isRelated(diff('a number from 0 to 100', '-98.5'))).toBe(false)
  })
})

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
