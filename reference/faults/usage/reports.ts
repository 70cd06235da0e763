import { invalid } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { countLine, type LineStore, linesOf, type Tally } from '../../model/lines.ts'
import { asked, handler, hoursAgo, type Json, type Rows, rows, success, withQuery } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** reports whose paths only a binding gives */
const TIMED = [
  'list-usage-by-app',
  'list-usage-by-host',
  'list-usage-v2-by-app',
  'list-usage-v2-by-host',
  'list-usage-v2-by-tag',
] as const

const NAMES = ['list-usage-by-app', 'list-usage-by-host', 'list-usage-by-tag'] as const

/** USAGE-V1-SHARE, or USAGE-TAGS-SHARE */
function named(operation: (typeof NAMES)[number], rest: string): string {
  return `USAGE-${operation === 'list-usage-by-tag' ? 'TAGS' : 'V1'}-${rest}`
}

function percentages(change: (value: number) => number): (all: Rows) => Rows {
  return (all) => all.map((row) => ({ ...row, percentage_of_total: change(Number(row.percentage_of_total)) }))
}

function halfDayLater({ query }: Call): string | undefined {
  const from = query.get('from')
  return from === null ? undefined : String(Number(from) + 43_200 - 60)
}

/** Counts something else: `change` gives it of what is counted. */
function withTallies(call: Call, change: (tally: Tally) => Tally): Call {
  const counted = (tallies: ReadonlyMap<string, Tally>): Map<string, Tally> =>
    new Map([...tallies].map(([name, tally]) => [name, change(tally)]))
  const days = new Map(
    [...call.state.lines.days].map(([day, { total, apps, hosts, tags }]) => [
      day,
      { total: change(total), apps: counted(apps), hosts: counted(hosts), tags: counted(tags) },
    ]),
  )
  return { ...call, state: { ...call.state, lines: { ...call.state.lines, days } } }
}

/** A query parameter that has to be a date in text, in UNIX seconds. */
function secondsOf({ query }: Call, name: string): string {
  const value = query.get(name) ?? ''
  if (!value.includes('T')) throw invalid(`query parameter ${name}`, 'must be a date')
  return String(Math.floor(Date.parse(value) / 1000))
}

/** Counts only lines whose time lies in the period to the millisecond, and not those of its whole days. */
function bySeconds(call: Call): Call {
  const [from = 0, to = 0] = ['from', 'to'].map((name) => Number(call.query.get(name)) * 1000)
  const days: LineStore['days'] = new Map()
  for (const line of linesOf(call.state.lines.all)) if (line.ts >= from && line.ts <= to) countLine(days, line)
  return { ...call, state: { ...call.state, lines: { ...call.state.lines, days } } }
}

const BY_DAY = [
  ...['list-usage-by-app', 'list-usage-by-host', 'list-usage-by-tag'],
  ...['list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'],
]

function dayOf(operation: string): string {
  if (operation.includes('v2')) return 'USAGE-V2-DAY'
  return operation === 'list-usage-by-tag' ? 'USAGE-TAGS-DAY' : 'USAGE-V1-DAY'
}

