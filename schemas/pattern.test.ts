import { expect, test } from 'vitest'
import { escapeRegExp } from './pattern.ts'

test('every character of ASCII matches itself and nothing else, alone and in a class', () => {
  const signs = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  for (const sign of signs) {
    const matched = (pattern: RegExp): string[] => signs.filter((one) => pattern.test(one))
    for (const flags of ['', 'u', 'v']) expect(matched(new RegExp(`^${escapeRegExp(sign)}$`, flags))).toEqual([sign])
    for (const flags of ['', 'u']) expect(matched(new RegExp(`^[${escapeRegExp(sign)}]$`, flags))).toEqual([sign])
  }
  expect(new RegExp(`^${escapeRegExp(signs.join(''))}$`).test(signs.join(''))).toBe(true)
})
