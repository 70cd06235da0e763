import { isMarked, receivedLines } from '../../rules/known/lines.ts'
import { tokenIn } from '../../rules/known/selection.ts'
import { operationsWhere } from '../../schemas/service.ts'
import { wallTime } from '../../schemas/times.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import {
  type CaseContext,
  type LineContext,
  NotRun,
  type Params,
  refusedBy,
  requireOperation,
  type Sent,
} from '../case.ts'
import { settle } from './read-back.ts'

/** What to export. Times in seconds since the epoch. */
export interface Wanted {
  readonly from: number
  readonly to: number
  readonly hosts?: readonly string[]
  readonly apps?: readonly string[]
  readonly levels?: readonly string[]
  readonly size?: number
  readonly prefer?: 'head' | 'tail'
  readonly email?: string
}

const HOUR = 3_600

/** A period around now, wide enough for clocks that differ. */
export function recent(hours = 1): Pick<Wanted, 'from' | 'to'> {
  const now = Math.floor(wallTime() / 1000)
  return { from: now - hours * HOUR, to: now + 300 }
}

const [first = '', second = ''] = operationsWhere(({ verb }) => verb === 'export')
/** The two exports, and both of them, the newest first. */
export const V1: string = first
export const V2: string = second
export const EXPORTS: readonly string[] = [V2, V1]

/** The query of an export, under the target's names. Throws NotRun where it has no name for something. */
export function exportQuery(context: LineContext, id: string, wanted: Wanted): Record<string, string> {
  const { parameters } = requireOperation(context, id)
  const query: Record<string, string> = {}
  for (const [ours, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const name = parameters[ours]
    // Whose lines come is seen by their marks: without this filter there are others among them.
    if (name === undefined && ours === 'hosts') continue
    if (name === undefined) throw new NotRun('gap-unanswered', `the binding has no parameter ${ours} of ${id}`)
    query[name] = Array.isArray(value) ? value.join(',') : String(value)
  }
  return query
}

/** The query of an export that holds no lines, under a name that nobody uses. */
export function exportOfNobody(context: CaseContext, id: string): Record<string, string> {
  const { parameters } = requireOperation(context, id)
  const hosts = parameters.hosts === undefined ? {} : { hosts: [context.label()] }
  return exportQuery(context, id, { ...recent(), ...hosts })
}

/** Adds a token, or what stands for the first page: as the binding says, or in another form. */
export function withToken(
  context: LineContext,
  query: Params,
  token: string | null,
  form: string = firstPageForm(context),
): Record<string, string> {
  const name = requireOperation(context, V2).parameters.pagination_id ?? 'pagination_id'
  if (token !== null) return { ...query, [name]: token }
  if (form === 'left-out') return { ...query }
  return { ...query, [name]: form === 'null' ? 'null' : '' }
}

export function firstPageForm(context: LineContext): string {
  return String(context.binding.answers.get('GAP-EXPORT-FIRST-PAGE')?.value ?? 'null')
}

/** Sends an export as it is; of v2, the first page. Throws NotRun where the target does not seem to have it. */
export async function exportOnce(context: LineContext, id: string, wanted: Wanted, intent: CaseIntent): Promise<Sent> {
  const query = exportQuery(context, id, wanted)
  const sent = await context.send({
    operation: id,
    query: id === V2 ? withToken(context, query, null) : query,
    intent,
  })
  const { view } = sent
  if ([404, 405, 501].includes(view.status)) {
    throw refusedBy(view, 'answer-does-not-fit', `${id} is answered with`)
  }
  return sent
}

/** Marks of the run's own lines in an answer. */
export function marksIn({ view }: Sent): ReadonlySet<string> {
  return new Set((receivedLines(view) ?? []).filter(isMarked).map(({ id }) => id))
}

/** Exports until so many lines of the run are there, or the settle time is over. */
export async function exportUntil(
  context: CaseContext,
  id: string,
  wanted: Wanted,
  count: number,
  intent: CaseIntent = { kind: 'base' },
): Promise<Sent> {
  return settle(
    context,
    (final) => exportOnce(context, id, wanted, { ...intent, final }),
    (sent) => sent.view.accepted && marksIn(sent).size >= count,
  )
}

/** An export of several pages under way. */
export interface Paged {
  readonly query: Params
  /** tokens that were given, in the order of their pages: the first leads to the second page */
  readonly tokens: readonly string[]
  /** marks of the run's own lines that have come so far */
  readonly marks: ReadonlySet<string>
  /** false: there is a further page, or the last request was refused */
  readonly ended: boolean
}

/** Asks for the first page. */
export async function beginExport(context: CaseContext, wanted: Wanted, intent: CaseIntent): Promise<Paged> {
  const query = exportQuery(context, V2, wanted)
  const sent = await context.send({ operation: V2, query: withToken(context, query, null), intent })
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
  return context.send({ operation: V2, query: withToken(context, paged.query, token), intent })
}

/** Reads the pages that follow, so many at most. */
export async function furtherPages(
  context: CaseContext,
  begun: Paged,
  most: number,
  intent: CaseIntent,
): Promise<Paged> {
  let paged = begun
  for (let page = 0; page < most && !paged.ended; page += 1) {
    const before = paged.tokens.length
    paged = await nextPage(context, paged, intent)
    if (paged.tokens.length === before) break
  }
  return paged
}

/** Reads all pages; gives up after twice as many as there can be. */
export async function exportPages(
  context: CaseContext,
  wanted: Wanted,
  lines: number,
  intent: CaseIntent,
): Promise<Paged> {
  const most = 2 * Math.ceil(lines / (wanted.size ?? PAGE)) + GRACE_PAGES
  return furtherPages(context, await beginExport(context, wanted, intent), most - 1, intent)
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
