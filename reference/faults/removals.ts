import { ok } from '../core/message.ts'
import { countLine, type LineStore, linesOf } from '../model/lines.ts'

import type { State } from '../model/state.ts'

import { afterwards, asked, notApplied } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

/** What is gone comes back with the next deletion. */
function comesBack(operation: string, of: (state: State) => Map<string, unknown>): Fault['changes'] {
  return afterwards(
    operation,
    ({ state }) => new Map(of(state)),
    ({ state }, before) => {
      const things = of(state)
      const gone = [...before].filter(([id]) => !things.has(id))
      for (const [id, thing] of gone) things.set(id, thing)
    },
  )
}

/** Faults in deletions. */
const deletionFaults: readonly Fault[] = [
  {
    name: 'member-deletion-not-applied',
    about: 'a removed member stays',
    kills: ['MEMBER-DELETE-REMOVES'],
    changes: notApplied('delete-member'),
  },
  {
    name: 'member-deletion-other',
    about: 'another member is removed than the one that was named',
    kills: ['MEMBER-DELETE-REMOVES'],
    changes: asked('delete-member', (call) => {
      const named = call.state.members.get((call.params.email ?? '').toLowerCase())
      const [other] = [...call.state.members.values()].filter((one) => one !== named && one.role !== 'owner')
      return named?.role === 'owner' || !named || !other ? call : { ...call, params: { email: other.email } }
    }),
  },
  {
    name: 'member-deletion-by-beginning',
    about: 'the removal of an address removes the member whose address begins like it',
    kills: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    changes: asked('delete-member', (call) => {
      const [local = '', domain = ''] = (call.params.email ?? '').toLowerCase().split('@')
      if (call.state.members.has(`${local}@${domain}`)) return call
      const near = [...call.state.members.keys()].find((email) => email.startsWith(local) && email.endsWith(domain))
      return near === undefined ? call : { ...call, params: { email: near } }
    }),
  },
  {
    name: 'member-not-decoded',
    about: 'the e-mail address in the path is not decoded',
    kills: ['MEMBER-DELETE-STATUS'],
    changes: asked('delete-member', (call) => ({
      ...call,
      params: { email: call.request.path.split('/').at(-1) ?? '' },
    })),
  },
  {
    name: 'exclusion-deletion-not-applied',
    about: 'a deleted exclusion rule stays',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: notApplied('delete-exclusion'),
  },
  {
    name: 'exclusion-deletion-deactivates',
    about: 'a deleted exclusion rule is only made inactive',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: afterwards(
      'delete-exclusion',
      ({ state, params }) => state.exclusions.get(params.exclusion_id ?? ''),
      ({ state }, exclusion) => {
        if (exclusion) state.exclusions.set(exclusion.id, { ...exclusion, active: false })
      },
    ),
  },
  {
    name: 'screen-deletion-comes-back',
    about: 'a deleted screen is there again at once',
    kills: ['SCREEN-DELETE-REMOVES'],
    changes: comesBack('delete-screen', ({ screens }) => screens),
  },
  {
    name: 'screen-deletion-only-first',
    about: 'screens can be deleted once; every other one stays',
    kills: ['SCREEN-DELETE-REMOVES'],
    changes: onlyFirst(),
  },
]

function onlyFirst(): Fault['changes'] {
  const done = new WeakSet<State>()
  return {
    handlers: {
      'delete-screen': (inner) => (call) => {
        if (done.has(call.state) && call.state.screens.has(call.params.screen_id ?? '')) return ok({ deleted: true })
        done.add(call.state)
        return inner(call)
      },
    },
  }
}

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
const usageFaults: readonly Fault[] = [
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
]

/** Faults in deletions and in usage by tag. */
export const removalFaults: readonly Fault[] = [...deletionFaults, ...usageFaults]
