import { service } from '../../../schemas/service.ts'
import { invalid } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { createLineStore, type Line, storeLine } from '../../model/lines.ts'
import { asked, hoursAgo, type Rows, replied, rows, success, withQuery } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

type Named = Readonly<Record<string, string>>

function percentages(change: (value: number) => number): (all: Rows) => Rows {
  return (all) => all.map((row) => ({ ...row, percentage_of_total: change(Number(row.percentage_of_total)) }))
}

/** Reports on other lines than it should. */
function withLines(operation: string, change: (all: readonly Line[], call: Call) => readonly Line[]): Changes {
  return asked(operation, (call) => {
    const lines = createLineStore()
    for (const line of change(call.state.lines.all, call)) storeLine(lines, line)
    return { ...call, state: { ...call.state, lines } }
  })
}

/** Reports on another period than it was asked for. */
function withPeriod(operation: string, query: (call: Call) => Named): Changes {
  return asked(operation, (call) => withQuery(call, query(call)))
}

function secondsOf({ query }: Call, name: string): number {
  return Number(query.get(name))
}

const PERIODS: Readonly<Record<string, readonly [about: string, query: (call: Call) => Named]>> = {
  'no-end': ['does not end with the period', (call) => ({ to: hoursAgo(call, 0) })],
  'no-start': ['does not begin with the period', (call) => ({ from: '0', to: hoursAgo(call, 0) })],
  'from-ignored': ['begins with the first line of all', () => ({ from: '0' })],
}

/** Takes dates only, where UNIX times are stated. */
function datesOnly(operation: string): Changes {
  return withPeriod(operation, ({ query }) => {
    const times = ['from', 'to'].map((name) => {
      const text = query.get(name) ?? ''
      if (!text.includes('-')) throw invalid('query', 'must hold dates')
      return [name, String(Math.floor(Date.parse(text) / 1000))]
    })
    return Object.fromEntries(times)
  })
}

const isLate = (call: Call, name: string): boolean => secondsOf(call, name) % 86_400 > 43_500

/** What each report by name may do wrong. Which requirement says so stands in its row of the table. */
export const reportFaults: readonly Fault[] = service().operations.flatMap(({ id, report }): Fault[] => {
  if (report === undefined) return []
  const { by, version, named, period, times } = report
  const family = version === 2 ? 'USAGE-V2' : by === 'tag' ? 'USAGE-TAGS' : 'USAGE-V1'
  const names = (all: Rows): Rows => all.map((row, index) => ({ ...row, name: `row ${index}` }))
  const day = `${family}-DAY`
  return [
    fault(`${id}-names`, named, `the rows of ${id} have other names`, rows(id, names)),
    fault(
      `${id}-seconds`,
      day,
      `${id} looks at the seconds of from and to, not at their days`,
      withLines(id, (all, call) => {
        const [from, to] = [1000 * secondsOf(call, 'from'), 1000 * secondsOf(call, 'to')]
        return all.filter(({ ts }) => ts >= from && ts <= to)
      }),
    ),
    fault(
      `${id}-by-the-hour`,
      day,
      `${id} takes the second half of a day for the next one`,
      withPeriod(id, (call) => ({ from: String(secondsOf(call, 'from') + 43_200 - 60) })),
    ),
    fault(
      `${id}-moments`,
      day,
      `${id} depends on the moment of the day`,
      withPeriod(id, (call): Named => (isLate(call, 'from') || isLate(call, 'to') ? { limit: '1' } : {})),
    ),
    fault(`${id}-dates`, times, `${id} takes dates only`, datesOnly(id)),
    ...Object.entries(PERIODS).map(([name, [about, query]]) =>
      fault(`${id}-${name}`, period, `${id} ${about}`, withPeriod(id, query)),
    ),
    ...(version === 2 ? bytesFaults(id) : sharesFaults(id, family)),
    ...(by === 'tag'
      ? [
          fault(
            `${id}-first-tag`,
            named,
            `${id} counts a line under the first of its tags only`,
            withLines(id, (all) => all.map((line) => ({ ...line, tags: line.tags.slice(0, 1) }))),
          ),
        ]
      : []),
  ]
})

