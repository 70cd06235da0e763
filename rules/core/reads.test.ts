import { describe, expect, test } from 'vitest'
import { exchange, newJudge } from '../testing.ts'
import { isNotFound, takesLines } from './reads.ts'

const says = (status: number, got?: unknown): boolean =>
  isNotFound(newJudge().judge(exchange('GET /v1/config/archiving', { status, got })).view)

describe('a refused read', () => {
  test('says by its status that there is nothing', () => {
    expect([says(404), says(410), says(400), says(200, { error: 'not found' })]).toEqual([true, true, false, false])
  })

  test.each([
    [{ code: 'NotFound', error: 'there is none' }],
    [{ code: 'NotConfigured' }],
    [{ code: 'x', error: 'archiving has not been configured' }],
    [{ error: { message: 'No archiving for this account' } }],
    [{ message: 'The configuration does not exist.' }],
    ['archiving is not set up'],
  ])('says by its words that there is nothing: %j', (got) => {
    expect([says(400, got), says(422, got)]).toEqual([true, true])
  })

  test.each([
    [{ code: 'BadRequest', error: 'a query parameter is missing' }],
    [{ error: 'account is not known' }],
    [`archiving not found ${' '.repeat(3_000)}`],
  ])('does not say so by other words: %j', (got) => {
    expect(says(400, got)).toBe(false)
  })

  test('speaks of the request or of the moment with some statuses, whatever it says', () => {
    const got = { code: 'NotFound' }
    expect([401, 403, 405, 415, 429, 500, 503].filter((status) => says(status, got))).toEqual([])
  })
})

describe('whether lines are taken in', () => {
  const told = (answer: Record<string, string | null>, got: unknown): boolean | undefined => {
    const judge = newJudge(1, { operations: { 'get-ingestion-status': { answer } } })
    return takesLines(judge.judge(exchange('GET /v1/config/ingestion/status', { got })).view)
  }

  test('is said by a flag', () => {
    expect(told({ ingesting: '/isIngesting' }, { isIngesting: true })).toBe(true)
    expect(told({ ingesting: null, suspended: '/paused' }, { paused: true })).toBe(false)
  })

  test('or by a word, whatever other words there are', () => {
    expect(told({ ingesting: '/state=running' }, { state: 'running' })).toBe(true)
    expect(told({ ingesting: '/state=running' }, { state: 'stopped' })).toBe(false)
    expect(told({ ingesting: null, suspended: '/state=paused' }, { state: 'paused' })).toBe(false)
    expect(told({ ingesting: '/state=running', suspended: '/state=paused' }, { state: 'asked' })).toBe(true)
    expect(told({ ingesting: '/state=running' }, {})).toBeUndefined()
  })
})