/** Faults of usage reports. */
export const reportFaults: readonly Fault[] = [
  ...BY_DAY.map(
    (operation): Fault => ({
      name: `${operation}-seconds`,
      about: `${operation} looks at the seconds of from and to, not at their days`,
      kills: [dayOf(operation)],
      changes: asked(operation, bySeconds),
    }),
  ),
  ...NAMES.flatMap((operation): Fault[] => [
    {
      name: `${operation}-share-of-listed`,
      about: `the shares of ${operation} are those of the rows that are listed`,
      kills: [named(operation, 'SHARE')],
      changes: rows(operation, (all) => {
        const sum = all.reduce((total, row) => total + Number(row.percentage_of_total), 0)
        return percentages((value) => (sum === 0 ? 0 : (100 * value) / sum))(all)
      }),
    },
    {
      name: `${operation}-no-end`,
      about: `${operation} does not end with the period`,
      kills: [named(operation, 'PERIOD')],
      changes: asked(operation, (call) => withQuery(call, { to: hoursAgo(call, 0) })),
    },
    {
      name: `${operation}-no-start`,
      about: `${operation} does not begin with the period`,
      kills: [named(operation, 'PERIOD')],
      changes: asked(operation, (call) => withQuery(call, { from: '0', to: hoursAgo(call, 0) })),
    },
    {
      name: `${operation}-from-ignored`,
      about: `${operation} begins with the first line of all`,
      kills: [named(operation, 'PERIOD')],
      changes: asked(operation, (call) => withQuery(call, { from: '0' })),
    },
    {
      name: `${operation}-by-the-hour`,
      about: `${operation} takes the second half of a day for the next one`,
      kills: [named(operation, 'DAY')],
      changes: asked(operation, (call) => withQuery(call, { from: halfDayLater(call) })),
    },
  ]),
  ...NAMES.map(
    (operation): Fault => ({
      name: `${operation}-of-bytes`,
      about: `the shares of ${operation} are those of all bytes`,
      kills: [named(operation, 'SHARE')],
      changes: asked(operation, (call) => withTallies(call, ({ bytes }) => ({ lines: bytes, bytes }))),
    }),
  ),
  ...(['list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'] as const).map(
    (operation): Fault => ({
      name: `${operation}-lines`,
      about: `${operation} counts lines, not bytes`,
      kills: ['USAGE-V2-BYTES'],
      changes: asked(operation, (call) => withTallies(call, ({ lines }) => ({ lines, bytes: lines }))),
    }),
  ),
  {
    name: 'list-usage-by-tag-dates',
    about: 'usage by tag takes dates in text, and no UNIX timestamps',
    kills: ['USAGE-TAGS-TIMES'],
    changes: asked('list-usage-by-tag', (call) =>
      withQuery(call, { from: secondsOf(call, 'from'), to: secondsOf(call, 'to') }),
    ),
  },
  {
    name: 'usage-v1-fractions',
    about: 'shares by host are fractions of one',
    kills: ['USAGE-V1-PERCENTAGE'],
    changes: rows(
      'list-usage-by-host',
      percentages((value) => value / 100),
    ),
  },
  {
    name: 'usage-v2-by-the-hour',
    about: 'usage v2 by application takes the second half of a day for the next one',
    kills: ['USAGE-V2-DAY'],
    changes: asked('list-usage-v2-by-app', (call) => withQuery(call, { from: halfDayLater(call) })),
  },
  {
    name: 'list-usage-by-tag-top-three',
    about: 'list-usage-by-tag holds three rows at most',
    kills: ['USAGE-TAGS-AGGREGATES'],
    changes: rows('list-usage-by-tag', (all) => all.slice(0, 3)),
  },
  {
    name: 'usage-v1-half-each',
    about: 'each application and host has 51 percent of the lines',
    kills: ['USAGE-V1-SUM'],
    changes: rows(
      'list-usage-by-app',
      percentages(() => 51),
    ),
  },
  ...(
    [
      ['list-usage-by-app', 'USAGE-V1-BY-APP'],
      ['list-usage-by-host', 'USAGE-V1-BY-HOST'],
      ['list-usage-by-tag', 'USAGE-TAGS-AGGREGATES'],
      ['list-usage-v2-by-app', 'USAGE-V2-BY-APP'],
      ['list-usage-v2-by-host', 'USAGE-V2-BY-HOST'],
      ['list-usage-v2-by-tag', 'USAGE-V2-BY-TAG'],
    ] as const
  ).map(
    ([operation, requirement]): Fault => ({
      name: `${operation}-names`,
      about: `the rows of ${operation} have other names`,
      kills: [requirement],
      changes: rows(operation, (all) => all.map((row, index) => ({ ...row, name: `row ${index}` }))),
    }),
  ),
  ...(
    [
      ['usage-v2-negative', 'tag'],
      ['usage-v2-negative-app', 'app'],
    ] as const
  ).map(
    ([name, by]): Fault => ({
      name,
      about: `usage v2 by ${by === 'app' ? 'application' : 'tag'} reports negative bytes`,
      kills: ['USAGE-V2-BYTES'],
      changes: rows(`list-usage-v2-by-${by}`, (all) => all.map((row) => ({ ...row, total_bytes: -1 }))),
    }),
  ),
  ...(
    [
      ['from-ignored', 'host', 'begins with the first line of all', () => ({ from: '0' })],
      ['no-start', 'app', 'does not begin with the period', (call) => ({ from: '0', to: hoursAgo(call, 0) })],
      ['no-end', 'host', 'does not end with the period', (call) => ({ to: hoursAgo(call, 0) })],
    ] satisfies [name: string, by: string, about: string, query: (call: Call) => Readonly<Record<string, string>>][]
  ).map(
    ([name, by, about, query]): Fault => ({
      name: `usage-v2-${name}`,
      about: `usage v2 by ${by === 'app' ? 'application' : by} ${about}`,
      kills: ['USAGE-V2-STORED'],
      changes: asked(`list-usage-v2-by-${by}`, (call) => withQuery(call, query(call))),
    }),
  ),
  {
    name: 'usage-v1-over',
    about: 'usage by application reports shares of more than 100 percent',
    kills: ['USAGE-V1-PERCENTAGE'],
    changes: rows('list-usage-by-app', (all) => all.map((row) => ({ ...row, percentage_of_total: 101 }))),
  },
  ...TIMED.map(
    (operation): Fault => ({
      name: `${operation}-dates`,
      about: `${operation} takes dates only`,
      kills: [operation.includes('v2') ? 'USAGE-V2-TIMES' : 'USAGE-V1-TIMES'],
      changes: handler(operation, (inner) => (call) => {
        const [from, to] = ['from', 'to'].map((name) => call.query.get(name) ?? '')
        if (!from?.includes('-') || !to?.includes('-')) throw invalid('query', 'must hold dates')
        const seconds = (text: string): string => String(Math.floor(Date.parse(text) / 1000))
        return inner(withQuery(call, { from: seconds(from), to: seconds(to) }))
      }),
    }),
  ),
  ...TIMED.map(
    (operation): Fault => ({
      name: `${operation}-moments`,
      about: `${operation} depends on the moment of the day`,
      kills: [operation.includes('v2') ? 'USAGE-V2-DAY' : 'USAGE-V1-DAY'],
      changes: handler(operation, (inner) => (call) => {
        const late = Number(call.query.get('from')) % 86_400 > 43_500 || Number(call.query.get('to')) % 86_400 > 43_500
        return inner(late ? withQuery(call, { limit: '1' }) : call)
      }),
    }),
  ),
]

