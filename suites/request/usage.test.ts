import { describe, expect, test } from 'vitest'
import { referenceBinding } from '../../rules/testing.ts'
import type { Binding } from '../../schemas/binding.ts'
import { dayOf, presentDays, sameDays } from './usage.ts'

const ZONE = { value: 'UTC', from: 'own', place: '' }
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

describe('two periods of the same days', () => {
  const binding: Binding = { ...referenceBinding(), answers: new Map([['GAP-USAGE-DAY-ZONE', ZONE]]) }
  const context = { binding, today: Date.parse('2026-11-21T00:00:00Z'), seed: 1 }

  test('differ on one side of the lines between them', () => {
    for (const { period, other, between } of sameDays(context, 5)) {
      const [name] = (['from', 'to'] as const).filter((one) => period[one] !== other[one])
      const moments = [period, other].map((one) => one[name ?? 'from']).sort()
      expect(moments[0]).toBeLessThan(between)
      expect(moments[1]).toBeGreaterThan(between)
    }
  })

  test.each(['12:00:00', '12:02:59', '12:03:01', '12:14:59', '00:00:00'])(
    'lie in one quarter of an hour of the past where lines are of the present: at %s',
    (time) => {
      const now = at(`2026-11-21T${time}Z`)
      const [first, last] = presentDays(now, now + 86_400)
      const moments = [first?.period.from, first?.other.from, last?.period.to, last?.other.to].map(Number)
      expect(new Set(moments.map((moment) => Math.floor(moment / 900))).size).toBe(1)
      expect(Math.max(...moments)).toBeLessThan(now)
      expect(Math.min(...moments)).toBeGreaterThan(now - 1_200)
    },
  )

  test.each([
    ['12:02:59', []],
    [
      '12:05:00',
      [
        ['12:00:30', '12:14:00'],
        ['12:00:30', '12:14:00'],
      ],
    ],
    [
      '12:13:00',
      [
        ['12:00:30', '12:14:00'],
        ['12:00:30', '12:14:00'],
      ],
    ],
    ['12:13:01', []],
  ])('lie around now in its quarter of an hour, as far as there is room: at %s', (time, expected) => {
    const now = at(`2026-11-21T${time}Z`)
    const around = presentDays(now, now + 86_400).slice(2)
    const shown = (...moments: number[]): string[] =>
      moments.map((moment) => new Date(moment * 1000).toISOString().slice(11, 19))
    const [first, last] = around
    const pairs = [
      ...(first ? [shown(first.period.from, first.other.from)] : []),
      ...(last ? [shown(last.period.to, last.other.to)] : []),
    ]
    expect(pairs).toEqual(expected)
    expect(around.every(({ between }) => between === now)).toBe(true)
  })

  test('end at a moment to come only where such periods are taken', () => {
    const now = at('2026-11-21T12:05:00Z')
    expect(
      presentDays(now, now)
        .slice(2)
        .map(({ period }) => period.to),
    ).toEqual([at('2026-11-21T12:00:30Z')])
  })
})
