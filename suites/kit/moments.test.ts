import { describe, expect, test } from 'vitest'
import { createOracle } from '../../rules/oracle.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { CaseContext } from './case.ts'
import { createCounted, dayOf, sameDays } from './moments.ts'

const at = (text: string): number => Date.parse(text) / 1000
const shown = (zone: string, text: string): string[] => {
  const day = dayOf(zone, at(text))
  return day ? [day.from, day.to].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 16)) : []
}

test.each([
  ['UTC', '2026-11-17T12:00:00Z', ['2026-11-17T00:05', '2026-11-17T23:55']],
  ['Europe/Rome', '2026-11-17T12:00:00Z', ['2026-11-16T23:05', '2026-11-17T22:55']],
  ['America/Los_Angeles', '2026-11-17T12:00:00Z', ['2026-11-17T08:05', '2026-11-18T07:55']],
  ['Pacific/Kiritimati', '2026-11-17T12:00:00Z', ['2026-11-17T10:05', '2026-11-18T09:55']],
  ['Asia/Kathmandu', '2026-11-17T18:16:07Z', ['2026-11-17T18:20', '2026-11-18T18:10']],
])('a day of %s lies around a moment in it', (zone, moment, expected) => {
  expect(shown(zone, moment)).toEqual(expected)
})

test('a day on which clocks are changed is left out where its ends would lie on other days', () => {
  expect(shown('Europe/Rome', '2026-03-29T12:00:00Z')).toEqual([])
  expect(shown('Europe/Rome', '2026-03-30T12:00:00Z')).toHaveLength(2)
})

describe('days that were asked about', () => {
  const binding: Binding = { ...referenceBinding(), answers: new Map() }
  const { oracle, createJudge } = createOracle({ binding, basePath: '', settleMs: 0 })
  const context: Pick<CaseContext, 'oracle' | 'today' | 'seed' | 'binding'> = {
    oracle,
    binding,
    today: Date.parse('2026-11-21T00:00:00Z'),
    seed: 1,
  }
  const answered = (rows: unknown) => createJudge().judge(exchange('GET /v1/usage/apps?from=1&to=2', { got: rows }))
  const counted = () => createCounted(context, 'lines', sameDays(context, 0))

  test('are named where no report of them has a row, with the one that would do', () => {
    const { look, end } = counted()
    look(answered([]))
    look(answered([]))
    expect(end).toThrow(
      'the account has no lines from 2026-11-16 to 2026-11-18, the days asked about: lines of 2026-11-17, there before the run, would do',
    )
  })

  test('are not where one has a row, or where there was no report', () => {
    const { look, end } = counted()
    expect(end).not.toThrow()
    look(answered([]))
    look(answered([{ name: 'a', percentage_of_total: 1 }]))
    expect(end).not.toThrow()
  })
})
