import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, said } from '../../testing.ts'

const group = 'g'
const base = (given: Given = {}): Exchange =>
  exchange('POST /v1/config/keys?type=ingestion', {
    sent: { name: 'a' },
    got: { id: 'k', type: 'ingestion' },
    intent: { kind: 'base', group },
    ...given,
  })

describe('an enterprise key with too long a name', () => {
  const LINE = 'POST /v1/enterprise/keys?type=ingestion'
  const base = (given: Given = {}): Exchange =>
    exchange(LINE, { sent: { name: 'a' }, got: { id: 'k' }, intent: { kind: 'base', group }, ...given })
  const probe = (length: number, given: Given = {}, line = LINE): Exchange =>
    exchange(line, {
      sent: { name: 'a'.repeat(length) },
      got: { id: 'k' },
      intent: { kind: 'provoke', probe: probes.longKeyName, group },
      ...given,
    })
  const histories: [string, Exchange[], string[]][] = [
    ['is refused', [base(), probe(31, { status: 400 })], ['held']],
    ['is made', [base(), probe(31)], ['broken']],
    ['is made before its twin', [probe(31), base()], ['broken']],
    ['is made without a twin', [probe(31)], ['inconclusive']],
    ['is refused without a twin', [probe(31, { status: 400 })], ['inconclusive']],
    [
      'is refused with a twin that is refused too',
      [base({ status: 400 }), probe(31, { status: 400 })],
      ['inconclusive'],
    ],
    ['is not allowed by a 404 alone', [base(), probe(31, { status: 404 })], ['inconclusive']],
    ['is refused by a 404 between two twins', [base(), probe(31, { status: 404 }), base()], ['held']],
    ['breaks the server', [base(), probe(31, { status: 500 })], ['inconclusive']],
    ['finds nobody let in', [base(), probe(31, { status: 401 })], ['inconclusive']],
    ['is asked to wait', [base(), probe(31, { status: 429 })], ['inconclusive']],
    ['has 30 characters', [base(), probe(30)], []],
    [
      'belongs to a key of the organisation',
      [base(), probe(31, {}, 'POST /v1/config/keys?type=ingestion'), base()],
      [],
    ],
    ['has 30 characters beyond the BMP', [base(), probe(0, { sent: { name: '😀'.repeat(30) } })], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said('KEY-NAME-REFUSED', history)).toEqual(expected)
  })
})

describe('a service key', () => {
  const probe = (got: unknown, given: Given = {}): Exchange =>
    exchange('POST /v1/config/keys?type=service', {
      sent: { name: 'a' },
      got,
      intent: { kind: 'provoke', probe: probes.serviceKey, group },
      ...given,
    })
  const histories: [string, Exchange[], string[]][] = [
    ['is refused', [base(), probe({}, { status: 400 })], ['held']],
    ['is forbidden', [base(), probe({}, { status: 403 })], ['held']],
    ['is made', [base(), probe({ type: 'service' })], ['broken']],
    ['becomes one for ingestion', [base(), probe({ type: 'ingestion' })], ['held']],
    ['may have been made', [base(), probe({ id: 'k' })], ['inconclusive']],
    [
      'is not what was asked for',
      [base(), { ...base(), _intent: { kind: 'provoke', probe: probes.serviceKey, group } }],
      [],
    ],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said('AUTH-SERVICE-KEY-CLOSED', history)).toEqual(expected)
  })
})
