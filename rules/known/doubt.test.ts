import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { exchange, failing, type Given, judgeAll, late, newJudge, SETTLE_MS, said, seen, toldOf } from '../testing.ts'
import { LATE_MS } from './doubt.ts'
import { PERSISTENT } from './passing.ts'

const KEYS = '/v1/enterprise/keys'
const fails = (given: Given = {}): Exchange => exchange(`DELETE ${KEYS}/1`, { status: 500, ...given })
const works = (given: Given = {}): Exchange => exchange(`GET ${KEYS}`, { got: [], ...given })
const times = (count: number, make: () => Exchange): Exchange[] => Array.from({ length: count }, make)

/** Which of the server errors of a history count as an answer. */
function counting(history: readonly Exchange[]): boolean[] {
  const judge = newJudge()
  return history.flatMap((one) => {
    const { conclusive } = judge.judge(one).view
    return one.response.status === 500 ? [conclusive] : []
  })
}

describe('a server error', () => {
  const silent = (count: number): boolean[] => Array.from({ length: count }, () => false)
  const before = PERSISTENT - 1
  test.each<[string, Exchange[], boolean[]]>([
    ['says nothing once', [fails()], [false]],
    ['says something when it stays, while the target works', failing(fails), [...silent(before), true]],
    ['says nothing while nothing else works', times(9, fails), silent(9)],
    ['says nothing after something worked', [works(), ...times(9, fails)], silent(9)],
    [
      'says nothing beside another case that works',
      [...times(before, fails), works({ case: 'other' }), fails()],
      silent(5),
    ],
    [
      'says nothing where the request was carried out in between',
      [...times(before, fails), fails({ status: 200 }), ...times(before, fails)],
      silent(8),
    ],
    ['says nothing of another request', [...times(before, fails), works(), fails({ sent: { a: 1 } })], silent(5)],
    [
      'says nothing of a request with another long body',
      [...times(before, () => fails({ sent: `${'x'.repeat(999)}1` })), works(), fails({ sent: `${'x'.repeat(999)}2` })],
      silent(5),
    ],
    [
      'says something where a gateway answered in between',
      [fails(), works(), fails({ status: 503 }), ...times(before, fails)],
      [...silent(before), true],
    ],
  ])('%s', (_, history, expected) => {
    expect(counting(history)).toEqual(expected)
  })

  test.each([
    [1, 8, 8],
    [3, 10, 14],
    [1, 2, 24],
    [9, 10, 25],
    [1, 40, PERSISTENT],
  ])('says something later of a target of which %i in %i pass by themselves: after %i in a row', (bad, of, enough) => {
    const other = (index: number, status = 200): Exchange =>
      exchange(`DELETE ${KEYS}/other`, { status, sent: { index } })
    const well = of - bad
    const before = Array.from({ length: 200 }, (_, index) => [
      ...times(Math.floor(bad / well) + (index % well < bad % well ? 1 : 0), () => other(index, 500)),
      other(index),
    ]).flat()
    const judge = newJudge()
    for (const one of before) expect(judge.judge(one).view.conclusive || one.response.status === 500).toBe(true)
    const row = [fails(), works(), ...times(30, fails)].map((one) => judge.judge(one).view)
    expect(row.filter(({ status, conclusive }) => status === 500 && !conclusive)).toHaveLength(enough - 1)
  })

  test('is forgotten where more requests fail than are remembered', () => {
    const others = Array.from({ length: 1_100 }, (_, index) => fails({ sent: { index } }))
    expect(counting([...times(before, fails), works(), ...others, fails()]).at(-1)).toBe(false)
  })
})

test('a conflict says nothing before the run has sent the same again, and again', () => {
  const judge = newJudge()
  const conflict = fails({ status: 409 })
  const conclusive = (_attempt?: number): boolean =>
    judge.judge({ ...conflict, ...(_attempt === undefined ? {} : { _attempt }) }).view.conclusive
  expect([1, 2, 3, 4, 5, undefined].map(conclusive)).toEqual([false, false, false, false, true, true])
})

