import { expect, test } from 'vitest'
import { aReplay } from '../../reports/testing.ts'
import { OUTCOME_EXIT, replayExit } from './exit-codes.ts'

test('each verdict has its exit code', () => {
  expect(OUTCOME_EXIT).toEqual({ conformant: 0, 'non-conformant': 1, partial: 4, invalid: 5 })
})

const unsent = (aside?: true) => [
  { reason: 'it cannot be written as HTTP', count: 5, example: '', ...(aside && { aside }) },
]

test.each([
  ['nothing differs', {}, [], 0],
  ['bad moments kept responses from being compared', { weather: 3 }, [], 4],
  ['something differs besides', { weather: 3, different: 1 }, unsent(), 1],
  ['nothing was compared', { weather: 3, compared: 0 }, unsent(), 5],
  ['something could not be sent', {}, unsent(), 4],
  ['what was not sent is none of this target', {}, unsent(true), 0],
])('a replay ends with its code where %s', (_, given, notSent, code) => {
  const replay = aReplay()
  const counts = { ...replay.counts, different: 0, ...given }
  expect(replayExit({ ...replay, counts, notSent, rules: { ...replay.rules, findings: [] } }, true)).toBe(code)
})
