import { expect, test } from 'vitest'
import { exchange, type Given } from '../testing.ts'
import { createSilence } from './silence.ts'

const GOOD: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
const gone = (outcome: 'refused' | 'reset' | 'timeout'): Given => ({ outcome })
const refused = (state: 'configured' | 'other'): Given => ({
  status: 401,
  credentials: [{ scheme: 'access-token', state }],
})

function after(...answers: readonly (readonly [Given, number])[]): string[] {
  const silence = createSilence()
  for (const [given, times] of answers) {
    for (let time = 0; time < times; time += 1) silence.add(exchange('GET /x', { start: 0, end: 1_000, ...given }))
  }
  return silence.problems()
}

test('a target that is gone until the end is said to be', () => {
  expect(after([GOOD, 3], [gone('reset'), 1], [gone('refused'), 19])).toEqual([
    'the target stopped working at 1970-01-01T00:00:01.000Z, after 3 responses: 20 more requests got no response (refused)',
  ])
})

test('so is one that lets nobody in any more, or puts off everything', () => {
  expect(after([GOOD, 3], [refused('configured'), 20])).toEqual([
    expect.stringContaining('with right credentials (401)'),
  ])
  expect(after([GOOD, 3], [{ status: 429 }, 20])).toEqual([expect.stringContaining('were put off (429)')])
})

test('one that comes back, misses a few, refuses wrong credentials or never answered at all is not', () => {
  expect(after([GOOD, 3], [gone('refused'), 500], [GOOD, 1])).toEqual([])
  expect(after([GOOD, 3], [gone('timeout'), 19])).toEqual([])
  expect(after([GOOD, 3], [refused('other'), 100])).toEqual([])
  expect(after([gone('refused'), 100])).toEqual([])
})

test('one that never took a right credential in a part of the interface is not', () => {
  const key: Given = { status: 401, credentials: [{ scheme: 'service-key', state: 'configured' }] }
  expect(after([GOOD, 3], [key, 100])).toEqual([])
})
