import { describe } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays, inWords } from '../../_testing/says.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const PATH = '/v1/config/archiving'
const bucket = { integration: 's3', bucket: 'a' }
const account = { integration: 'azblob', accountname: 'b', accountkey: 'k' }
const create = (given: Given = {}): Exchange => exchange(`POST ${PATH}`, { sent: bucket, start: 1_000, ...given })
const update = (given: Given = {}): Exchange => exchange(`PUT ${PATH}`, { sent: account, start: 3_000, ...given })
const remove = (given: Given = {}): Exchange => exchange(`DELETE ${PATH}`, { start: 5_000, ...given })
const get = (got: unknown, given: Given = {}): Exchange => exchange(`GET ${PATH}`, { got, start: 2_000, ...given })
const none = (start: number): Exchange => get(undefined, { status: 404, start })

const WORDS = new Map([
  ['ARCHIVING-CONFIGURE', 'configured'],
  ['ARCHIVING-READ', 'read'],
  ['ARCHIVING-DELETE', 'deleted'],
])

/** What is held of the three requirements, what is not, and what is not sure. */
function about(history: readonly Exchange[], settleMs = 0): string {
  return judgeAll(history, settleMs)
    .filter(({ requirement }) => requirement.startsWith('ARCHIVING-'))
    .map(({ requirement, outcome }) => inWords(WORDS.get(requirement), outcome))
    .join(', ')
}

describe('an archiving configuration', () => {
  eachSays({ told: (history, settleMs) => [about(history, settleMs)], settles: true }, [
    ['is read as it was written', [create(), get(bucket)], 'configured, read'],
    ['is read with further fields', [create(), get({ ...bucket, id: 7 })], 'configured, read'],
    [
      'is read without its secrets',
      [update(), get({ integration: 'azblob', accountname: 'b' }, { start: 4_000 })],
      'configured, read',
    ],
    [
      'is read with secrets hidden',
      [update(), get({ ...account, accountkey: '***' }, { start: 4_000 })],
      'configured, read',
    ],
    ['is read with another bucket', [create(), get({ ...bucket, bucket: 'other' })], 'configured, not read'],
    [
      'is read as the one before',
      [create(), get(bucket), update(), get(bucket, { start: 4_000 })],
      'configured, read, not configured',
    ],
    ['is gone after its update', [create(), get(bucket), update(), none(4_000)], 'configured, read, not configured'],
    [
      'is empty after its update',
      [create(), get(bucket), update(), get({}, { start: 4_000 })],
      'configured, read, not configured',
    ],
    ['is never read at all', [create(), none(2_000)], 'perhaps configured'],
    ['is read under other names', [create(), get({ kind: 's3' })], 'perhaps configured'],
    ['was refused', [create({ status: 409 }), get({ integration: 'gcs' })], ''],
    ['has no answer', [create({ outcome: 'timeout' }), get({ integration: 'gcs' })], ''],
    ['is read too early', [create({ end: 2_500 }), get({ integration: 'gcs' })], ''],
    ['is gone after its deletion', [create(), get(bucket), remove(), none(6_000)], 'configured, read, deleted'],
    [
      'is refused as not configured after its deletion',
      [create(), get(bucket), remove(), get({ code: 'NotConfigured' }, { status: 400, start: 6_000 })],
      'configured, read, deleted',
    ],
    [
      'is refused for another reason after its deletion',
      [create(), get(bucket), remove(), get({ code: 'BadRequest' }, { status: 400, start: 6_000 })],
      'configured, read',
    ],
    [
      'is empty after its deletion',
      [create(), get(bucket), remove(), get({}, { start: 6_000 })],
      'configured, read, deleted',
    ],
    [
      'is read after its deletion',
      [create(), get(bucket), remove(), get(bucket, { start: 6_000 })],
      'configured, read, not deleted',
    ],
    ['of nobody here is read after a deletion', [remove(), get(bucket, { start: 6_000 })], ''],
    [
      'was not deleted',
      [create(), get(bucket), remove({ status: 403 }), get(bucket, { start: 6_000 })],
      'configured, read, configured, read',
    ],
  ])
})
