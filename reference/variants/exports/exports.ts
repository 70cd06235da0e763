import type { BindingFile } from '../../../schemas/binding.ts'
import { invalid } from '../../core/refusal.ts'
import { type Handler, isPending } from '../../core/route.ts'
import { asked, demands, type Json, type Rows, tokenOf, withQuery } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import type { CodedVariants } from '../core/variant.ts'

function exportPages(wrap: (inner: Handler) => Handler): () => Changes {
  return () => ({ handlers: { 'export-v2': wrap } })
}

const SHORTER = '7000'

const END = 'end:'

/** Tokens of pages are numbers. */
function numberedPages(): Changes {
  const tokens = new Map<string, number>()
  return {
    handlers: {
      'export-v2': (inner) => (call) => {
        const given = call.query.get('pagination_id')
        const token = [...tokens].find(([, number]) => String(number) === given)?.[0]
        return inner(token === undefined ? call : withQuery(call, { pagination_id: token }))
      },
    },
    answer(answer, _request, operation) {
      const json = answer.json as { pagination_id?: unknown } | undefined
      if (operation !== 'export-v2' || typeof json?.pagination_id !== 'string') return answer
      const number = tokens.get(json.pagination_id) ?? 1_000 + tokens.size
      tokens.set(json.pagination_id, number)
      return { ...answer, json: { ...json, pagination_id: number } }
    },
  }
}

/** Export v1 mails nothing while another export is under way. */
function oneMail(): Changes {
  let isUnderWay = false
  return demands('export-v1', ({ query }) => {
    if ((query.get('email') ?? '') === '') return
    if (isUnderWay) throw invalid('/email', 'another export is under way')
    isUnderWay = true
  })
}

/** Above 10,000 lines, pages have fewer. */
const shorterPages = exportPages((inner) => (call) => {
  if (call.query.has('size')) return inner(call)
  const shorter = withQuery(call, { size: SHORTER })
  if (tokenOf(call) !== undefined) return inner(shorter)
  const reply = inner(call)
  const more = !isPending(reply) && typeof (reply.json as Json | undefined)?.pagination_id === 'string'
  return more ? inner(shorter) : reply
})

/** Above 10,000 lines, the last page is empty. */
const emptyLastPage = exportPages((inner) => (call) => {
  const token = tokenOf(call)
  if (token?.startsWith(END)) return { status: 200, json: { lines: [], pagination_id: null } }
  const reply = inner(call)
  if (token === undefined || call.query.has('size') || isPending(reply) || reply.status >= 300) return reply
  const json = reply.json as Json
  const last = json.pagination_id === null && (json.lines as Rows).length > 0
  return last ? { ...reply, json: { ...json, pagination_id: END + token } } : reply
})

/** Nothing chooses hosts: the lines of others come as well, as far as there is room. */
const allHosts = {
  binding: (): BindingFile => ({
    formatVersion: 1,
    name: 'export-v1-all-hosts',
    operations: { 'export-v1': { parameters: { hosts: null } } },
  }),
  changes: (): Changes => asked('export-v1', (call) => withQuery(call, { hosts: null })),
}

/** A token is refused once the page after its own was asked for. */
const oldTokensRefused = exportPages((inner) => {
  // Tokens of two exports that ask for the same are two tokens.
  const given = new Map<string, { readonly token: string; readonly before: string | undefined }>()
  const retired = new Set<string>()
  return (call) => {
    const asked = tokenOf(call)
    const known = given.get(asked ?? '')
    if (asked !== undefined && (!known || retired.has(asked))) throw invalid('query parameter pagination_id', 'is old')
    if (known?.before !== undefined) retired.add(known.before)
    const reply = inner(known ? withQuery(call, { pagination_id: known.token }) : call)
    if (isPending(reply) || reply.status >= 300) return reply
    const json = reply.json as Json
    if (typeof json.pagination_id !== 'string') return reply
    const name = `page-${given.size + 1}`
    given.set(name, { token: json.pagination_id, before: asked })
    return { ...reply, json: { ...json, pagination_id: name } }
  }
})

/** Other ways of the exports, within what the sections on them say. */
export const exportVariants: CodedVariants = {
  'export-v1-all-hosts': allHosts,
  'mail-one-at-a-time': oneMail,
  'export-shorter-pages': shorterPages,
  'export-empty-last-page': emptyLastPage,
  'export-old-tokens-refused': oldTokensRefused,
  'export-numbered-pages': numberedPages,
}
