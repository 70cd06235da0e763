import { countLine, type LineStore, linesOf } from '../../model/lines.ts'
import { asked, success } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'
import type { Json } from '../core/lines.ts'

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
