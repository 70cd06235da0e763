import type { DayUsage, Line, Tally } from './logs.ts'

export const DAY = 86_400_000

export type UsageKind = 'apps' | 'hosts' | 'tags'

/** Counts a stored line on its day (UTC). */
export function countLine(days: Map<number, DayUsage>, line: Line): void {
  const number = Math.floor(line.ts / DAY)
  let day = days.get(number)
  if (!day) {
    day = { total: { lines: 0, bytes: 0 }, apps: new Map(), hosts: new Map(), tags: new Map() }
    days.set(number, day)
  }
  add(day.total, line.bytes)
  if (line.app !== '') addTo(day.apps, line.app, line.bytes)
  addTo(day.hosts, line.host, line.bytes)
  for (const tag of new Set(line.tags)) addTo(day.tags, tag, line.bytes)
}

/** What was stored from the day of `from` to the day of `to`, both included; milliseconds since the epoch. */
export function totalUsage(days: ReadonlyMap<number, DayUsage>, from: number, to: number): Tally {
  const sum: Tally = { lines: 0, bytes: 0 }
  for (const day of daysBetween(days, from, to)) merge(sum, day.total)
  return sum
}

/** The same by name, the largest first: by lines for v1, by bytes for v2. */
export function usageBy(
  days: ReadonlyMap<number, DayUsage>,
  kind: UsageKind,
  from: number,
  to: number,
  order: keyof Tally,
): [string, Tally][] {
  const sums = new Map<string, Tally>()
  for (const day of daysBetween(days, from, to)) {
    for (const [name, tally] of day[kind]) {
      const sum = sums.get(name) ?? { lines: 0, bytes: 0 }
      merge(sum, tally)
      sums.set(name, sum)
    }
  }
  return [...sums].sort(([a, x], [b, y]) => y[order] - x[order] || (a < b ? -1 : 1))
}

function daysBetween(days: ReadonlyMap<number, DayUsage>, from: number, to: number): DayUsage[] {
  const first = Math.floor(from / DAY)
  const last = Math.floor(to / DAY)
  return [...days].filter(([number]) => number >= first && number <= last).map(([, day]) => day)
}

function addTo(tallies: Map<string, Tally>, name: string, bytes: number): void {
  const tally = tallies.get(name) ?? { lines: 0, bytes: 0 }
  add(tally, bytes)
  tallies.set(name, tally)
}

function add(tally: Tally, bytes: number): void {
  tally.lines += 1
  tally.bytes += bytes
}

function merge(sum: Tally, tally: Tally): void {
  sum.lines += tally.lines
  sum.bytes += tally.bytes
}
