import { tokenIn } from '../../rules/topics/ingestion/comes-out.ts'
import type { CaseIntent } from '../../schemas/intents.ts'
import type { CaseContext, Sent } from './case.ts'
import { exportQuery, marksIn, settle, type Wanted, withToken } from './lines.ts'

/** An export of several pages under way. */
export interface Paged {
  readonly query: Readonly<Record<string, string>>
  /** tokens that were given, in the order of their pages: the first leads to the second page */
  readonly tokens: readonly string[]
  /** marks of the run's own lines that have come so far */
  readonly marks: ReadonlySet<string>
  /** false: there is a further page, or the last request was refused */
  readonly ended: boolean
}

/** Asks for the first page. */
export async function beginExport(context: CaseContext, wanted: Wanted, intent: CaseIntent): Promise<Paged> {
  const query = exportQuery(context, 'export-v2', wanted)
  const sent = await context.send({ operation: 'export-v2', query: withToken(context, query, null), intent })
  return after({ query, tokens: [], marks: new Set(), ended: false }, sent)
}

/** Asks for the next page; the same export again where there is none. */
export async function nextPage(context: CaseContext, paged: Paged, intent: CaseIntent): Promise<Paged> {
  const token = paged.tokens.at(-1)
  if (paged.ended || token === undefined) return paged
  return after(paged, await askToken(context, paged, token, intent))
}

/** Asks for a page by its token, whether it was read before or not. */
export function askToken(context: CaseContext, paged: Paged, token: string, intent: CaseIntent): Promise<Sent> {
  return context.send({ operation: 'export-v2', query: withToken(context, paged.query, token), intent })
}

/** Reads all pages; gives up after twice as many as there can be. */
export async function exportPages(
  context: CaseContext,
  wanted: Wanted,
  lines: number,
  intent: CaseIntent,
): Promise<Paged> {
  const perPage = wanted.size ?? PAGE
  const most = 2 * Math.ceil(lines / perPage) + GRACE_PAGES
  let paged = await beginExport(context, wanted, intent)
  for (let page = 1; page < most && !paged.ended; page += 1) {
    const before = paged.tokens.length
    paged = await nextPage(context, paged, intent)
    if (paged.tokens.length === before) break
  }
  return paged
}

/** Reads all pages until so many lines are there, or the settle time is over. */
export function exportPagesUntil(context: CaseContext, wanted: Wanted, lines: number): Promise<Paged> {
  return settle(
    context,
    (final) => exportPages(context, wanted, lines, { kind: 'base', final }),
    (paged) => paged.ended && paged.marks.size >= lines,
  )
}

const PAGE = 10_000
const GRACE_PAGES = 12

function after(paged: Paged, sent: Sent): Paged {
  const token = sent.view.accepted ? tokenIn(sent.view) : undefined
  const marks = new Set([...paged.marks, ...marksIn(sent)])
  if (typeof token === 'string') return { ...paged, marks, tokens: [...paged.tokens, token] }
  return { ...paged, marks, ended: true }
}
