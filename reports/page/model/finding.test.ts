import { describe, expect, test } from 'vitest'
import type { FindingExchange } from '../../../schemas/types/report.ts'
import { answerOf } from '../../shown-exchange.ts'
import { aFinding, anExchange, anUpdateFinding, aResult } from '../../testing.ts'
import { kindOf } from '../../traffic.ts'
import { decidingPlaces, harOf, knownAt, pathOf, roleOf, sidesOf, timelineOf } from './finding.ts'
import { treeOf } from './json-text.ts'
import { byLevel, worst } from './summary.ts'
import { duration, moment } from './words.ts'

const at = (id: string, ms: number, took: number, role = 'before'): FindingExchange =>
  anExchange({ id, role, startedAt: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(), ms: took })

test('the control is the one closest in time to the exchange that decides', () => {
  const exchanges = [at('far', 0, 1, 'control'), at('near', 90, 1, 'control'), at('3', 100, 1, 'deciding')]
  const { control, deciding } = sidesOf({ operation: 'update-view', exchanges })
  expect([control?.id, deciding?.id]).toEqual(['near', '3'])
  expect(sidesOf({ operation: 'update-view', exchanges: [] })).toEqual({
    control: undefined,
    deciding: undefined,
    change: undefined,
  })
  expect(sidesOf({ operation: 'update-view', exchanges: exchanges.slice(0, 1) }).deciding?.id).toBe('far')
})

test('each exchange has the name of what it was for', () => {
  const exchanges = ['setup', 'control', 'parallel', 'page', 'before', 'deciding'].map((role, index) =>
    at(role, 10 * index, 1, role),
  )
  const sides = sidesOf({ operation: 'update-view', exchanges })
  expect([...exchanges, at('after', 900, 1)].map((one) => roleOf(one, sides))).toEqual([
    'setup',
    'control',
    'parallel',
    'page',
    'earlier',
    'decides',
    'later',
  ])
})

test('a change is named where a later read decides', () => {
  const { exchanges } = anUpdateFinding()
  const sides = sidesOf({ operation: 'update-view', exchanges })
  expect(exchanges.map((one) => roleOf(one, sides))).toEqual(['setup', 'the change', 'decides'])
  expect(knownAt(timelineOf(exchanges).steps, 2, sides)[1]).toMatch(/^The change: PUT .* had got 200\.$/)
})

test('exchanges lie on one axis that begins with the first of them, each once', () => {
  const { steps, spanMs } = timelineOf([at('b', 600, 7), at('a', 100, 20), at('b', 600, 7)])
  expect(steps.map(({ exchange, offsetMs, ms }) => [exchange.id, offsetMs, ms])).toEqual([
    ['a', 0, 20],
    ['b', 500, 7],
  ])
  expect(spanMs).toBe(507)
})

test('without times, exchanges keep their order', () => {
  const { steps, spanMs } = timelineOf([at('b', 600, 7), anExchange({ id: 'a' })])
  expect(steps.map(({ exchange, offsetMs }) => [exchange.id, offsetMs])).toEqual([
    ['b', 0],
    ['a', undefined],
  ])
  expect(spanMs).toBe(7)
})

test('what overlaps in time was sent by several clients', () => {
  const { steps } = timelineOf([at('1', 0, 35), at('2', 0, 36), at('3', 10, 5), at('4', 40, 8)])
  expect(steps.map(({ client }) => client)).toEqual(['A', 'B', 'C', ''])
  expect(timelineOf([at('1', 0, 10.4), at('2', 10, 10)]).steps.map(({ client }) => client)).toEqual(['', ''])
})

test('the axis begins with the first exchange that is more than a preparation', () => {
  const { steps, spanMs } = timelineOf([at('1', 0, 10, 'setup'), at('2', 500, 20), at('3', 530, 10, 'deciding')])
  expect(steps.map(({ offsetMs }) => offsetMs)).toEqual([-500, 0, 30])
  expect(spanMs).toBe(40)
})

test('at each step, what the steps before it showed is known', () => {
  const exchanges = [at('1', 0, 10, 'setup'), at('2', 20, 50, 'parallel'), at('3', 30, 5, 'deciding')]
  const { steps } = timelineOf(exchanges)
  const known = [0, 1, 2].map((index) => knownAt(steps, index, sidesOf({ operation: 'update-view', exchanges })))
  const request = 'PUT /v3/pipeline/1/transform/2'
  expect(known).toEqual([
    [],
    [`To prepare it: ${request} had got 200.`],
    [`To prepare it: ${request} had got 200.`, `A: ${request} was under way.`],
  ])
})

