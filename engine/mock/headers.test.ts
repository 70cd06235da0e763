import { describe, expect, test } from 'vitest'
import { writableHeaders } from './headers.ts'

const written = (name: string, value: string): ReturnType<typeof writableHeaders> => writableHeaders([{ name, value }])

describe('recorded header fields', () => {
  test.each([
    ['Content-Type', 'application/json'],
    ['X-Latin', 'Grüße'],
    ['X-Empty', ''],
    ['X-Tab', 'a\tb'],
  ])('%s: %j is written as it is', (name, value) => {
    expect(written(name, value)).toEqual({ flat: [name, value], notes: [] })
  })

  test('what is beyond Latin-1 is written in the bytes of its UTF-8', () => {
    const { flat, notes } = written('x-uni', 'žluť')
    expect(Buffer.from(flat[1] ?? '', 'latin1').toString('utf8')).toBe('žluť')
    expect(notes).toEqual(['the header field x-uni is not Latin-1; it is sent as UTF-8'])
  })

  test.each([
    ['x-break', 'a\r\nset-cookie: b'],
    ['x-both', 'ž\n'],
    ['x-null', 'a\0'],
    ['a name', 'x'],
    ['', 'x'],
  ])('%j: %j is left out', (name, value) => {
    expect(written(name, value)).toEqual({
      flat: [],
      notes: [`the header field ${name} cannot be written as HTTP; it is left out`],
    })
  })

  test('the fields of HTTP/2 that stand for its first line are none', () => {
    expect(written(':status', '200')).toEqual({ flat: [], notes: [] })
  })
})