/** Usage of the lines between two seconds and not of whole days. */
function exactSeconds(): Fault['changes'] {
  return asked('list-usage-by-tag', (call) => {
    const [from, to] = ['from', 'to'].map((name) => 1000 * Number(call.query.get(name)))
    const days: LineStore['days'] = new Map()
    for (const line of linesOf(call.state.lines.all)) {
      if (line.ts >= (from ?? 0) && line.ts <= (to ?? 0)) countLine(days, line)
    }
    return { ...call, state: { ...call.state, lines: { ...call.state.lines, days } } }
  })
}

/** Changes each row, given the seconds of the day of `from` (of `to` where that is at midnight). */
function usage(change: (row: Json, seconds: number) => Json): Fault['changes'] {
  return {
    answer: (answer, request, operation) => {
      if (operation !== 'list-usage-by-tag' || answer.status !== 200) return answer
      const query = new URLSearchParams(request.search)
      const seconds = Number(query.get('from')) % 86_400 || Number(query.get('to')) % 86_400
      return { ...answer, json: (answer.json as Json[]).map((row) => change(row, seconds)) }
    },
  }
}

/** Faults in usage by tag. */
export const tagFaults: readonly Fault[] = [
  {
    name: 'usage-csv',
    about: 'usage by tag is reported in CSV',
    kills: ['BODY-JSON'],
    changes: success('list-usage-by-tag', ({ json: _, ...answer }) => ({
      ...answer,
      headers: { 'content-type': 'text/csv' },
      text: ['name,percentage\nblue,50\n'],
    })),
  },
  {
    name: 'usage-declared-html',
    about: 'usage by tag is declared as HTML',
    kills: ['BODY-JSON-DECLARED'],
    changes: success('list-usage-by-tag', ({ json, ...answer }) => ({
      ...answer,
      headers: { 'content-type': 'text/html' },
      text: [JSON.stringify(json)],
    })),
  },
  {
    name: 'usage-per-mille',
    about: 'usage by tag is reported in tenths of a percent',
    kills: ['USAGE-TAGS-PERCENTAGE'],
    changes: usage((row) => ({ ...row, percentage_of_total: 10 * Number(row.percentage_of_total) })),
  },
  {
    name: 'usage-negative',
    about: 'usage by tag is reported with a minus sign',
    kills: ['USAGE-TAGS-PERCENTAGE'],
    changes: usage((row) => ({ ...row, percentage_of_total: -Number(row.percentage_of_total) })),
  },
  {
    name: 'usage-lines-as-percentage',
    about: 'usage by tag gives numbers of lines for percentages',
    kills: ['USAGE-TAGS-PERCENTAGE'],
    changes: usage((row) => ({ ...row, percentage_of_total: 100 + Number(row.current_total) })),
  },
  {
    name: 'usage-exact-seconds',
    about: 'usage by tag counts from the second that is given',
    kills: ['USAGE-TAGS-DAY'],
    changes: exactSeconds(),
  },
  {
    name: 'usage-scaled-by-time',
    about: 'usage by tag scales its numbers by the part of the day that is left',
    kills: ['USAGE-TAGS-DAY'],
    changes: usage((row, seconds) => ({ ...row, current_total: Number(row.current_total) * (1 - seconds / 86_400) })),
  },
  {
    name: 'usage-limit-ignored',
    about: 'usage by tag has all rows whatever limit is sent',
    kills: ['USAGE-TAGS-LIMIT'],
    changes: asked('list-usage-by-tag', (call) => {
      const query = new URLSearchParams(call.query)
      query.delete('limit')
      return { ...call, query }
    }),
  },
  {
    name: 'usage-limit-one-more',
    about: 'usage by tag has one row more than the limit',
    kills: ['USAGE-TAGS-LIMIT'],
    changes: asked('list-usage-by-tag', (call) => {
      const query = new URLSearchParams(call.query)
      const limit = query.get('limit')
      if (limit !== null) query.set('limit', String(Number(limit) + 1))
      return { ...call, query }
    }),
  },
  ...(
    [
      ['list-usage-by-tag', 'USAGE-TAGS-AGGREGATES'],
      ['list-usage-v2-by-tag', 'USAGE-V2-BY-TAG'],
    ] as const
  ).map(([operation, requirement]) => ({
    name: `${operation}-first-tag`,
    about: `${operation} counts a line under the first of its tags only`,
    kills: [requirement],
    changes: asked(operation, (call) => {
      const { all, days } = call.state.lines
      const first = new Set<string>()
      const others = new Set<string>()
      for (const { tags } of [...all.sorted, ...all.late]) {
        if (tags[0] !== undefined) first.add(tags[0])
        for (const tag of tags.slice(1)) others.add(tag)
      }
      const kept = new Map(
        [...days].map(([day, usage]) => [
          day,
          { ...usage, tags: new Map([...usage.tags].filter(([tag]) => first.has(tag) || !others.has(tag))) },
        ]),
      )
      return { ...call, state: { ...call.state, lines: { ...call.state.lines, days: kept } } }
    }),
  })),
]
