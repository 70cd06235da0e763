import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const noted = (requirement: string, one: Exchange): (string | undefined)[] =>
  judgeAll([one]).flatMap((judgement) =>
    judgement.requirement === requirement && judgement.outcome === 'observed' ? [judgement.actual] : [],
  )

describe('what a read shows of a field', () => {
  const data = { shows: '/data/title', before: 'old', sent: 'new' }
  const intent: Intent = { kind: 'observe', requirement: 'GAP-STALE-GENERATION', edge: 'after', data }
  const read = (got: unknown, given: Given = {}): Exchange =>
    exchange('GET /v3/pipeline/p/transform/t', { got, intent, ...given })
  test.each([
    [{ data: { title: 'new' } }, 'a read shows what was sent'],
    [{ data: { title: 'old' } }, 'a read shows the old state'],
    [{ data: {} }, 'a read shows nothing there'],
    [{ data: { title: 'third' } }, 'a read shows something else'],
  ])('%j', (got, words) => {
    expect(noted('GAP-STALE-GENERATION', read(got))).toEqual([`get-transform after: ${words}`])
  })
  test('is the status where the read is refused', () => {
    expect(noted('GAP-STALE-GENERATION', read({}, { status: 404 }))).toEqual(['get-transform after: status 404'])
  })
})

describe('what answers tell by the way', () => {
  const error = { error: 'e', code: 'c' }
  const auth = (right: boolean, edge: string): Intent => ({
    kind: 'auth',
    requirement: 'AUTH-V1-REQUIRED',
    edge,
    data: { right },
  })
  const rows: [string, string, Given, string[]][] = [
    [
      'GAP-AUTH-STATUS',
      'GET /v1/usage/tags?from=1&to=2',
      { status: 401, got: error, intent: auth(false, 'none') },
      ['v1, no credentials: status 401, a body with code, error'],
    ],
    ['GAP-AUTH-STATUS', 'GET /v1/usage/tags?from=1&to=2', { status: 401, got: '', intent: auth(true, 'x') }, []],
    ['GAP-AUTH-STATUS', 'GET /v1/usage/tags?from=1&to=2', { got: [], intent: auth(false, 'none') }, []],
    [
      'GAP-ERROR-STATUSES',
      'DELETE /v1/config/screen/1',
      { status: 404, got: error, intent: { kind: 'provoke', probe: 'unknown-screen' } },
      ['delete-screen unknown-screen: status 404'],
    ],
    [
      'GAP-V3-ERRORS',
      'PUT /v3/pipeline/p/processing-status',
      { sent: 7, status: 422, got: '', intent: { kind: 'refuse', requirement: 'PROCESSING-STATUS-OBJECT' } },
      ['update-processing-status: status 422, no body'],
    ],
    [
      'GAP-RATE-LIMITS',
      'GET /v1/enterprise/keys',
      { status: 429, got: '', intent: { kind: 'base' } },
      ['status 429, without Retry-After'],
    ],
    ['GAP-RATE-LIMITS', 'GET /v1/enterprise/keys', { got: [], intent: { kind: 'base' } }, []],
    ['GAP-RATE-LIMITS', 'GET /v1/enterprise/keys', { status: 429, got: '' }, []],
  ]
  test.each(rows)('%s: %s %j', (requirement, line, given, expected) => {
    expect(noted(requirement, exchange(line, given))).toEqual(expected)
  })
})
