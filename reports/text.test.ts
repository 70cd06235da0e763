import { describe, expect, test } from 'vitest'
import { bounded, clip, padded, prefix, visible, widthOf, wrap } from './text.ts'

describe('visible', () => {
  test('a terminal escape becomes readable', () => {
    expect(visible('\u001b[31mred\u001b[0m')).toBe('\\u001b[31mred\\u001b[0m')
  })

  test('no control character, direction mark or lone surrogate is left', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join(' ')
    expect(visible(all)).not.toMatch(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
    expect(visible('\u{e0041}')).toBe('\\u{e0041}')
  })

  test('line ends and tabs take their short form', () => {
    expect(visible('a\r\n\tb')).toBe('a\\r\\n\\tb')
  })

  test.each([
    '::error::x',
    'a\t::SET-output name=x::y',
    'x::add-mask::y',
    ':::echo',
    '##[group]x',
    'a ##vso[task.setvariable]',
    '##teamcity[x]',
  ])('%s is no command for the log of a build', (text) => {
    expect(visible(text)).not.toMatch(/::[a-z]|##[\w-]*\[/i)
    expect(JSON.parse(`"${visible(text)}"`)).toBe(text)
  })

  test.each(['http://[fe80::a1]:80/x', '::1', '2001:db8::c:d', 'a: b', '## title', 'x::'])('%s stays', (text) => {
    expect(visible(text)).toBe(text)
  })

  test('accents, CJK and emoji stay', () => {
    expect(visible('é 漢字 😀')).toBe('é 漢字 😀')
  })
})

describe('length', () => {
  test('a long text says how much of it is missing', () => {
    expect(bounded('a'.repeat(1010), 10)).toBe(`${'a'.repeat(10)}… (1,000 characters more)`)
    expect(bounded('abc', 3)).toBe('abc')
  })

  test('a surrogate pair is not parted', () => {
    expect(prefix('a😀', 2)).toBe('a')
    expect(prefix('a😀', 3)).toBe('a😀')
  })

  test('wide characters take two columns, marks none', () => {
    expect(widthOf('漢字')).toBe(4)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf('😀')).toBe(2)
    expect(padded('漢', 4)).toBe('漢  ')
  })

  test('a cut text ends in an ellipsis and fits', () => {
    expect(clip('hello world', 8)).toBe('hello w…')
    expect(clip('hello world', 7)).toBe('hello…')
    expect(widthOf(clip('漢字漢字漢字', 5))).toBeLessThanOrEqual(5)
    expect(clip('same', 4)).toBe('same')
  })
})

describe('wrap', () => {
  test('lines break between words', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  })

  test('a word longer than a line is parted, nothing of it lost', () => {
    const lines = wrap(`x ${'y'.repeat(25)} z`, 10)
    expect(lines.every((line) => line.length <= 10)).toBe(true)
    expect(lines.join('').replaceAll(' ', '')).toBe(`x${'y'.repeat(25)}z`)
  })

  test('an address breaks behind a slash, where one stands in the second half of the line', () => {
    expect(wrap('PUT http://127.0.0.1:8080/v3/pipeline/aaaa-bbbb/transform/cccc-dddd?page=2', 38)).toEqual([
      'PUT http://127.0.0.1:8080/v3/pipeline/',
      'aaaa-bbbb/transform/cccc-dddd?page=2',
    ])
    expect(wrap(`a/${'b'.repeat(20)}`, 10)[0]).toBe('a/bbbbbbbb')
  })

  test('a line of one column ends', () => {
    expect(wrap('漢字', 1)).toEqual(['漢', '字'])
  })
})
