import { describe, expect, test } from 'vitest'
import type { CredentialLabel, Exchange } from '../../schemas/types/exchange.ts'
import { exchange, type Given, referenceBinding, seen, toldOf } from '../testing.ts'
import { unguardedRule } from './unguarded.ts'

const RIGHT: readonly CredentialLabel[] = [{ scheme: 'access-token', state: 'configured' }]
const MISSING: readonly CredentialLabel[] = [{ scheme: 'access-token', state: 'missing' }]
const LINE = 'PUT /v3/pipeline/p1/transform/t1'

let clock = 0
function put(credentials: readonly CredentialLabel[], given: Given = {}, line: string = LINE): Exchange {
  clock += 1_000
  const one = seen(line, [clock, clock + 10], { sent: { title: 't' }, got: {}, credentials, ...given })
  return credentials === MISSING ? { ...one, request: { ...one.request, headers: [] } } : one
}
const withHeader = (one: Exchange, name: string): Exchange => ({
  ...one,
  request: { ...one.request, headers: [...one.request.headers, { name, value: 'x' }] },
})
const ABOUT = 'AUTH-V3-REQUIRED'
const said = (outcome: 'broken' | 'doubted' | 'held', history: readonly Exchange[], alone = false): string[] =>
  toldOf(outcome, history, alone).filter((requirement) => requirement.startsWith('AUTH-'))

describe('a request without credentials, beside one with them', () => {
  test('is in doubt when it is carried out, since something behind the recorder may add them', () => {
    const history = [put(RIGHT), put(MISSING), put(MISSING), put(MISSING), put(MISSING)]
    expect(said('doubted', history)).toEqual([ABOUT])
    expect(said('broken', history)).toEqual([])
    expect(said('broken', history, true)).toContain(ABOUT)
  })

  test.each([
    ['GET /v1/config/board', 'AUTH-V1-REQUIRED'],
    ['GET /v3/pipeline', 'AUTH-V3-REQUIRED'],
    ['GET /v2/export?from=1&to=2', 'AUTH-V2-REQUIRED'],
  ])('is closed at %s as well, whose path a binding gives', (line, requirement) => {
    expect(said('broken', [put(RIGHT, {}, line), put(MISSING, {}, line)], true)).toEqual([requirement])
    expect(said('broken', [put(MISSING, {}, line), put(RIGHT, {}, line)], true)).toEqual([])
  })

  test('is refused', () => {
    const history = [
      put(RIGHT),
      put(MISSING, { status: 401 }),
      put(MISSING, { status: 403 }),
      put(MISSING, { status: 404 }),
    ]
    expect(said('held', history)).toEqual([ABOUT, ABOUT])
    expect(said('broken', history, true)).toEqual([])
  })
})

describe('nothing is said', () => {
  test.each<[string, readonly Exchange[]]>([
    ['where nobody is seen to send credentials: the recording may not show them', [put(MISSING), put(MISSING)]],
    ['where those that were sent were refused', [put(RIGHT, { status: 401 }), put(MISSING)]],
    ['of other names for credentials', [put(RIGHT), withHeader(put(MISSING), 'X-Session')]],
    ['of cookies', [put(RIGHT), withHeader(put(MISSING), 'Cookie')]],
    ['of credentials in the query', [put(RIGHT), put(MISSING, {}, `${LINE}?api_key=x`)]],
    ['of wrong credentials', [put(RIGHT), put([{ scheme: 'access-token', state: 'other' }])]],
    ['of what nothing is known of', [put(RIGHT), put([])]],
    [
      'of ingestion, whose credentials the specification leaves open',
      [put(RIGHT, {}, 'POST /logs/ingest?hostname=h'), put(MISSING, {}, 'POST /logs/ingest?hostname=h')],
    ],
    [
      'of what a run does itself',
      [RIGHT, MISSING].map((credentials) => exchange(LINE, { case: 'c', sent: {}, got: {}, credentials })),
    ],
  ])('%s', (_, history) => {
    expect([...said('broken', history, true), ...said('doubted', history)]).toEqual([])
  })
})

test('sending lines stays open where a binding gives it a path among those of v1', () => {
  const binding = referenceBinding({ operations: { 'ingest-lines': { family: 'v1', path: '/v1/ingest' } } })
  expect(unguardedRule.operations?.(binding)).toContain('list-boards')
  expect(unguardedRule.operations?.(binding)).not.toContain('ingest-lines')
})
