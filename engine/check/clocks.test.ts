import { describe, expect, test } from 'vitest'
import type { Recording } from '../../fixtures/recording/read.ts'
import { clocksApart } from './clocks.ts'

const recordings = (...clocks: readonly (string | undefined)[]): Recording[] =>
  clocks.map(
    (clock) => ({ about: { tool: 't', startedAt: '', ...(clock === undefined ? {} : { clock }) } }) as Recording,
  )

describe('clocks behind recordings', () => {
  test.each<[string, readonly (string | undefined)[], number]>([
    ['one that does not say which', [undefined], 0],
    ['several of one clock', ['a', 'a', 'a'], 0],
    ['two clocks', ['a', 'b'], 1_000],
    ['several that do not say which', [undefined, undefined], 1_000],
    ['one of several that does not say which', ['a', undefined], 1_000],
  ])('%s', (_, clocks, apart) => {
    expect(clocksApart(recordings(...clocks), undefined)).toBe(apart)
    expect(clocksApart(recordings(...clocks), '50')).toBe(clocks.length > 1 ? 50 : 0)
  })
  test.each(['-1', '1s', '', '99999999'])('are never %j apart', (asked) => {
    expect(() => clocksApart(recordings('a', 'b'), asked)).toThrow('--clock-skew')
  })
})
