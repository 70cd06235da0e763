import { expect, test } from 'vitest'
import { exchange, type Given, newJudge } from '../testing.ts'
import { createAtWork } from './at-work.ts'

const LISTS = ['GET /v1/config/board', 'GET /v1/config/view', 'GET /v1/config/keys', 'GET /v1/config/members'] as const
const GOOD: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
const gone = (outcome: 'refused' | 'reset' | 'timeout'): Given => ({ outcome })
const refused = (state: 'configured' | 'other'): Given => ({
  status: 401,
  credentials: [{ scheme: 'access-token', state }],
})

/** What is found at the end, after so many requests to lists, one after the other, or to those that are named. */
function after(...answers: readonly (readonly [Given, number, ...lines: string[]])[]): string[] {
  const atWork = createAtWork()
  const judge = newJudge()
  for (const [given, times, ...lines] of answers) {
    const all = lines.length > 0 ? lines : LISTS
    for (let time = 0; time < times; time += 1) {
      const line = all[time % all.length] ?? ''
      atWork.add(judge.judge(exchange(line, { start: 0, end: 1_000, ...given })).view)
    }
  }
  return atWork.problems()
}

test('a target that is gone until the end is said to be', () => {
  expect(after([GOOD, 3], [gone('reset'), 1], [gone('refused'), 19])).toEqual([
    'the target stopped working at 1970-01-01T00:00:01.000Z, after 3 responses: 20 more requests got no response (refused)',
  ])
})

test.each<[string, Given, string]>([
  ['lets nobody in any more', refused('configured'), 'were refused, with right credentials (401)'],
  ['puts off everything', { status: 429 }, 'were put off (429)'],
  ['answers everything with a server error', { status: 500 }, 'were answered with 500'],
  ['finds nothing any more of what it had', { ...GOOD, status: 404 }, 'were refused (404)'],
  ['refuses what it took', { ...GOOD, status: 400 }, 'were refused (400)'],
])('so is one that %s', (_, given, words) => {
  expect(after([GOOD, 4], [given, 20])).toEqual([expect.stringContaining(`20 more requests ${words}`)])
  // A whole answer that says nothing of whether it works is no sign of life beside these.
  expect(after([GOOD, 4], [given, 20], [{ status: 404 }, 3, 'GET /v1/config/board/b1'])).toEqual(
    given.status === 429 ? [] : [expect.stringContaining(words)],
  )
})

test('one that comes back, misses a few, refuses wrong credentials or never answered at all is not', () => {
  expect(after([GOOD, 3], [gone('refused'), 500], [GOOD, 1])).toEqual([])
  expect(after([GOOD, 3], [{ status: 500 }, 500], [GOOD, 1])).toEqual([])
  expect(after([GOOD, 3], [gone('timeout'), 19])).toEqual([])
  expect(after([GOOD, 3], [refused('other'), 100])).toEqual([])
  expect(after([gone('refused'), 100])).toEqual([])
})

test('nor is one of which one operation breaks, or that says of things that they are gone', () => {
  expect(after([GOOD, 3], [{ status: 500 }, 100, 'GET /v1/config/view', 'POST /v1/config/view'])).toEqual([])
  expect(after([GOOD, 3], [{ status: 404 }, 100, ...LISTS.map((line) => `${line}/b1`)])).toEqual([])
  const bad: Given = { status: 500, intent: { kind: 'refuse', requirement: 'KEY-NAME-REFUSED' } }
  expect(after([GOOD, 3], [bad, 100])).toEqual([])
})

test('one that never took a right credential in a part of the interface is not', () => {
  const key: Given = { status: 401, credentials: [{ scheme: 'service-key', state: 'configured' }] }
  expect(after([GOOD, 3], [key, 100])).toEqual([])
})
