import { describe, expect, test } from 'vitest'
import { notUtf8, textOfBody } from './body-text.ts'

const JSON_TYPE = 'application/json'

describe('the first byte that is no text in UTF-8', () => {
  test.each<[string, Buffer, string, object | undefined]>([
    ['rare characters', Buffer.from('{"a":"é ⟨𝄞⟩ \ufffd \u0085"}'), JSON_TYPE, undefined],
    ['a byte order mark', Buffer.from('\ufeff{}'), JSON_TYPE, undefined],
    ['nothing', Buffer.alloc(0), JSON_TYPE, undefined],
    [
      'plain letters in another coding',
      Buffer.from('{"a":1}', 'latin1'),
      `${JSON_TYPE}; charset=iso-8859-1`,
      undefined,
    ],
    ['a letter in one byte', Buffer.from('{"é":"\xe9"}', 'latin1'), JSON_TYPE, { at: 2, byte: 'e9' }],
    ['the same behind a good one', Buffer.from('c3a9fffd', 'hex'), `${JSON_TYPE};charset=UTF-8`, { at: 2, byte: 'ff' }],
    ['a bad byte behind what stands for bad ones', Buffer.from('efbfbdc3', 'hex'), '', { at: 3, byte: 'c3' }],
    ['half a pair of surrogates', Buffer.from('22eda08022', 'hex'), '', { at: 1, byte: 'ed' }],
    ['a sign in more bytes than it needs', Buffer.from('c0af', 'hex'), '', { at: 0, byte: 'c0' }],
    ['UTF-16 with its mark', Buffer.from('\ufeff{}', 'utf16le'), JSON_TYPE, { at: 0, byte: 'ff' }],
    ['UTF-16 without it', Buffer.from('{}', 'utf16le'), JSON_TYPE, { at: 1, byte: '00' }],
    [
      'a coding that its type names',
      Buffer.from('"é"', 'latin1'),
      `${JSON_TYPE}; Charset="ISO-8859-1"`,
      { at: 1, byte: 'e9', coding: 'iso-8859-1' },
    ],
  ])('of %s', (_, bytes, type, expected) => {
    expect(notUtf8(bytes, type)).toEqual(expected)
  })
  test('of a beginning that cuts a character in two, there is none', () => {
    const bytes = Buffer.from('"𝄞"')
    for (let length = 0; length < bytes.length; length += 1) {
      expect(notUtf8(bytes.subarray(0, length), JSON_TYPE, true)).toBeUndefined()
    }
    expect(notUtf8(Buffer.from('"\xe9"𝄞', 'latin1'), JSON_TYPE, true)).toEqual({ at: 1, byte: 'e9' })
  })
})

test.each([
  ['iso-8859-1', 'latin1', '"é"'],
  ['utf-16le', 'utf16le', '"é"'],
  ['nobody-knows', 'latin1', undefined],
] as const)('a body in %s is read in it', (coding, written, text) => {
  const body = { text: Buffer.from('"é"', written).toString('base64'), encoding: 'base64' } as const
  expect(textOfBody({ ...body, _notUtf8: { at: 1, byte: 'e9', coding } })).toBe(text)
  expect(textOfBody(body)).toBeUndefined()
})
