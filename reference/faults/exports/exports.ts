import { Refusal } from '../../core/refusal.ts'
import { type Call, type Handler, isPending } from '../../core/route.ts'
import { exported } from '../../exports/selection.ts'
import { asked, handler, type Json, lines, type Rows, replied, tokenOf, withQuery } from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

/** The lines come neither in the order of their times nor in the opposite one. */
function turned(operation: 'export-v1' | 'export-v2'): Changes {
  return lines(operation, (all) => [...all.slice(1), ...all.slice(0, 1)])
}

/** Export v1 confirms that lines are mailed, and puts them into the confirmation. */
const linesInside = replied('export-v1', (answer, call, inner) => {
  const whole = inner(withQuery(call, { email: undefined }))
  if (!call.query.has('email') || isPending(whole)) return answer
  return { ...answer, json: { ...(answer.json as Json), rows: [...(whole.text ?? [])].join('').split('\n') } }
})

/** The page that a token asks for, when it is asked for so many times. `used`: how often it was before. */
function again(change: (json: Json, used: number, call: Call) => Json): Changes {
  return handler('export-v2', (inner: Handler) => {
    const known = new Map<string, number>()
    return (call) => {
      const reply = inner(call)
      const token = tokenOf(call)
      if (token === undefined || isPending(reply) || reply.status >= 300) return reply
      const used = known.get(token) ?? 0
      known.set(token, used + 1)
      return used === 0 ? reply : { ...reply, json: change(reply.json as Json, used, call) }
    }
  })
}

/** Changes a page that is not the last, knowing the next one. */
function withNext(change: (json: Json, next: Json) => Json): Changes {
  return replied('export-v2', (answer, call, inner) => {
    const json = answer.json as Json
    if (typeof json.pagination_id !== 'string' || call.query.has('size')) return answer
    const next = inner(withQuery(call, { pagination_id: json.pagination_id }))
    return isPending(next) ? answer : { ...answer, json: change(json, next.json as Json) }
  })
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

/** Faults of the exports: what is selected, in what order, and how pages hang together. */
export const exportFaults: Coded = {
  'export-v1-backwards': turned('export-v1'),
  'export-v2-backwards': turned('export-v2'),
  'export-v1-mail-lines-inside': linesInside,
  'export-page-10001': withNext((json, next) => {
    return { ...json, lines: [...(json.lines as Rows), ...(next.lines as Rows).slice(0, 1)] }
  }),
  'export-page-long': withNext((json, next) => {
    return { ...next, lines: [...(json.lines as Rows), ...(next.lines as Rows)] }
  }),
  'export-endless': endless,
  'export-border-doubled': borderDoubled(),
  'export-one-cursor': oneCursor(),
  'export-token-once': again(() => {
    throw new Refusal('NotFound', 'there is nothing here')
  }),
  'export-token-empty-again': again((json) => ({ ...json, lines: [] })),
  'export-token-wears-out': again((json, used) => {
    return used < 2 ? json : { ...json, lines: (json.lines as Rows).slice(1) }
  }),
  'export-token-sees-new-lines': again((json, _, { state }) => {
    const newest = state.lines.all.at(-1)
    return { ...json, lines: [...(newest ? [exported(newest)] : []), ...(json.lines as Rows)] }
  }),
}
