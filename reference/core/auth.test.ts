import { describe, expect, test } from 'vitest'
import { CREDENTIALS, createHarness } from '../testing/harness.ts'
import { type Access, authorize } from './auth.ts'

const basic = (text: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
})

/** headers -> families that they open */
const rows: readonly [string, Record<string, string>, readonly Access[]][] = [
  ['an access token', { authorization: 'Token access' }, ['v1', 'v2', 'v3']],
  ['a service key', { servicekey: 'service' }, ['v1', 'v2']],
  ['a service key in Authorization', { authorization: 'service' }, ['v1', 'v2']],
  [
    'an IAM token with its resource',
    { authorization: 'Bearer iam', 'cloud-resource-name': 'cloud' },
    ['v1', 'v2', 'v3'],
  ],
  ['an enterprise key', { 'enterprise-servicekey': 'enterprise' }, ['enterprise']],
  [
    'an enterprise key and an access token',
    { 'enterprise-servicekey': 'enterprise', authorization: 'Token access' },
    ['v1', 'v2', 'v3', 'enterprise'],
  ],
  ['an ingestion key', { apikey: 'ingestion' }, ['ingestion']],
  ['an ingestion key as a user name', basic('ingestion:'), ['ingestion']],
  ['an ingestion key as a password', basic(':ingestion'), ['ingestion']],
  ['nothing', {}, []],
  ['an empty token', { authorization: 'Token ' }, []],
  ['a token without its scheme', { authorization: 'access' }, []],
  ['a token under another scheme', { authorization: 'Bearer access' }, []],
  ['a token with the scheme in lower case', { authorization: 'token access' }, []],
  ['a longer token', { authorization: 'Token accessx' }, []],
  ['a token as a basic user name', basic('access:'), []],
  ['an IAM token for another resource', { authorization: 'Bearer iam', 'cloud-resource-name': 'other' }, []],
  ['an IAM token without a resource', { authorization: 'Bearer iam' }, []],
  ['an ingestion key where a token belongs', { authorization: 'Token ingestion' }, []],
  ['an access token as an enterprise key', { 'enterprise-servicekey': 'access' }, []],
  ['an access token as an ingestion key', { apikey: 'access' }, []],
]

const { state } = createHarness().app

describe('authorize', () => {
  test.each(rows)('%s opens exactly the families that take it', (_, headers, families) => {
    const all: Access[] = ['v1', 'v2', 'v3', 'enterprise', 'ingestion']
    expect(all.filter((access) => authorize(access, headers, state))).toEqual(families)
  })

  test('IAM is not offered where no token is configured', () => {
    const { iam: _, ...others } = CREDENTIALS
    expect(authorize('v1', { authorization: 'Bearer undefined' }, { ...state, credentials: others })).toBe(false)
  })
})
