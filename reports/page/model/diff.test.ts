import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diff, folded, isRelated, type Piece } from './diff.ts'

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
