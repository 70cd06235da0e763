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
  const V2S = [V2, `${V2}/apps`]
  const V3S = [V3, `${V3}/gateway-route`]
  test.each<[id: string, taken: string, refused: readonly string[], status: number, scheme: CredentialScheme]>([
    ['AUTH-V1-TOKEN', V3, V1, 401, 'access-token'],
    ['AUTH-V1-TOKEN', V3, V1, 403, 'access-token'],
    ['AUTH-V2-TOKEN', V3, V2S, 401, 'access-token'],
    ['AUTH-V3-TOKEN', V2, V3S, 401, 'access-token'],
    ['AUTH-V3-TOKEN', V2, V3S, 403, 'access-token'],
    ['AUTH-V1-SERVICE-KEY', V2, V1, 403, 'service-key'],
    ['AUTH-V2-SERVICE-KEY', V1[0] ?? '', V2S, 403, 'service-key'],
  ])('is a finding of %s: %s takes it, and %j refuse it with %i', (id, taken, refused, status, scheme) => {
    expect(said(id, [sent(taken, 200, { scheme }), ...refused.map((one) => sent(one, status, { scheme }))])).toEqual([
      'broken',
    ])
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
