import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { type Dated, exportDated, sendDated } from '../../_testing/dated.ts'
import { NOW } from '../../_testing/lines.ts'
import { judgeAll, SETTLE_MS } from '../../testing.ts'

const MINUTE = 60_000
const first: Dated = { number: 1, time: NOW - 30 * MINUTE }
const again: Dated = { number: 1, time: NOW - 10 * MINUTE }
const sent = (lines: readonly Dated[]): Exchange =>
  sendDated(lines, { intent: { kind: 'base', probe: 'lines that say the same', group: 'g' } })
const shown = (lines: readonly Dated[]): Exchange =>
  exportDated(1, lines, [NOW - 60 * MINUTE, NOW + 5 * MINUTE], {
    intent: { kind: 'read', probe: 'lines that say the same', group: 'g' },
  })

function told(history: readonly Exchange[], settleMs = 0): string[] {
  return judgeAll(history, settleMs).flatMap(({ requirement, edge, outcome }) =>
    edge === 'lines that say the same' ? [`${requirement} ${outcome}`] : [],
  )
}

describe('lines that say the same at different times', () => {
  test('all come out, in whatever requests they were sent', () => {
    expect(told([sent([first, again]), shown([first, again])])).toEqual(['LINES-COME-OUT held'])
    expect(told([sent([first]), sent([again]), shown([first, again])])).toEqual(['LINES-COME-OUT held'])
  })
  test('of which one is missing were not all stored', () => {
    expect(told([sent([first, again]), shown([first])])).toEqual(['LINES-COME-OUT broken'])
    expect(told([sent([first]), sent([again]), shown([again])])).toEqual(['LINES-COME-OUT broken'])
  })
  test('may be missing for as long as the target takes to settle', () => {
    expect(told([sent([first, again]), shown([first])], SETTLE_MS)).toEqual(['LINES-COME-OUT inconclusive'])
  })
  test('may be one to a target that keeps them under other times, or shows none', () => {
    expect(told([sent([first, again]), shown([{ number: 1, time: NOW }])])).toEqual([])
    expect(told([sent([first, again]), shown([{ number: 1 }])])).toEqual([])
  })
  test('that all are missing are the matter of another rule', () => {
    expect(told([sent([first, again]), shown([])])).toEqual([])
  })
})

test('of lines that are the same in everything it is noted how many come out', () => {
  expect(told([sent([first, first]), shown([first])])).toEqual(['GAP-LINES-ALIKE observed'])
  expect(told([sent([first, first]), shown([first])], SETTLE_MS)).toEqual([])
  const [noted] = judgeAll([sent([first, first]), shown([first])]).filter(({ outcome }) => outcome === 'observed')
  expect(noted?.actual).toBe('lines that are the same in everything: 1 of 2 come out of export-v1')
})
