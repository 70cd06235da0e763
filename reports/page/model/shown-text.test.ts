import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Segment, segmentsOf } from './shown-text.ts'

const shown = (segments: readonly Segment[]): string =>
  segments.map((segment) => (segment.kind === 'run' ? `${segment.text}(${segment.count})` : segment.text)).join('')

describe('pieces of a text', () => {
  test('what acts on its surroundings becomes an escape, and stands by itself', () => {
    expect(segmentsOf('a\u202eb\u0000\u001b[0m')).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'acting', text: '\\u202e' },
      { kind: 'plain', text: 'b' },
      { kind: 'acting', text: '\\u0000\\u001b' },
      { kind: 'plain', text: '[0m' },
    ])
  })

  test('breaks of lines stay only where they are wanted', () => {
    expect(shown(segmentsOf('a\nb\tc\r\nd\re'))).toBe('a\nb\tc\nd\\re')
    expect(shown(segmentsOf('a\nb', false))).toBe('a\\nb')
  })

  test('long runs of one character are counted, by characters and not by units', () => {
    expect(segmentsOf(`"${'a'.repeat(513)}"`)).toEqual([
      { kind: 'plain', text: '"' },
      { kind: 'run', text: 'aaaaaa', count: 513 },
      { kind: 'plain', text: '"' },
    ])
    expect(segmentsOf('\u{1f600}'.repeat(100))).toEqual([{ kind: 'run', text: '\u{1f600}'.repeat(6), count: 100 }])
    expect(segmentsOf('a'.repeat(513), true, false)).toEqual([{ kind: 'plain', text: 'a'.repeat(513) }])
  })

  test('nothing that acts is left, whatever the text is', () => {
    const hostile = fc.string({
      unit: fc.oneof(fc.constantFrom('\u202e', '\u0000', '\u0007', '\ud800', '<', 'a'), fc.string({ unit: 'binary' })),
    })
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, lines) => {
        const out = shown(segmentsOf(text, lines))
        expect(out.replaceAll(/[\n\t]/g, lines ? '' : '!')).not.toMatch(
          /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069]/u,
        )
      }),
    )
  })

  test('what is harmless stays as it is, in one piece', () => {
    expect(segmentsOf('grün 漢字 <script>')).toEqual([{ kind: 'plain', text: 'grün 漢字 <script>' }])
    expect(segmentsOf('')).toEqual([])
  })
})
