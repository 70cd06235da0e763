import { createHash } from 'node:crypto'
import { invalid } from '../core/refusal.ts'
import { type Answer, type Handler, ok } from '../core/route.ts'
import type { Line } from '../model/lines.ts'
import { exported, type Place, type Selection, select, selectionOf, sizeOf } from './selection.ts'

/**
 * Export v1: at most as many lines as the plan grants, from the end of the period that `prefer` names. They are in the
 * order of their times. With an e-mail address the answer only confirms that they will be mailed, and nothing is.
 */
const exportLines: Handler = (call) => {
  const selection = selectionOf(call)
  const size = sizeOf(call.query, call.state.plan.exportLines)
  const email = call.query.get('email') ?? ''
  if (email !== '' && !/^[^@\s]+@[^@\s]+$/.test(email)) throw invalid('query parameter email', 'must be an address')
  const { lines } = select(call.state.lines, selection, size, call.state.lines.nextSeq, undefined)
  const ordered = selection.prefer === 'head' ? lines : lines.toReversed()
  if (email === '') return jsonl(ordered)
  return ok({ message: `the export will be mailed to ${email}` })
}

function jsonl(lines: readonly Line[]): Answer {
  return { status: 200, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, text: textOf(lines) }
}

const LINES_A_PIECE = 500

function* textOf(lines: readonly Line[]): Generator<string> {
  for (let first = 0; first < lines.length; first += LINES_A_PIECE) {
    const piece = lines.slice(first, first + LINES_A_PIECE)
    yield piece.map((line) => `${JSON.stringify(exported(line))}\n`).join('')
  }
}

/** lines of one page, at most (section 'Limits') */
const LARGEST_PAGE = 10_000

/** All that a token stands for: the export with its times resolved, and the page. */
interface Ticket {
  readonly selection: Selection
  readonly size: number
  /** the parameters of the first request, without the token */
  readonly asked: string
  /** lines that arrived later belong to no page of this export */
  readonly newest: number
  readonly after: Place
}

/**
 * Export v2: pages of lines. A token carries everything that its page depends on, so that it gives the same lines
 * whenever it is used. Beside other parameters than those of the first request it is refused.
 */
const exportPage: Handler = (call) => {
  const { query, state } = call
  const asked = parametersOf(query)
  const token = query.get('pagination_id') ?? ''
  const ticket = token === '' || token === 'null' ? undefined : readToken(token)
  if (ticket && ticket.asked !== asked) {
    throw invalid('query parameter pagination_id', 'belongs to an export with other parameters')
  }
  const selection = ticket?.selection ?? selectionOf(call)
  const size = ticket?.size ?? sizeOf(query, LARGEST_PAGE)
  const newest = ticket?.newest ?? state.lines.nextSeq - 1
  const { lines, more } = select(state.lines, selection, size, newest, ticket?.after)
  const last = lines.at(-1)
  const next = more && last ? { selection, size, asked, newest, after: { ts: last.ts, seq: last.seq } } : undefined
  return ok({ lines: lines.map(exported), pagination_id: next ? writeToken(next) : null })
}

function parametersOf(query: URLSearchParams): string {
  const others = new URLSearchParams(query)
  others.delete('pagination_id')
  others.sort()
  return others.toString()
}

function writeToken(ticket: Ticket): string {
  const content = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${content}.${checksum(content)}`
}

function readToken(token: string): Ticket {
  const [content = '', sum] = token.split('.')
  if (sum !== checksum(content)) throw invalid('query parameter pagination_id', 'is no token of an export')
  return JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as Ticket
}

// A token with a character changed is no token, instead of one of another page.
function checksum(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}

export const exportHandlers: Readonly<Record<string, Handler>> = { 'export-v1': exportLines, 'export-v2': exportPage }
