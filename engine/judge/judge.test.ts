import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSegment } from '../../fixtures/segments/write.ts'
import { createOracle } from '../../rules/oracle.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { toResult } from './findings.ts'
import { evidenceIn, type Judged, judgeEvidence } from './judge.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-judge-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const factory = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })
const MEMBER = 'DELETE /v1/config/members/a@example.com'
const record = (id: string): CaseRecord => ({
  case: id,
  requirements: [],
  state: 'done',
  requests: 1,
  durationMs: 1,
  leftovers: [`screen 1 (${id})`],
})

async function judged(exchanges: readonly Exchange[], cases: readonly string[], expected = cases): Promise<Judged> {
  const exchangeFile = openSegment(folder, 'exchanges', '1')
  for (const one of exchanges) exchangeFile.append(one)
  exchangeFile.close()
  const caseFile = openSegment(folder, 'cases', '1')
  for (const id of cases) caseFile.append(record(id))
  caseFile.close()
  const input = {
    claimed: new Set(['member-removal']),
    operations: new Set(['delete-member']),
    unanswered: new Set<string>(),
    answered: new Map<string, string>(),
    only: undefined,
    strict: false,
    problems: [],
  }
  return judgeEvidence(evidenceIn(folder), factory, input, expected)
}

const good = (): Exchange => ({
  ...exchange(MEMBER, { got: { message: 'm', deleted: true } }),
  _operation: 'delete-member',
})
const bad = (id: string, text: string): Exchange => ({
  ...exchange(MEMBER, { id, status: 202, got: { message: text, deleted: true } }),
  _operation: 'delete-member',
})

describe('evidence', () => {
  test('tells how often the target failed, and what was sent again', async () => {
    const failed = (status: number): Exchange => ({ ...exchange(MEMBER, { status }), _operation: 'delete-member' })
    const again = { ...good(), _attempt: 3 }
    const lost = { ...exchange(MEMBER, { outcome: 'truncated', status: 500 }), _operation: 'delete-member' }
    const { failures } = await judged([failed(500), { ...failed(503), _attempt: 2 }, again, lost, failed(404)], ['a'])
    expect(failures).toEqual({ serverErrors: 2, unanswered: 1, repeated: 2 })
  })

  test('is counted by operation', async () => {
    const refused = { ...exchange(MEMBER, { status: 404 }), _operation: 'delete-member' }
    const lost = { ...exchange(MEMBER, { outcome: 'timeout' }), _operation: 'delete-member' }
    const { requests, operations, leftovers, verdicts } = await judged([good(), refused, lost], ['c'])
    expect(requests).toBe(3)
    expect(operations).toEqual([
      expect.objectContaining({
        operation: 'delete-member',
        requests: 3,
        accepted: 1,
        refused: 1,
        inconclusive: 1,
        maxMs: 10,
      }),
    ])
    expect(leftovers).toEqual(['screen 1 (c)'])
    expect(verdicts.overall).toBe('partial')
  })
  test('without a case that was to run makes the run invalid', async () => {
    const { verdicts } = await judged([good()], ['c'], ['c', 'd', 'e'])
    expect(verdicts).toMatchObject({ overall: 'invalid', reason: '2 cases did not come to an end, such as d' })
  })
  test('without any success makes the run invalid', async () => {
    const { verdicts } = await judged([exchange(MEMBER, { status: 500 })], ['c'])
    expect(verdicts.overall).toBe('invalid')
  })
  test('of a finding is kept, and no other', async () => {
    const { verdicts, exchanges } = await judged([good(), bad('bad', 'm')], ['c'])
    expect([...exchanges.keys()]).toEqual(['bad'])
    expect(verdicts).toMatchObject({ overall: 'non-conformant', reason: 'MEMBER-DELETE-STATUS failed' })
  })
})

test('findings show the smallest request first, with the words that bring it about again', async () => {
  const long = { ...bad('long', 'm'), _case: 'one' }
  const longer = `${long.request.url}?${'x'.repeat(90)}`
  const short = { ...bad('short', 'm'), _case: 'two' }
  const { verdicts, exchanges } = await judged([{ ...long, request: { ...long.request, url: longer } }, short], ['c'])
  const verdict = verdicts.requirements.find(({ requirement }) => requirement.id === 'MEMBER-DELETE-STATUS')
  if (!verdict) throw new Error('no verdict')
  const { findings } = toResult(verdict, exchanges, 'again MEMBER-DELETE-STATUS')
  expect(findings.map(({ exchanges: shown }) => shown[0]?.id)).toEqual(['short', 'long'])
  expect(findings[0]).toMatchObject({
    expected: 'status 200',
    actual: 'status 202',
    reproduce: 'again MEMBER-DELETE-STATUS',
    exchanges: [{ role: 'deciding', status: 202 }],
  })
  expect(findings[0]?.curl).toMatch(/^curl .*-X DELETE/)
})
