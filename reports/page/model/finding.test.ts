import { expect, test } from 'vitest'
import { aFinding, anExchange, aResult } from '../../testing.ts'
import { answerKind, answerOf, pathOf, timelineOf, twinsOf } from './finding.ts'
import { byCategory, byLevel, worst } from './summary.ts'
import { duration, moment } from './words.ts'

test('the twin is the last good request before the deciding one', () => {
  const exchanges = [
    anExchange({ id: '1', role: 'before' }),
    anExchange({ id: '2', role: 'twin' }),
    anExchange({ id: '3', role: 'deciding' }),
  ]
  const { twin, deciding } = twinsOf(aFinding({ exchanges }))
  expect([twin?.id, deciding?.id]).toEqual(['2', '3'])
  expect(twinsOf(aFinding({ exchanges: [] }))).toEqual({ twin: undefined, deciding: undefined })
  expect(twinsOf(aFinding({ exchanges: exchanges.slice(0, 1) })).deciding?.id).toBe('1')
})

test('exchanges lie on one axis that begins with the first of them', () => {
  const { steps, spanMs } = timelineOf([
    anExchange({ startedAt: '2026-01-01T00:00:00.100Z', ms: 20 }),
    anExchange({ startedAt: '2026-01-01T00:00:00.600Z', ms: 7 }),
    anExchange(),
  ])
  expect(steps.map(({ offsetMs, ms }) => [offsetMs, ms])).toEqual([
    [0, 20],
    [500, 7],
    [undefined, undefined],
  ])
  expect(spanMs).toBe(507)
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
  expect(
    [...answers, { status: 0, outcome: 'timeout' }].map((answer) => [answerOf(answer), answerKind(answer)]),
  ).toEqual([
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
  expect(byCategory(results).map(({ category, levels }) => [category, [...levels.keys()]])).toEqual([
    ['b', ['stated', 'open']],
    ['a', ['stated']],
  ])
  expect([worst(results), worst([])]).toEqual(['fail', undefined])
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
