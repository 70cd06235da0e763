import { Refusal } from '../../core/refusal.ts'
import { type Call, type Handler, isPending } from '../../core/route.ts'
import { exported } from '../../exports/selection.ts'
import {
  asked,
  handler,
  hoursAgo,
  type Json,
  lines,
  type Rows,
  replied,
  success,
  tokenOf,
  withQuery,
} from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

/** What both exports do wrong alike. */
const bothFaults = (['export-v1', 'export-v2'] as const).map((operation) =>
  fault(
    `${operation}-backwards`,
    `${operation.toUpperCase()}-ORDER`,
    `the lines of ${operation} come neither in the order of their times nor in the opposite one`,
    lines(operation, (all) => [...all.slice(1), ...all.slice(0, 1)]),
  ),
)

const capped = each((exportLines: number) => ({
  state: (state) => void Object.assign(state, { plan: { ...state.plan, exportLines } }),
}))

/** Changes the text of export v1. */
const text = each((change: (text: string) => string) =>
  success('export-v1', ({ text: pieces, ...answer }) =>
    pieces === undefined ? answer : { ...answer, text: [change([...pieces].join(''))] },
  ),
)

/** Faults of export v1 alone. */
const v1Faults: readonly Fault[] = [
  capped('export-v1-uncapped', 'EXPORT-V1-CAP', 'export v1 returns all lines, whatever the plan', 1_000_000),
  ...[5_000, 9_999, 15_000].map((cap) =>
    capped(`export-v1-cap-${cap}`, 'EXPORT-V1-CAP-VALUES', `export v1 returns ${cap} lines at most`, cap),
  ),
  text(
    'export-v1-array',
    'EXPORT-V1-JSONL',
    'export v1 answers with one JSON array over several lines',
    (all) => `[\n${all.trim().replaceAll('\n', ',\n')}\n]`,
  ),
  text(
    'export-v1-marked',
    'EXPORT-V1-JSONL',
    'a byte order mark stands before the lines of export v1',
    (all) => `\ufeff${all}`,
  ),
  text('export-v1-blank-lines', 'EXPORT-V1-BLANK-LINES', 'a blank line stands behind each line of export v1', (all) =>
    all.replaceAll('\n', '\n\n'),
  ),
  fault(
    'export-v1-mail-lines-inside',
    'EXPORT-V1-MAIL-NO-LINES',
    'export v1 confirms that lines are mailed, and puts them into the confirmation',
    replied('export-v1', (answer, call, inner) => {
      const whole = inner(withQuery(call, { email: undefined }))
      if (!call.query.has('email') || isPending(whole)) return answer
      return { ...answer, json: { ...(answer.json as Json), rows: [...(whole.text ?? [])].join('').split('\n') } }
    }),
  ),
]

/** The page that a token asks for, when it is asked for so many times. `used`: how often it was before. */
const again = each((change: (json: Json, used: number, call: Call) => Json) =>
  handler('export-v2', (inner: Handler) => {
    const known = new Map<string, number>()
    return (call) => {
      const reply = inner(call)
      const token = tokenOf(call)
      if (token === undefined || isPending(reply) || reply.status >= 300) return reply
      const used = known.get(token) ?? 0
      known.set(token, used + 1)
      return used === 0 ? reply : { ...reply, json: change(reply.json as Json, used, call) }
    }
  }),
)

const paged = each((change: (json: Json, call: Call, inner: Handler) => unknown) =>
  replied('export-v2', (answer, ...of) => ({ ...answer, json: change(answer.json as Json, ...of) })),
)

/** Times of an export that are taken for others. */
const times = each(({ name, hours }: { name: 'from' | 'to'; hours: number }) =>
  asked('export-v2', (call) =>
    call.query.get(name) === '0' ? withQuery(call, { [name]: hoursAgo(call, hours) }) : call,
  ),
)

/** The lines of the next page, so many of them, stand in a page that is not the last. */
function nextIn(json: Json, call: Call, inner: Handler): Json | undefined {
  if (typeof json.pagination_id !== 'string' || call.query.has('size')) return undefined
  const next = inner(withQuery(call, { pagination_id: json.pagination_id }))
  return isPending(next) ? undefined : (next.json as Json)
}