describe('a change that may come late', () => {
  const PIPELINE = '00000000-0000-4000-8000-000000000001'
  const NODE = `/v3/pipeline/${PIPELINE}/transform/00000000-0000-4000-8000-000000000002`
  const put = (title: string, more: Given = {}): Exchange =>
    exchange(`PUT ${NODE}`, { sent: { title }, got: {}, ...more })
  const read = (title: string, more: Given = {}): Exchange =>
    exchange(`GET ${NODE}`, { got: { data: { id: '2', title } }, ...more })
  const outcomes = (lost: Given, later: Given = {}): string[] =>
    said('TRANSFORM-UPDATE-REPLACES', [
      put('one', { start: 0 }),
      put('two', { start: 100, ...lost }),
      put('three', { start: 200 }),
      read('two', { start: 300, ...later }),
    ])

  test.each<[string, Given]>([
    ['as a gateway gave up', { status: 504 }],
    ['as nothing came back', { outcome: 'timeout' }],
    ['as the connection broke', { outcome: 'reset' }],
  ])('%s is not held against what was read after it', (_, lost) => {
    expect(outcomes(lost)).toEqual(['inconclusive'])
  })

  test.each<[string, Given]>([
    ['the target itself failed', { status: 500 }],
    ['the answer was cut', { outcome: 'truncated', status: 200 }],
    ['there was no connection', { outcome: 'refused' }],
  ])('does not where %s', (_, lost) => {
    expect(outcomes(lost)).toEqual(['broken'])
  })

  test('has come when enough time has passed, and may have undone what was changed meanwhile', () => {
    const outcomesAt = (changed: number, seen: number): string[] =>
      said('TRANSFORM-UPDATE-REPLACES', [
        put('one', { start: 0 }),
        put('two', { start: 100, status: 504 }),
        put('three', { start: changed }),
        read('two', { start: seen }),
      ])
    expect(outcomesAt(200, LATE_MS)).toEqual(['inconclusive'])
    expect(outcomesAt(200, 2 * LATE_MS)).toEqual(['inconclusive'])
    expect(outcomesAt(LATE_MS + 200, 2 * LATE_MS)).toEqual(['broken'])
  })

  test.each<[string, string, Given, string]>([
    ['the thing itself', `PUT ${NODE}`, {}, 'inconclusive'],
    ['the same thing elsewhere', `PUT ${NODE.replace(PIPELINE, 'elsewhere')}`, {}, 'inconclusive'],
    ['what holds it, where it may be gone', `DELETE ${NODE.split('/transform')[0]}`, {}, 'inconclusive'],
    ['what holds it, where that changes', `PUT ${NODE.split('/transform')[0]}`, {}, 'broken'],
    ['the state of what holds it', 'PATCH /v3/pipeline/state-variable', { sent: { pipeline_id: PIPELINE } }, 'broken'],
    ['what names it', 'PUT /v1/config/board/7', { sent: { of: NODE.split('/').at(-1) } }, 'inconclusive'],
    ['something that may be named by others', 'DELETE /v1/config/view/7', {}, 'inconclusive'],
    ['something of which nobody knows', 'POST /v9/unknown', {}, 'inconclusive'],
    ['another one beside it', `PUT ${NODE.replace(/2$/, '3')}`, { sent: { title: 'a' } }, 'broken'],
    ['a new one beside it', `POST ${NODE.slice(0, NODE.lastIndexOf('/'))}`, { sent: { title: 'a' } }, 'broken'],
    ['another thing that shares its words', 'PUT /v1/config/view/7', { sent: { name: 'two' } }, 'broken'],
    ['a new thing', 'POST /v3/pipeline', { sent: { title: 'a' } }, 'broken'],
    ['another case', `PUT ${NODE}`, { case: 'other' }, 'broken'],
  ])('excuses what it bears on: %s', (_, line, more, expected) => {
    const lost = exchange(line, { start: 100, outcome: 'timeout', ...more })
    const history = [put('one', { start: 0 }), lost, put('three', { start: 200 }), read('two', { start: 300 })]
    expect(said('TRANSFORM-UPDATE-REPLACES', history)).toEqual([expected])
  })

  const PARTS = `/v3/pipeline/${PIPELINE}`
  test.each<[string, string, string]>([
    ['a part of it', `PUT ${NODE}`, 'inconclusive'],
    ['a new part of it', `POST ${PARTS}/source`, 'inconclusive'],
    ['another one', 'PUT /v3/pipeline/7', 'broken'],
  ])('excuses what holds a thing: %s', (_, line, expected) => {
    const change = (title: string, start: number): Exchange =>
      exchange(`PUT ${PARTS}`, { sent: { title }, got: {}, start })
    const lost = exchange(line, { start: 100, outcome: 'timeout' })
    const got = { data: { id: PIPELINE, title: 'one' } }
    const history = [change('one', 0), lost, change('three', 200), exchange(`GET ${PARTS}`, { got, start: 300 })]
    expect(said('PIPELINE-UPDATE', history)).toEqual([expected])
  })

  test.each<[string, string, string]>([
    ['of the same kind', 'POST /v1/config/screen', 'inconclusive'],
    ['of another kind', 'POST /v1/config/view', 'broken'],
  ])('excuses a list of things %s', (_, line, expected) => {
    const list = (start: number): Exchange => exchange('GET /v1/config/screen', { got: [{ id: '7-screen' }], start })
    const lost = exchange(line, { start: 100, outcome: 'timeout' })
    const removed = exchange('DELETE /v1/config/screen/7-screen', { got: { deleted: true }, start: 200 })
    expect(said('SCREEN-DELETE-REMOVES', [list(0), lost, removed, list(300)])).toEqual([expected])
  })

  test('is what the judgement tells, and not the fault that was not counted', () => {
    const lost = put('two', { start: 100, outcome: 'timeout' })
    const told = judgeAll([put('one', { start: 0 }), lost, put('three', { start: 200 }), read('two', { start: 300 })])
    const unclear = told.filter(({ outcome }) => outcome === 'inconclusive')
    expect(unclear).toHaveLength(1)
    expect(unclear[0]?.message).toMatch(/^not judged: an earlier request of the case got no response/)
    expect(unclear[0]).not.toHaveProperty('expected')
  })

  test('is no excuse for what does not depend on what is stored', () => {
    const line = `PUT ${NODE}`
    const good = { user_config: {}, generation_id: 1, inputs: [], title: 'a', description: 'b', deploy_type: 'saas' }
    const sent = { ...good, title: 'x'.repeat(513) }
    const base = exchange(line, { sent: good, got: {}, intent: { kind: 'base', group: 'g' } })
    const lost = exchange(line, { sent: good, status: 504, intent: { kind: 'base', group: 'g' } })
    const bad = exchange(line, { sent, got: {}, intent: { kind: 'refuse', group: 'g', requirement: 'NODE-TITLE-MAX' } })
    expect(said('NODE-TITLE-MAX', [base, lost, bad])).toEqual(['broken'])
  })

  test('is under way in traffic, too', () => {
    const change = (title: string, at: readonly [number, number], given: Given = {}): Exchange =>
      seen(`PUT ${NODE}`, at, { sent: { title }, got: {}, ...given })
    const look = seen(`GET ${NODE}`, [300, 310], { got: { data: { id: '2', title: 'two' } } })
    const traffic = (lost: Given): Exchange[] => [
      change('one', [0, 10]),
      change('two', [100, 110], lost),
      change('three', [200, 210]),
      look,
    ]
    expect(toldOf('broken', traffic({ status: 500 }))).toEqual(['TRANSFORM-UPDATE-REPLACES'])
    expect(toldOf('broken', traffic({ status: 504 }))).toEqual([])
  })
})

test('an old state that is read soon after a change is not learnt', () => {
  const ROUTE = '/v3/pipeline/gateway-route/r'
  const read = (title: string, description: string): Exchange =>
    exchange(`GET ${ROUTE}`, { got: { data: { title, description } }, intent: { kind: 'read' } })
  const replaced = exchange(`PUT ${ROUTE}`, { sent: { title: 'b', description: 'd' }, got: {} })
  const patched = exchange(`PATCH ${ROUTE}`, { sent: { description: 'x' }, got: {} })
  const after = (settleMs: number): string[] =>
    said('ROUTE-PATCH-PARTIAL', [replaced, read('a', 'd'), patched, late(read('b', 'x'))], settleMs)
  expect([after(SETTLE_MS), after(0)]).toEqual([[], ['broken']])
})
