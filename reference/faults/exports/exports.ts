import { isPending } from '../../core/message.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { exported } from '../../exports/selection.ts'
import { linesOf } from '../../model/lines.ts'
import {
  asked,
  body,
  handler,
  hoursAgo,
  type Json,
  lines,
  page,
  type Rows,
  refused,
  success,
  tokenOf,
  withQuery,
} from '../core/changes.ts'
import { type Changes, each, type Fault } from '../core/fault.ts'

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

const paged = each((change: Parameters<typeof body>[1]) => body('export-v2', change))
const refusing = each((change: Parameters<typeof refused>[1]) => refused('export-v2', change))
const asking = each((change: Parameters<typeof asked>[1]) => asked('export-v2', change))

/** Faults in the form of exports and of their pages. */
export const pageFaults: readonly Fault[] = [
  {
    name: 'export-v1-array',
    about: 'export v1 answers with one JSON array over several lines',
    kills: ['EXPORT-V1-JSONL'],
    changes: success('export-v1', ({ text, ...answer }) => {
      const all = [...(text ?? [])].join('').trim().split('\n')
      return { ...answer, text: [`[\n${all.join(',\n')}\n]`] }
    }),
  },
  paged('export-v2-without-warnings', 'EXPORT-V2-LIKE-V1', 'export v2 leaves lines of the level warn out', (json) => ({
    ...json,
    lines: (json.lines as Rows).filter(({ level }) => level !== 'warn'),
  })),
  {
    name: 'export-v1-marked',
    about: 'a byte order mark stands before the lines of export v1',
    kills: ['EXPORT-V1-JSONL'],
    changes: success('export-v1', ({ text, ...answer }) =>
      text === undefined ? answer : { ...answer, text: ['\ufeff', ...text] },
    ),
  },
  {
    name: 'export-v1-blank-lines',
    about: 'a blank line stands behind each line of export v1',
    kills: ['EXPORT-V1-BLANK-LINES'],
    changes: success('export-v1', ({ text, ...answer }) => {
      return text === undefined ? answer : { ...answer, text: [[...text].join('').replaceAll('\n', '\n\n')] }
    }),
  },
  {
    name: 'export-v1-confirms',
    about: 'export v1 only confirms, though no e-mail address was given',
    kills: ['EXPORT-V1-STREAMED'],
    changes: success('export-v1', ({ text: _, ...answer }) => ({ ...answer, json: { message: 'done' } })),
  },
  {
    name: 'export-v1-mail-lines',
    about: 'export v1 takes no notice of an e-mail address',
    kills: ['EXPORT-V1-MAIL-NO-LINES'],
    changes: asked('export-v1', (call) => withQuery(call, { email: undefined })),
  },
  {
    name: 'export-v1-mail-lines-inside',
    about: 'export v1 confirms that lines are mailed, and puts them into the confirmation',
    kills: ['EXPORT-V1-MAIL-NO-LINES'],
    changes: handler('export-v1', (inner) => (call) => {
      const [reply, whole] = [inner(call), inner(withQuery(call, { email: undefined }))]
      if (!call.query.has('email') || isPending(reply) || isPending(whole)) return reply
      return { ...reply, json: { ...(reply.json as Json), rows: [...(whole.text ?? [])].join('').split('\n') } }
    }),
  },
  {
    name: 'export-v1-mail-part-refused',
    about: 'export v1 mails whole periods only, and refuses to mail the lines of one application',
    kills: ['EXPORT-V1-MAIL-CONFIRMS'],
    changes: refused('export-v1', ({ query }) => query.has('email') && query.has('apps')),
  },
  {
    name: 'export-v1-mail-part-breaks',
    about: 'export v1 breaks where the lines of one application are mailed',
    kills: ['EXPORT-V1-MAIL-CONFIRMS'],
    changes: asked('export-v1', (call) => {
      if (call.query.has('email') && call.query.has('apps')) throw new Refusal('InternalServerError', 'no mail')
      return call
    }),
  },
  paged('export-page-list', 'EXPORT-PAGE-OBJECT', 'a page stands in an array', (json) => [json]),
  paged('export-page-lines-object', 'EXPORT-PAGE-LINES-TYPE', 'the lines of a page are an object', (json) => ({
    ...json,
    lines: { ...(json.lines as Rows) },
  })),
  {
    name: 'export-page-lines-missing',
    about: 'the lines of a page are called data',
    kills: ['EXPORT-PAGE-LINES-PRESENT'],
    changes: body('export-v2', ({ lines, ...json }) => ({ ...json, data: lines })),
  },
  paged('export-page-token-false', 'EXPORT-PAGE-TOKEN-TYPE', 'the last page has the token false', (json) => ({
    ...json,
    pagination_id: json.pagination_id ?? false,
  })),
  {
    name: 'export-page-token-missing',
    about: 'the last page has no token field',
    kills: ['EXPORT-PAGE-TOKEN-PRESENT'],
    changes: body('export-v2', ({ pagination_id, ...json }) =>
      pagination_id === null ? json : { ...json, pagination_id },
    ),
  },
  {
    name: 'export-page-long',
    about: 'a page holds the lines of the next one too',
    kills: ['EXPORT-V2-PAGE-MAX'],
    changes: page((json, call, inner) => {
      if (typeof json.pagination_id !== 'string' || call.query.has('size')) return json
      const next = inner(withQuery(call, { pagination_id: json.pagination_id }))
      if (isPending(next)) return json
      const { lines, pagination_id } = next.json as Json
      return { lines: [...(json.lines as Rows), ...(lines as Rows)], pagination_id }
    }),
  },
  refusing(
    'export-first-page-null',
    'EXPORT-V2-FIRST-PAGE',
    'the word null is taken for a token',
    ({ query }) => query.get('pagination_id') === 'null',
  ),
  {
    name: 'export-page-gap',
    about: 'each page after the first leaves its first line out',
    kills: ['EXPORT-V2-COMPLETE'],
    changes: page((json, call) => (tokenOf(call) ? { ...json, lines: (json.lines as Rows).slice(1) } : json)),
  },
  asking('export-token-ignored', 'EXPORT-V2-NEXT-PAGE', 'a token leads to the first page', (call) =>
    withQuery(call, { pagination_id: undefined }),
  ),
  {
    name: 'export-endless',
    about: 'the last of several pages has a token that leads to empty pages for ever',
    kills: ['EXPORT-V2-LAST-PAGE'],
    changes: handler('export-v2', (inner) => (call) => {
      const token = tokenOf(call)
      if (token === 'end') return { status: 200, json: { lines: [], pagination_id: 'end' } }
      const reply = inner(call)
      if (token === undefined || isPending(reply)) return reply
      const json = reply.json as Json
      return { ...reply, json: { ...json, pagination_id: json.pagination_id ?? 'end' } }
    }),
  },
  asking('export-small-pages', 'EXPORT-V2-SMALL-ONE-PAGE', 'a page has at most 5,000 lines', (call) =>
    call.query.has('size') ? call : withQuery(call, { size: '5000' }),
  ),
  {
    name: 'export-one-cursor',
    about: 'a token goes on with the export that was begun last',
    kills: ['EXPORT-V2-TOKEN-TIED'],
    changes: handler('export-v2', (inner) => {
      let begun: URLSearchParams | undefined
      return (call) => {
        if (tokenOf(call) === undefined) {
          begun = call.query
          return inner(call)
        }
        const mine = ['apps', 'hosts'].every((name) => begun?.get(name) === call.query.get(name))
        return mine || !begun ? inner(call) : inner({ ...call, query: begun })
      }
    }),
  },
  {
    name: 'export-token-wears-out',
    about: 'a token that is used often gives a line less',
    kills: ['EXPORT-V2-TOKEN-REPEATS'],
    changes: handler('export-v2', (inner) => {
      const used = new Map<string, number>()
      return (call) => {
        const reply = inner(call)
        const token = tokenOf(call)
        if (token === undefined || isPending(reply) || reply.status >= 300) return reply
        used.set(token, (used.get(token) ?? 0) + 1)
        const json = reply.json as Json
        return (used.get(token) ?? 0) < 3
          ? reply
          : { ...reply, json: { ...json, lines: (json.lines as Rows).slice(1) } }
      }
    }),
  },
  {
    name: 'export-from-zero-refused',
    about: 'from=0 is refused beside a timestamp',
    kills: ['EXPORT-V2-FROM-ZERO-ACCEPTED'],
    changes: refused('export-v2', ({ query }) => query.get('from') === '0' && query.get('to') !== '0'),
  },
  refusing(
    'export-to-zero-refused',
    'EXPORT-V2-TO-ZERO-ACCEPTED',
    'to=0 is refused beside a timestamp',
    ({ query }) => query.get('to') === '0' && query.get('from') !== '0',
  ),
  refusing(
    'export-both-zero-refused',
    'EXPORT-V2-ZERO-COMBINATIONS',
    'from and to are not both 0',
    ({ query }) => query.get('to') === '0' && query.get('from') === '0',
  ),
  asking('export-from-zero-late', 'EXPORT-V2-FROM-ZERO', 'from=0 begins an hour ago', (call) =>
    call.query.get('from') === '0' ? withQuery(call, { from: hoursAgo(call, 1) }) : call,
  ),
  asking('export-to-zero-early', 'EXPORT-V2-TO-ZERO', 'to=0 ends an hour ago', (call) =>
    call.query.get('to') === '0' ? withQuery(call, { to: hoursAgo(call, 1) }) : call,
  ),
]
