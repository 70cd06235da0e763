import { describe, expect, test } from 'vitest'
import { newJudge, seen } from '../testing.ts'
import { jsonOf } from './view.ts'

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
