import { describe, expect, test } from 'vitest'
import type { Binding } from '../../schemas/binding.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { CredentialChoice } from '../case.ts'
import { credentialHeaders, defaultChoices, secretsOf } from './credentials.ts'

const ALL: Credentials = {
  accessToken: 'token1',
  serviceKey: 'service1',
  enterpriseServiceKey: 'enterprise1',
  ingestionKey: 'ingestion1',
  iam: { token: 'iam1', cloudResourceName: 'crn:1' },
}
const sent = (choice: CredentialChoice, credentials = ALL, answers: Binding['answers'] = new Map()): string[] => {
  const { headers, labels } = credentialHeaders([choice], credentials, answers)
  return [...headers.map(({ name, value }) => `${name}: ${value}`), ...labels.map(({ state }) => state)]
}

describe('credentials that are sent', () => {
  test.each<[CredentialChoice['scheme'], string[]]>([
    ['access-token', ['Authorization: Token token1', 'configured']],
    ['service-key', ['servicekey: service1', 'configured']],
    ['enterprise-key', ['enterprise-servicekey: enterprise1', 'configured']],
    ['ingestion-key', ['apikey: ingestion1', 'configured']],
    ['iam', ['Authorization: Bearer iam1', 'cloud-resource-name: crn:1', 'configured']],
  ])('%s has a header of its own', (scheme, expected) => {
    expect(sent({ scheme, variant: 'right' })).toEqual(expected)
  })
  test.each<[CredentialChoice['variant'], string, string]>([
    ['unknown', 'assay-nobody-0000000000000000', 'other'],
    ['changed', 'service0', 'other'],
    ['shortened', 'service', 'other'],
    ['lengthened', 'service111', 'other'],
    ['empty', '', 'malformed'],
  ])('%s ones differ from the right ones', (variant, value, state) => {
    expect(sent({ scheme: 'service-key', variant })).toEqual([`servicekey: ${value}`, state])
  })
  test('a changed one differs also where it ends in 0', () => {
    expect(sent({ scheme: 'service-key', variant: 'changed' }, { serviceKey: '1230' })[0]).toBe('servicekey: 1231')
  })
  test.each(['changed', 'shortened', 'lengthened'] as const)(
    '%s ones are other bytes where a token is base64, whose last characters may count for nothing',
    (variant) => {
      for (const serviceKey of ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlw', 'c2VjcmV0cw==', 'c2VjcmV0czE=']) {
        const [header = ''] = sent({ scheme: 'service-key', variant }, { serviceKey })
        const value = header.replace('servicekey: ', '')
        const bytes = (token: string): string => Buffer.from(token.split('.').at(-1) ?? '', 'base64').toString('hex')
        expect(value).not.toBe(serviceKey)
        expect(bytes(value)).not.toBe(bytes(serviceKey))
      }
    },
  )
  test('one that nobody configured is made up, and labelled so', () => {
    expect(sent({ scheme: 'service-key', variant: 'right' }, {})).toEqual([
      'servicekey: assay-nobody-0000000000000000',
      'other',
    ])
  })
  test('the binding says how ingestion keys and the IAM-based scheme are written', () => {
    const answers = new Map([
      ['GAP-INGESTION-AUTH', { value: { headers: { 'x-key': 'Key {{ingestionKey}}' } }, from: 'own', place: '' }],
      [
        'GAP-IAM-HEADER',
        { value: { headers: { 'x-iam': '{{iamToken}}', 'x-crn': '{{cloudResourceName}}' } }, from: 'own', place: '' },
      ],
    ])
    expect(sent({ scheme: 'ingestion-key', variant: 'right' }, ALL, answers)).toEqual([
      'x-key: Key ingestion1',
      'configured',
    ])
    expect(sent({ scheme: 'ingestion-key', variant: 'empty' }, ALL, answers)).toEqual(['x-key: Key ', 'malformed'])
    expect(sent({ scheme: 'iam', variant: 'right' }, ALL, answers)).toEqual([
      'x-iam: iam1',
      'x-crn: crn:1',
      'configured',
    ])
    const { cloudResourceName: _none, ...iam } = { ...ALL.iam, token: 'iam1' }
    expect(sent({ scheme: 'iam', variant: 'right' }, { iam }, answers)).toEqual(['x-iam: iam1', 'configured'])
  })
  test('none are none', () => {
    expect(credentialHeaders([], ALL, new Map())).toEqual({ headers: [], labels: [] })
  })
})

describe('credentials of an operation', () => {
  const schemes = (family: string, credentials: Credentials, enterprise: 'alone' | 'both' = 'alone'): string[] =>
    defaultChoices(family, credentials, enterprise).map(({ scheme }) => scheme)
  test('are the access token where there is one', () => {
    expect(schemes('v1', ALL)).toEqual(['access-token'])
    expect(schemes('v3', ALL)).toEqual(['access-token'])
  })
  test('may be a service key, but not for v3', () => {
    expect(schemes('v1', { serviceKey: 'x' })).toEqual(['service-key'])
    expect(schemes('v3', { serviceKey: 'x' })).toEqual([])
  })
  test('of the enterprise are its key, with another beside it where the target wants that', () => {
    expect(schemes('enterprise', ALL)).toEqual(['enterprise-key'])
    expect(schemes('enterprise', ALL, 'both')).toEqual(['enterprise-key', 'access-token'])
  })
})

test('every configured secret is known', () => {
  expect([...secretsOf(ALL).keys()].sort()).toEqual(['enterprise1', 'iam1', 'ingestion1', 'service1', 'token1'])
  expect(secretsOf({}).size).toBe(0)
})