/** The last line of a page stands in the next one again. */
function borderDoubled(): Changes {
  const before = new Map<string, unknown>()
  return replied('export-v2', (answer, call) => {
    const json = answer.json as Json
    const kept = before.get(tokenOf(call) ?? '')
    const list = json.lines as Rows
    if (typeof json.pagination_id === 'string') before.set(json.pagination_id, list.at(-1))
    return kept === undefined ? answer : { ...answer, json: { ...json, lines: [kept, ...list.slice(0, 9_999)] } }
  })
}

/** The last of several pages has a token that leads to empty pages for ever. */
const endless = handler('export-v2', (inner) => (call) => {
  const token = tokenOf(call)
  if (token === 'end') return { status: 200, json: { lines: [], pagination_id: 'end' } }
  const reply = inner(call)
  if (token === undefined || isPending(reply)) return reply
  const json = reply.json as Json
  return { ...reply, json: { ...json, pagination_id: json.pagination_id ?? 'end' } }
})

/** A token goes on with the export that was begun last. */
function oneCursor(): Changes {
  let begun: URLSearchParams | undefined
  return asked('export-v2', (call) => {
    if (tokenOf(call) === undefined) {
      begun = call.query
      return call
    }
    const mine = ['apps', 'hosts'].every((name) => begun?.get(name) === call.query.get(name))
    return mine || !begun ? call : { ...call, query: begun }
  })
}

/** Faults of export v2 alone: how pages hang together, and what times mean. */
const v2Faults: readonly Fault[] = [
  paged(
    'export-page-10001',
    'EXPORT-V2-PAGE-MAX EXPORT-V2-NEXT-PAGE',
    'a page holds 10,001 lines',
    (json, call, inner) => {
      const next = nextIn(json, call, inner)
      return next ? { ...json, lines: [...(json.lines as Rows), ...(next.lines as Rows).slice(0, 1)] } : json
    },
  ),
  paged('export-page-long', 'EXPORT-V2-PAGE-MAX', 'a page holds the lines of the next one too', (json, call, inner) => {
    const next = nextIn(json, call, inner)
    return next ? { ...next, lines: [...(json.lines as Rows), ...(next.lines as Rows)] } : json
  }),
  fault(
    'export-endless',
    'EXPORT-V2-LAST-PAGE',
    'the last page has a token that leads to empty pages for ever',
    endless,
  ),
  fault(
    'export-border-doubled',
    'EXPORT-V2-ONCE',
    'the last line of a page stands in the next one again',
    borderDoubled(),
  ),
  fault(
    'export-one-cursor',
    'EXPORT-V2-TOKEN-TIED',
    'a token goes on with the export that was begun last',
    oneCursor(),
  ),
  again('export-token-once', 'EXPORT-V2-TOKEN-REPEATS', 'a token can be used once', () => {
    throw new Refusal('NotFound', 'there is nothing here')
  }),
  again(
    'export-token-empty-again',
    'EXPORT-V2-TOKEN-REPEATS',
    'a token that is used again gives an empty page',
    (json) => ({
      ...json,
      lines: [],
    }),
  ),
  again(
    'export-token-wears-out',
    'EXPORT-V2-TOKEN-REPEATS',
    'a token that is used often gives a line less',
    (json, used) => (used < 2 ? json : { ...json, lines: (json.lines as Rows).slice(1) }),
  ),
  again(
    'export-token-sees-new-lines',
    'EXPORT-V2-TOKEN-REPEATS',
    'a page that is asked for again holds a line that came in since',
    (json, _, { state }) => {
      const newest = state.lines.all.at(-1)
      return { ...json, lines: [...(newest ? [exported(newest)] : []), ...(json.lines as Rows)] }
    },
  ),
  times('export-from-zero-late', 'EXPORT-V2-FROM-ZERO', 'from=0 begins an hour ago', { name: 'from', hours: 1 }),
  times('export-from-zero-two-days', 'EXPORT-V2-FROM-ZERO', 'from=0 begins two days ago', { name: 'from', hours: 48 }),
  times('export-to-zero-early', 'EXPORT-V2-TO-ZERO', 'to=0 ends an hour ago', { name: 'to', hours: 1 }),
  times('export-to-zero-ahead', 'EXPORT-V2-TO-ZERO', 'to=0 ends in a month', { name: 'to', hours: -720 }),
  times('export-to-zero-today', 'EXPORT-V2-TO-ZERO', 'to=0 ends three hours ahead', { name: 'to', hours: -3 }),
]

/** Faults of the exports: what is selected, in what order, and how pages hang together. */
export const exportFaults: readonly Fault[] = [...bothFaults, ...v1Faults, ...v2Faults]
