import { describe, expect, test } from 'vitest'
import type { CredentialScheme, Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, said } from '../../testing.ts'

const V1 = ['GET /v1/usage/tags', 'GET /v1/config/board', 'POST /v1/config/presetalert']
const V2 = 'GET /v2/usage'
const V3 = 'GET /v3/pipeline'

const sent = (
  line: string,
  status: number,
  { scheme = 'access-token', kind = 'auth' }: { scheme?: CredentialScheme; kind?: Intent['kind'] } = {},
): Exchange =>
  exchange(line, {
    got: [],
    status,
    intent: { kind, data: { right: true } },
    credentials: [{ scheme, state: 'configured' }],
    case: `case of ${line}`,
  })
const refusedBy = (lines: readonly string[], status = 401): Exchange[] => lines.map((line) => sent(line, status))

describe('a credential that one family takes', () => {
  test.each([401, 403])('and that all operations of another refuse with %i is a finding', (status) => {
    expect(said('AUTH-V1-TOKEN', [...refusedBy(V1, status), sent(V3, 200)])).toEqual(['broken'])
    expect(said('AUTH-V3-TOKEN', [sent(V2, 200), ...refusedBy([V3, `${V3}/gateway-route`], status)])).toEqual([
      'broken',
    ])
  })
  test('may be a service key', () => {
    const key = { scheme: 'service-key' } as const
    const history = [...V1.map((line) => sent(line, 403, key)), sent(V2, 200, key)]
    expect(said('AUTH-V1-SERVICE-KEY', history)).toEqual(['broken'])
  })
  test('and that one operation of another refuses may lack a right', () => {
    expect(said('AUTH-V1-TOKEN', [...refusedBy(V1.slice(0, 1)), sent(V3, 200)])).toEqual(['inconclusive'])
  })
  test.each([200, 400, 409, 422])('and that one operation of another answers with %i is taken there', (status) => {
    expect(said('AUTH-V1-TOKEN', [...refusedBy(V1), sent('GET /v1/config/view', status), sent(V3, 200)])).toEqual([])
  })
  test.each([302, 404, 405, 500, 503])('and that one operation answers with %i is not taken by that', (status) => {
    const history = [...refusedBy(V1), sent('GET /v1/config/view', status), sent(V3, 200)]
    expect(said('AUTH-V1-TOKEN', history)).toEqual(['broken'])
  })
})

test('a credential that no family takes may be a wrong one', () => {
  expect(said('AUTH-V1-TOKEN', [...refusedBy(V1), ...refusedBy([V3, V2])])).toEqual([])
})
test('another credential that is taken says nothing of this one', () => {
  expect(said('AUTH-V1-TOKEN', [...refusedBy(V1), sent(V2, 200, { scheme: 'service-key' })])).toEqual([])
})
test('a refusal of what is wrong in itself says nothing', () => {
  const history = [...V1.map((line) => sent(line, 403, { kind: 'provoke' })), sent(V3, 200)]
  expect(said('AUTH-V1-TOKEN', history)).toEqual([])
})
