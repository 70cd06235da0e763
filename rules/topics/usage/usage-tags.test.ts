import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, judgeAll } from '../../testing.ts'

const NOON = 1_700_000_000
const DAY = 86_400
const MARK = 'assay-a-b-1'
const TAGS = ['assay-a-b-2', 'assay-a-b-3']

const digest = (tags: readonly string[]): NonNullable<NonNullable<Exchange['_digest']>['sent']> => ({
  count: 1,
  unreadable: 0,
  marks: [MARK],
  senders: [{ host: MARK, app: 'app', level: 'info', tags: [...tags] }],
  lines: [`0.1 hash ${NOON * 1_000} 0`],
})
const sent = (tags: readonly string[]): Exchange => ({
  ...exchange('POST /logs/ingest', { sent: { lines: [] }, got: {}, intent: { kind: 'base' } }),
  _digest: { sent: digest(tags) },
})
const exported = (tags: readonly string[]): Exchange => ({
  ...exchange(`GET /v2/export?from=${NOON}&to=${NOON + 1}`, {
    got: { lines: [], pagination_id: null },
    intent: { kind: 'read' },
  }),
  _digest: { received: digest(tags) },
})
const report = (...names: readonly string[]): Exchange =>
  exchange(`GET /v1/usage/tags?from=${NOON - 3 * DAY}&to=${NOON + 3 * DAY}&limit=100`, {
    got: names.map((name) => ({ name, current_total: 1, percentage_of_total: 50 })),
    intent: { kind: 'read', final: true },
  })
const outcomes = (...history: readonly Exchange[]): string =>
  judgeAll(history)
    .filter(({ requirement }) => requirement === 'USAGE-TAGS-AGGREGATES')
    .map(({ outcome }) => outcome)
    .join(' ')

describe('a line with two tags', () => {
  test('is counted under both', () => {
    expect(outcomes(sent(TAGS), exported(TAGS), report(...TAGS))).toBe('held held')
    expect(outcomes(sent(TAGS), exported(TAGS), report(TAGS[0] ?? ''))).toBe('held broken')
  })
  test('may have been kept with one of them', () => {
    expect(outcomes(sent(TAGS), exported(TAGS.slice(0, 1)), report(TAGS[0] ?? ''))).toBe('held')
    expect(outcomes(sent(TAGS), report(TAGS[0] ?? ''))).toBe('held')
  })
  test('may be counted under both at once', () => {
    expect(outcomes(sent(TAGS), exported(TAGS), report(TAGS.join()))).toBe('')
  })
  test('says nothing of lines with one, which are counted under it', () => {
    expect(outcomes(sent(TAGS.slice(1)), report(TAGS[0] ?? ''))).toBe('broken')
  })
})
