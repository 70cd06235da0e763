import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandData, commandProperty, markdownBlock, markdownCode, markdownText, markupText } from './markup.ts'

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'`|\\ \n<&"\':,%\r\u0000a') }),
  fc.array(fc.constantFrom('```', '`', 'a')).map((parts) => parts.join('')),
)

describe('text of any origin', () => {
  test('in a code span ends only where its own fence stands', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const span = markdownCode(text)
        if (span === '') return
        const fence = /^`+/.exec(span)?.[0] ?? ''
        const inside = span.slice(fence.length, -fence.length)
        expect(span.endsWith(fence)).toBe(true)
        expect(inside.split(/[^`]+/).filter((run) => run.length === fence.length)).toEqual([])
        expect(inside).not.toMatch(/\n|(?<!\\)\|/)
      }),
    )
  })
  test('in a block of code ends only where its own fence stands', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const lines = markdownBlock(text, 'sh').split('\n')
        const fence = lines.at(-1) ?? ''
        expect(fence).toMatch(/^`{3,}$/)
        expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false)
      }),
    )
  })
  test('in markup has no character that opens anything', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(markupText(text)).not.toMatch(/[<>"']|&(?!#\d+;)/)
      }),
    )
  })
  test('in a workflow command stays on its line, and within its property', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(commandData(text)).not.toMatch(/[\r\n\u2028]|%(?!25)/)
        expect(commandProperty(text)).not.toMatch(/[\r\n:,]/)
      }),
    )
  })
  test('in Markdown shows its markup', () => {
    expect(markdownText('a *b* <i> [c](d) `e` | # @f')).toBe('a \\*b\\* \\<i\\> \\[c\\](d) \\`e\\` \\| \\# \\@f')
    expect(markdownText('- x')).toBe('\\- x')
    expect(markdownText('1. x')).toBe('1\\. x')
    expect(markdownText('NODE-TITLE-MAX')).toBe('NODE-TITLE-MAX')
  })
})
