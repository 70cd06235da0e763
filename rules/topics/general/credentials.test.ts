import { describe, expect, test } from 'vitest'
import type { CredentialLabel, Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, said } from '../../testing.ts'

const REQUIRED = 'AUTH-V1-REQUIRED'
const TOKEN = 'AUTH-V1-TOKEN'
const ENTERPRISE = 'AUTH-ENTERPRISE-KEY'
const key: CredentialLabel = { scheme: 'enterprise-key', state: 'configured' }
const token: CredentialLabel = { scheme: 'access-token', state: 'configured' }

const base = (line = 'GET /v1/usage/tags'): Exchange =>
  exchange(line, { got: [], intent: { kind: 'base', group: 'g' } })
const auth = (right: boolean, given: Given, requirement: string, line = 'GET /v1/usage/tags'): Exchange => {
  const intent: Intent = { kind: 'auth', group: 'g', requirement, edge: 'edge', data: { right } }
  return exchange(line, { got: {}, intent, ...given })
}

describe('wrong credentials', () => {
  test.each([400, 401, 403, 404, 302])('refused with %i beside an accepted control are rightly refused', (status) => {
    expect(said(REQUIRED, [base(), auth(false, { status }, REQUIRED)])).toEqual(['held'])
  })
  test('refused without a control say nothing', () => {
    expect(said(REQUIRED, [auth(false, { status: 401 }, REQUIRED)])).toEqual(['inconclusive'])
  })
  test('carried out are a finding beside a control, and nothing without one', () => {
    expect(said(REQUIRED, [base(), auth(false, { status: 200 }, REQUIRED)])).toEqual(['broken'])
    expect(said(REQUIRED, [auth(false, { status: 200 }, REQUIRED)])).toEqual(['inconclusive'])
  })
  test.each([408, 429, 500, 502, 503, 504])('answered with %i say nothing', (status) => {
    expect(said(REQUIRED, [base(), auth(false, { status }, REQUIRED), base()])).toEqual(['inconclusive'])
  })
  test.each(['timeout', 'reset', 'truncated'] as const)('that end in %s say nothing', (outcome) => {
    const probe = auth(false, { outcome, status: 200 }, REQUIRED)
    expect(said(REQUIRED, [base(), probe, base()])).toEqual(['inconclusive'])
  })
})

describe('right credentials', () => {
  test('that are carried out need no control', () => {
    expect(said(TOKEN, [auth(true, { credentials: [token] }, TOKEN)])).toEqual(['held'])
  })
  test.each([401, 403])('refused with %i between accepted controls are a finding', (status) => {
    const probe = auth(true, { status, credentials: [token] }, TOKEN)
    expect(said(TOKEN, [base(), probe, base()])).toEqual(['broken'])
    expect(said(TOKEN, [base(), probe])).toEqual(['inconclusive'])
    expect(said(TOKEN, [auth(true, { status, credentials: [token] }, TOKEN)])).toEqual(['inconclusive'])
  })
  test('refused with 400 are a finding between two accepted controls only', () => {
    const probe = (): Exchange => auth(true, { status: 400, credentials: [token] }, TOKEN)
    expect(said(TOKEN, [base(), probe(), base()])).toEqual(['broken'])
    expect(said(TOKEN, [base(), probe()])).toEqual(['inconclusive'])
    expect(said(TOKEN, [probe(), base()])).toEqual(['inconclusive'])
  })
  test('not found by a read, between accepted controls, are a finding', () => {
    const line = 'GET /v1/enterprise/keys'
    const both = auth(true, { status: 404, credentials: [key, token] }, ENTERPRISE, line)
    expect(said(ENTERPRISE, [base(line), both, base(line)])).toEqual(['broken'])
  })
  test.each([409, 429, 500])('answered with %i say nothing', (status) => {
    const probe = auth(true, { status, credentials: [token] }, TOKEN)
    expect(said(TOKEN, [base(), probe, base()])).toEqual(['inconclusive'])
  })
  test('an enterprise key alone may be too little, with a key of the organisation beside it not', () => {
    const line = 'GET /v1/enterprise/keys'
    const alone = auth(true, { status: 403, credentials: [key] }, ENTERPRISE, line)
    const both = auth(true, { status: 403, credentials: [key, token] }, ENTERPRISE, line)
    expect(said(ENTERPRISE, [base(line), alone])).toEqual(['inconclusive'])
    expect(said(ENTERPRISE, [base(line), both, base(line)])).toEqual(['broken'])
  })
})
