import { isPending } from '../../core/message.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { exported } from '../../exports/selection.ts'
import { linesOf } from '../../model/lines.ts'
import { asked, body } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { handler, hoursAgo, type Json, lines, page, type Rows, tokenOf, withQuery } from '../core/lines.ts'

const EXPORTS = ['export-v1', 'export-v2'] as const

/** UNIX seconds of a day long after every line. */
const FAR = '4000000000'

/** EXPORT-V1-ORDER or EXPORT-V2-ORDER */
function named(operation: (typeof EXPORTS)[number], rest: string): string {
  return `${operation.toUpperCase()}-${rest}`
}

/** The page that a token asks for, after it was asked for before. */
function again(change: (json: Json, call: Call) => Json): Changes {
  return handler('export-v2', (inner: Handler) => {
    const used = new Set<string>()
    return (call) => {
      const reply = inner(call)
      const token = tokenOf(call)
      if (token === undefined || isPending(reply) || reply.status >= 300) return reply
      if (!used.has(token)) {
        used.add(token)
        return reply
      }
      return { ...reply, json: change(reply.json as Json, call) }
    }
  })
}

function gone(): never {
  throw new Refusal('NotFound', 'there is nothing here')
}

/** Faults of both exports: what is selected, in what order, and how pages hang together. */
export const exportFaults: readonly Fault[] = [
  ...EXPORTS.flatMap((operation): Fault[] => [
    {
      name: `${operation}-missing`,
      about: `there is no ${operation}`,
      kills: [named(operation, 'OFFERED')],
      withheld: true,
      changes: asked(operation, gone),
    },
    {
      name: `${operation}-backwards`,
      about: `the lines of ${operation} come neither in the order of their times nor in the opposite one`,
      kills: [named(operation, 'ORDER')],
      changes: lines(operation, (all) => [...all.slice(1), ...all.slice(0, 1)]),
    },
    {
      name: `${operation}-all-apps`,
      about: `${operation} takes no notice of the applications that are asked for`,
      kills: [named(operation, 'FILTERS')],
      changes: asked(operation, (call) => withQuery(call, { apps: undefined })),
    },
    {
      name: `${operation}-all-levels`,
      about: `${operation} takes no notice of the levels that are asked for`,
      kills: [named(operation, 'FILTERS')],
      changes: asked(operation, (call) => withQuery(call, { levels: undefined })),
    },
    {
      name: `${operation}-any-filter`,
      about: `a line belongs to ${operation} as soon as one of its filters matches`,
      kills: [named(operation, 'FILTERS')],
      changes: asked(operation, (call) =>
        call.query.has('apps') ? withQuery(call, { hosts: undefined, levels: undefined }) : call,
      ),
    },
    {
      name: `${operation}-tail-only`,
      about: `${operation} begins with the newest lines, whatever is preferred`,
      kills: [named(operation, 'PREFER')],
      changes: asked(operation, (call) => withQuery(call, { prefer: undefined })),
    },
    {
      name: `${operation}-head-only`,
      about: `${operation} begins with the oldest lines, whatever is preferred`,
      kills: [named(operation, 'PREFER')],
      changes: asked(operation, (call) => withQuery(call, { prefer: 'head' })),
    },
    {
      name: `${operation}-to-ignored`,
      about: `${operation} goes on after its period`,
      kills: [named(operation, 'PERIOD')],
      changes: asked(operation, (call) => (call.query.get('to') === '0' ? call : withQuery(call, { to: FAR }))),
    },
    {
      name: `${operation}-from-ignored`,
      about: `${operation} begins with the first line of all`,
      kills: [named(operation, 'PERIOD')],
      changes: asked(operation, (call) => (call.query.get('from') === '0' ? call : withQuery(call, { from: '1' }))),
    },
  ]),
  {
    name: 'export-v1-uncapped',
    about: 'export v1 returns all lines, whatever the plan',
    kills: ['EXPORT-V1-CAP'],
    changes: { state: (state) => void Object.assign(state, { plan: { ...state.plan, exportLines: 1_000_000 } }) },
  },
  ...[5_000, 9_999, 15_000].map(
    (cap): Fault => ({
      name: `export-v1-cap-${cap}`,
      about: `export v1 returns ${cap} lines at most`,
      kills: ['EXPORT-V1-CAP-VALUES'],
      changes: { state: (state) => void Object.assign(state, { plan: { ...state.plan, exportLines: cap } }) },
    }),
  ),
  {
    name: 'export-to-zero-ahead',
    about: 'to=0 ends in a month',
    kills: ['EXPORT-V2-TO-ZERO'],
    changes: asked('export-v2', (call) =>
      call.query.get('to') === '0' ? withQuery(call, { to: hoursAgo(call, -720) }) : call,
    ),
  },
  {
    name: 'export-to-zero-today',
    about: 'to=0 ends three hours ahead, as if days were cut in another zone',
    kills: ['EXPORT-V2-TO-ZERO'],
    changes: asked('export-v2', (call) =>
      call.query.get('to') === '0' ? withQuery(call, { to: hoursAgo(call, -3) }) : call,
    ),
  },
  {
    name: 'export-page-10001',
    about: 'a page that is not the last holds 10,001 lines',
    kills: ['EXPORT-V2-PAGE-MAX', 'EXPORT-V2-NEXT-PAGE'],
    changes: page((json, call, inner) => {
      if (typeof json.pagination_id !== 'string' || call.query.has('size')) return json
      const next = inner(withQuery(call, { pagination_id: json.pagination_id }))
      if (isPending(next)) return json
      return { ...json, lines: [...(json.lines as Rows), ...((next.json as Json).lines as Rows).slice(0, 1)] }
    }),
  },
  {
    name: 'export-border-doubled',
    about: 'the last line of a page stands in the next one again',
    kills: ['EXPORT-V2-ONCE'],
    changes: handler('export-v2', (inner) => {
      const before = new Map<string, unknown>()
      return (call) => {
        const reply = inner(call)
        if (isPending(reply) || reply.status >= 300) return reply
        const json = reply.json as Json
        const kept = before.get(tokenOf(call) ?? '')
        const list = json.lines as Rows
        if (typeof json.pagination_id === 'string') before.set(json.pagination_id, list.at(-1))
        return kept === undefined ? reply : { ...reply, json: { ...json, lines: [kept, ...list.slice(0, 9_999)] } }
      }
    }),
  },
  {
    name: 'export-token-empty',
    about: 'the last page has an empty token, and not null',
    kills: ['EXPORT-V2-LAST-PAGE'],
    changes: body('export-v2', (json) => ({ ...json, pagination_id: json.pagination_id ?? '' })),
  },
  {
    name: 'export-token-once',
    about: 'a token can be used once',
    kills: ['EXPORT-V2-TOKEN-REPEATS'],
    changes: again(gone),
  },
  {
    name: 'export-token-empty-again',
    about: 'a token that is used again gives an empty page',
    kills: ['EXPORT-V2-TOKEN-REPEATS'],
    changes: again((json) => ({ ...json, lines: [] })),
  },
  {
    name: 'export-token-sees-new-lines',
    about: 'a page that is asked for again holds a line that came in since',
    kills: ['EXPORT-V2-TOKEN-REPEATS'],
    changes: again((json, { state }) => {
      const newest = linesOf(state.lines.all).at(-1)
      return { ...json, lines: [...(newest ? [exported(newest)] : []), ...(json.lines as Rows)] }
    }),
  },
]
