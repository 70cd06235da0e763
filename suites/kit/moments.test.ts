import { expect, test } from 'vitest'
import { dayOf } from './moments.ts'

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
