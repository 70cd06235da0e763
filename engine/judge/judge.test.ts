import { describe, expect, test } from 'vitest'
import { openSegment } from '../../fixtures/segments/write.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { createOracle } from '../../rules/oracle.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange, Intent } from '../../schemas/types/exchange.ts'
import { roleOf, toResult } from './findings.ts'
import { createEvidenceJudge, evidenceIn, type Judged, judgeAll } from './judge.ts'

const folder = ownFolder()

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
  const source = evidenceIn(folder)
  return (await judgeAll(source, createEvidenceJudge(factory))).decide(source, input, expected)
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
    const screen = exchange('DELETE /v1/config/screen/1', { got: { deleted: true } })
    const other = { ...screen, _operation: 'delete-screen' }
    const { requests, operations, leftovers, verdicts } = await judged([good(), refused, lost, other], ['c'])
    expect(requests).toBe(4)
    expect(operations).toEqual([
      expect.objectContaining({
        operation: 'delete-member',
        requests: 3,
        accepted: 1,
        refused: 1,
        inconclusive: 1,
        maxMs: 10,
      }),
      expect.objectContaining({ operation: 'delete-screen', requests: 1, accepted: 1, refused: 0, inconclusive: 0 }),
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
  const { verdicts, ...shown } = await judged([{ ...long, request: { ...long.request, url: longer } }, short], ['c'])
  const verdict = verdicts.requirements.find(({ requirement }) => requirement.id === 'MEMBER-DELETE-STATUS')
  if (!verdict) throw new Error('no verdict')
  const { findings } = toResult(verdict, shown, () => 'again MEMBER-DELETE-STATUS')
  expect(findings.map(({ exchanges: shown }) => shown[0]?.id)).toEqual(['short', 'long'])
  expect(findings[0]).toMatchObject({
    expected: 'status 200',
    actual: 'status 202',
    reproduce: 'again MEMBER-DELETE-STATUS',
    exchanges: [{ role: 'deciding', status: 202 }],
  })
  expect(findings[0]?.curl).toMatch(/^curl .*-X DELETE/)
})

test('what prepared a finding is shown with it: what made the things that the request is about, in its case', async () => {
  const id = '11111111-2222-3333-4444-555555555555'
  const made = { ...exchange('POST /v1/config/screen', { id: '1', got: { id } }), _intent: { kind: 'setup' as const } }
  const other = { ...made, _id: '2', response: { ...made.response, content: { size: 2, mimeType: '', text: '{}' } } }
  const elsewhere = { ...made, _id: '3', _case: 'another' }
  const deciding = {
    ...exchange(`DELETE /v1/config/screen/${id}`, { id: '4', status: 202, got: { deleted: true } }),
    _operation: 'delete-screen',
    _case: made._case ?? 'c',
  }
  const history = [{ ...made, _case: deciding._case }, { ...other, _case: deciding._case }, elsewhere, deciding]
  const { verdicts, ...shown } = await judged(history, ['c'])
  const verdict = verdicts.requirements.find(({ requirement }) => requirement.id === 'SCREEN-DELETE-STATUS')
  if (!verdict) throw new Error('no verdict')
  const [finding] = toResult(verdict, shown, () => '').findings
  expect(finding?.exchanges.map(({ id: one, role, meant }) => [one, role, meant])).toEqual([
    ['1', 'setup', 'making what a case needs'],
    ['4', 'deciding', undefined],
  ])
})

test('a finding has the target’s own name of its field, where a binding tells it', async () => {
  const made = exchange('DELETE /v1/config/screen/1', { id: '1', status: 202, got: { deleted: true } })
  const { verdicts, ...shown } = await judged([{ ...made, _operation: 'delete-screen' }], ['c'])
  const verdict = verdicts.requirements.find(({ requirement }) => requirement.id === 'SCREEN-DELETE-STATUS')
  if (!verdict) throw new Error('no verdict')
  const broken = verdict.tally.broken.map((one) => ({ ...one, pointer: '/description' }))
  const hereOf = (fields: Record<string, string>): unknown => {
    const names = new Map([['delete-screen', { fields }]])
    return toResult({ ...verdict, tally: { ...verdict.tally, broken } }, shown, () => '', {}, names).findings[0]?.here
  }
  expect(hereOf({ description: '/shape/about' })).toBe('/shape/about')
  expect([hereOf({ description: 'description' }), hereOf({ title: 'heading' })]).toEqual([undefined, undefined])
})

describe('what an exchange was for', () => {
  const url = '/v3/pipeline/1/transform/2'
  const put = (body: object, intent: Intent, given: Given = {}): Exchange => ({
    ...exchange(`PUT ${url}`, { sent: body, ...given }),
    _operation: 'update-transform',
    _intent: intent,
  })
  const deciding = put({ title: 'bad' }, { kind: 'refuse', group: 'g' })
  const base: Intent = { kind: 'base', group: 'g' }

  test.each<[string, Exchange, string]>([
    ['the same request with the good value', put({ title: 'good' }, base), 'control'],
    ['one that was refused', put({ title: 'good' }, base, { status: 400 }), 'before'],
    ['one of another group', put({ title: 'good' }, { ...base, group: 'h' }), 'before'],
    ['the same request once more', put({ title: 'bad' }, base), 'before'],
    ['another operation', { ...put({ title: 'good' }, base), _operation: 'create-transform' }, 'before'],
    ['one that made what is needed', put({}, { kind: 'setup' }), 'setup'],
    ['one of several at the same time', put({}, { kind: 'observe', probe: 'parallel' }), 'parallel'],
    ['a read beside parallel requests', put({}, { kind: 'read', probe: 'parallel' }), 'before'],
  ])('%s', (_what, exchange, role) => {
    expect(roleOf(exchange, deciding)).toBe(role)
  })

  test('a good request is no control of what is read', () => {
    expect(roleOf(put({ title: 'good' }, base), { ...deciding, _intent: { kind: 'read', group: 'g' } })).toBe('before')
  })
})
