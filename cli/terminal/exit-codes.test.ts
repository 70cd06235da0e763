import { expect, test } from 'vitest'
import { aReplay } from '../../reports/testing.ts'
import { OUTCOME_EXIT, replayExit } from './exit-codes.ts'

test('each verdict has its exit code', () => {
  expect(OUTCOME_EXIT).toEqual({ conformant: 0, 'non-conformant': 1, partial: 4, invalid: 5 })
})

test.each([
  ['nothing differs', {}, 0],
  ['bad moments kept responses from being compared', { weather: 3 }, 4],
  ['something differs besides', { weather: 3, different: 1 }, 1],
  ['nothing was compared', { weather: 3, compared: 0 }, 5],
])('a replay ends with its code where %s', (_, given, code) => {
  const replay = aReplay()
  const counts = { ...replay.counts, different: 0, ...given }
  expect(replayExit({ ...replay, counts, rules: { ...replay.rules, findings: [] } }, true)).toBe(code)
})
