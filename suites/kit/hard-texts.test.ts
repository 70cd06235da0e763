import { expect, test } from 'vitest'
import { ALLOWED, HARD, longText } from './hard-texts.ts'

test('hard texts are good titles, without blanks at their ends', () => {
  for (const text of [HARD, longText(512), ...ALLOWED]) expect(text).toMatch(/^[^<>"]{1,512}$/u)
  for (const text of [HARD, longText(512), longText(1_500)]) expect(text.trim()).toBe(text)
})

test('a long text has the length that was asked for, and differs from itself in one letter case', () => {
  for (const length of [1, 13, 14, 512, 1_500]) expect(longText(length)).toHaveLength(length)
  expect(longText(512).toLowerCase()).not.toBe(longText(512))
})
