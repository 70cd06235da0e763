import { describe, expect, test } from 'vitest'
import { newJudge, seen } from '../testing.ts'
import { jsonOf } from './view.ts'
import { namesTwice } from './viewer.ts'

const twice = (text: string): boolean => namesTwice(text, JSON.parse(text))

describe('a field is named twice', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":{"b":1,"c":2 , "b" : 3}}',
    '[{"a":1},{"b":[{"a":1,"\\u0061":2}]}]',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"a" :2}',
    '{"a" : 1, "b":"\\":", "a" : 2}',
    '{"a":"x\\":","a":2}',
  ])('%s', (text) => {
    expect(twice(text)).toBe(true)
  })
})

describe('each field is named once', () => {
  test.each([
    '{}',
    '"a"',
    'null',
    '{"a":1,"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\":","b":"\\\\"}',
    '{"a":"say \\"b\\": now","__proto__":{"a":1}}',
    '{"":1," ":2}',
    '{"a" :1,"b": [ {"a" : 1} ]}',
    '{"a":"b\\" :","c":1}',
  ])('%s', (text) => {
    expect(twice(text)).toBe(false)
  })
})

describe('a record that a binding puts under a name', () => {
  const requestOf = (line: string, body: Record<string, unknown>, sent: unknown): unknown => {
    const operations = { 'create-board': { body }, 'confirm-suspension': { body } }
    return jsonOf(newJudge(1, { operations }).judge(seen(line, [0, 1], { sent })).view.request)
  }

  test('is seen without it', () => {
    const body = { board: { title: '{{label}}' } }
    expect(requestOf('POST /v1/config/board', body, { board: { title: 'a' } })).toEqual({ title: 'a' })
    expect(requestOf('POST /v1/config/board', body, { title: 'a' })).toEqual({ title: 'a' })
  })

  test('is unknown where it names a field twice', () => {
    expect(
      requestOf('POST /v1/config/board', { board: { title: '{{label}}' } }, '{"board":{"title":"a","title":"b"}}'),
    ).toBe(undefined)
  })

  test('is seen as it was sent where it has no name of its own', () => {
    const settings = { settings: { on: true } }
    expect(requestOf('POST /v1/config/board', settings, { settings: { on: false } })).toEqual({
      settings: { on: false },
    })
  })

  test('is seen as it was sent where it is no record, or stands beside others', () => {
    const nested = { word: { again: '{{token}}' } }
    const confirm = 'POST /v1/config/ingestion/suspend/confirm'
    expect(requestOf(confirm, nested, { word: { again: 1 } })).toEqual({ word: { again: 1 } })
    const two = { board: { title: '{{label}}' }, kind: 'wide' }
    expect(requestOf('POST /v1/config/board', two, { board: { title: 'a' } })).toEqual({ board: { title: 'a' } })
  })
})