function bytesFaults(id: string): Fault[] {
  const negative = (all: Rows): Rows => all.map((row) => ({ ...row, total_bytes: -1 }))
  return [
    fault(
      `${id}-lines`,
      'USAGE-V2-BYTES',
      `${id} counts lines, not bytes`,
      withLines(id, (all) => all.map((line) => ({ ...line, line: '-' }))),
    ),
    fault(`${id}-negative`, 'USAGE-V2-BYTES', `${id} reports negative bytes`, rows(id, negative)),
  ]
}

function sharesFaults(id: string, family: string): Fault[] {
  const ofListed = (all: Rows): Rows => {
    const sum = all.reduce((total, row) => total + Number(row.percentage_of_total), 0)
    return percentages((value) => (sum === 0 ? 0 : (100 * value) / sum))(all)
  }
  const wrong = (name: string, about: string, change: (value: number) => number): Fault =>
    fault(`${id}-${name}`, `${family}-PERCENTAGE`, `${id} ${about}`, rows(id, percentages(change)))
  return [
    fault(
      `${id}-share-of-listed`,
      `${family}-SHARE`,
      `the shares of ${id} are those of the rows that are listed`,
      rows(id, ofListed),
    ),
    fault(
      `${id}-share-of-ever`,
      `${family}-SHARE`,
      `the shares of ${id} are those of all lines that there are`,
      replied(id, (answer, { state }) => {
        const change = (row: Rows[number]) => (100 * Number(row.current_total)) / state.lines.all.length
        return { ...answer, json: (answer.json as Rows).map((row) => ({ ...row, percentage_of_total: change(row) })) }
      }),
    ),
    fault(
      `${id}-of-bytes`,
      `${family}-SHARE`,
      `the shares of ${id} are those of all bytes`,
      // A line counts once more for each fifty bytes of it.
      withLines(id, (all) => all.flatMap((line) => Array<Line>(1 + Math.floor(line.bytes / 50)).fill(line))),
    ),
    wrong('over', 'reports shares of more than 100 percent', () => 101),
    wrong('negative', 'reports shares with a minus sign', (value) => -value),
  ]
}

/** Usage by tag has one row more than the limit. */
const oneMore = asked('list-usage-by-tag', (call) => {
  const limit = call.query.get('limit')
  return withQuery(call, { limit: limit === null ? undefined : String(Number(limit) + 1) })
})

/** Usage by tag scales its numbers by the part of the day that is left. */
const scaled = success('list-usage-by-tag', (answer, { search }) => {
  const query = new URLSearchParams(search)
  const seconds = Number(query.get('from')) % 86_400 || Number(query.get('to')) % 86_400
  const json = (answer.json as Rows).map((row) => {
    return { ...row, current_total: Number(row.current_total) * (1 - seconds / 86_400) }
  })
  return { ...answer, json }
})

/** Usage by tag of more than ten days has shares a hundred times too large. */
const long = success('list-usage-by-tag', (answer, { search }) => {
  const query = new URLSearchParams(search)
  if (Number(query.get('to')) - Number(query.get('from')) <= 10 * 86_400) return answer
  return { ...answer, json: percentages((value) => 100 * value)(answer.json as Rows) }
})

/** Usage by tag is declared as HTML, though it is JSON. */
const declared = success('list-usage-by-tag', ({ json, ...answer }) => {
  return { ...answer, headers: { 'content-type': 'text/html' }, text: [JSON.stringify(json)] }
})

/** Other faults of usage reports. */
export const usageFaults: Coded = {
  'usage-v1-fractions': rows(
    'list-usage-by-host',
    percentages((value) => value / 100),
  ),
  'usage-lines-as-percentage': rows('list-usage-by-tag', (all) => {
    return all.map((row) => ({ ...row, percentage_of_total: 100 + Number(row.current_total) }))
  }),
  'usage-limit-one-more': oneMore,
  'usage-long-period': long,
  'usage-declared-html': declared,
  'usage-scaled-by-time': scaled,
}