test.each([
  ['http://a:1/v1/x?y=1', '/v1/x?y=1'],
  ['https://a', '/'],
  ['http://a?x', '?x'],
  ['no url', 'no url'],
])('the path of %s', (url, path) => {
  expect(pathOf(url)).toBe(path)
})

test('an answer is told by its status, or by how it was lost', () => {
  const answers = [200, 404, 429, 503].map((status) => ({ status, outcome: 'complete' }))
  expect([...answers, { status: 0, outcome: 'timeout' }].map((answer) => [answerOf(answer), kindOf(answer)])).toEqual([
    ['200', 'accepted'],
    ['404', 'refused'],
    ['429', 'limited'],
    ['503', 'failed'],
    ['timeout', 'lost'],
  ])
})

test('levels and categories are counted apart', () => {
  const results = [
    aResult({ category: 'b' }),
    aResult({ category: 'a', verdict: 'fail' }),
    aResult({ category: 'b', level: 'open', verdict: 'observed' }),
  ]
  expect([...byLevel(results).keys()]).toEqual(['stated', 'open'])
  expect(byLevel(results).get('stated')).toMatchObject({ pass: 1, fail: 1, observed: 0 })
  expect([worst(results), worst([])]).toEqual(['fail', undefined])
})

test('what mostly was not run has the colour of what was not run, and not of success', () => {
  const notRun = aResult({ verdict: 'not-run' })
  expect(worst([aResult(), notRun, notRun])).toBe('not-run')
  expect(worst([aResult(), aResult(), notRun])).toBe('pass')
  expect(worst([aResult(), { ...notRun, level: 'open' }, { ...notRun, level: 'open' }])).toBe('pass')
})

describe('the places of a body that decide', () => {
  const places = (body: string, given: Parameters<typeof aFinding>[0]): string[] => {
    const root = treeOf(body)
    return root ? decidingPlaces(root, aFinding({ expected: '', ...given })) : []
  }
  test('are those of the pointer, in whatever envelope', () => {
    expect(places('{"data":{"title":"x","other":1}}', { pointer: '/title', actual: '"y"' })).toEqual(['/data/title'])
  })
  test('of several are those whose value is told', () => {
    const body = '[{"name":"one"},{"name":"two"}]'
    expect(places(body, { pointer: '/name', actual: '"two", as it was sent before' })).toEqual(['/1/name'])
    expect(places(body, { pointer: '/name', actual: 'absent' })).toEqual(['/0/name', '/1/name'])
  })
  test('without a pointer are the values that are told, such as an id that should be gone', () => {
    const body = '[{"id":"11111111-aaaa"},{"id":"22222222-bbbb"}]'
    expect(places(body, { pointer: '', actual: 'status 200, board 22222222-bbbb is shown' })).toEqual(['/1/id'])
    expect(places('[1,2]', { pointer: '', actual: 'status 2' })).toEqual([])
  })
})

test('the exchanges of a finding are a HAR file that others read', () => {
  const exchanges = [
    anExchange({ role: 'before', requestBody: '{"a":1}' }),
    anExchange({ method: 'GET', responseBody: '[]' }),
  ]
  expect(harOf(aFinding({ exchanges }), { name: 'assay', version: '1' })).toMatchObject({
    log: {
      version: '1.2',
      entries: [
        { request: { method: 'PUT', postData: { text: '{"a":1}' } } },
        { request: { method: 'GET' }, response: { status: 200, content: { text: '[]' } } },
      ],
    },
  })
})

test('numbers and times are written in the unit that reads best', () => {
  expect([0.126, 9.99, 42.4, 1500, 61_000, 3_600_000].map(duration)).toEqual([
    '0.13 ms',
    '9.99 ms',
    '42 ms',
    '1.5 s',
    '1 min 1 s',
    '60 min 0 s',
  ])
  expect([moment('2026-01-01T10:20:30.456Z'), moment('soon')]).toEqual(['2026-01-01 10:20 UTC', 'soon'])
})
