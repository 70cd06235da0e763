import { describe, expect, test } from 'vitest'
import { RawJson } from '../generate/values/body.ts'
import { emailFor, toSink } from './sink.ts'

const SINK = { email: 'qa@lab.invalid', url: 'https://sink.invalid/in/' }

describe('addresses', () => {
  test('lead nowhere without a sink', () => {
    expect(emailFor({}, 'assay-1')).toBe('assay-1@example.com')
  })

  test('lead to the sink, each under a name of its own', () => {
    expect(emailFor(SINK, 'assay-1')).toBe('qa+assay-1@lab.invalid')
  })
})

describe('a body', () => {
  const body = {
    name: 'about example.com',
    channels: [{ emails: ['a@example.com', 'owner@elsewhere.invalid'], url: 'https://hooks.example.com/assay?x=1' }],
    more: { url: 'http://example.com', other: 'https://notexample.com/a', count: 3, none: null },
  }

  test('is the same without a sink', () => {
    expect(toSink({}, body)).toBe(body)
  })

  test('leads to the sink wherever it named a reserved host, and nowhere else', () => {
    expect(toSink(SINK, body)).toEqual({
      name: 'about example.com',
      channels: [{ emails: ['qa+a@lab.invalid', 'owner@elsewhere.invalid'], url: 'https://sink.invalid/in/assay?x=1' }],
      more: { url: 'https://sink.invalid/in', other: 'https://notexample.com/a', count: 3, none: null },
    })
  })

  test('keeps what only one of the two is configured for', () => {
    expect(toSink({ url: SINK.url }, ['a@example.com', 'https://example.com/x'])).toEqual([
      'a@example.com',
      'https://sink.invalid/in/x',
    ])
  })

  test('keeps raw tokens', () => {
    const raw = new RawJson('1e400')
    expect(toSink(SINK, { raw })).toEqual({ raw })
  })
})
