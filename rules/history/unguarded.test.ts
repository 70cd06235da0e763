import { describe, expect, test } from 'vitest'
import type { CredentialLabel, Exchange } from '../../schemas/types/exchange.ts'
import { exchange, type Given, seen, toldOf } from '../testing.ts'

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
