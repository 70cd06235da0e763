import { broken, decide, type Fault, held, type Judgement } from '../../core/judgement.ts'
import { misfit, misnamedText } from '../../core/misfit.ts'
import { about, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { dateOf } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { isMarked } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf } from '../../known/lines-store.ts'
import { holdsTexts, type Selection, shownIn, tokenIn } from '../../known/selection.ts'

const EXPORTS = (): string[] => ['export-v1', 'export-v2']
/** Lines that export v1 returns under the smallest plan (section 'Limits'). */
const CAP = 10_000
/** Milliseconds by which a target's clock may be behind ours: what is newer may be of a time to come there. */
const CLOCKS_MS = 5 * 60_000
/** What lines show whose texts can be read. */
const UNREADABLE = ['LINES-COME-OUT', 'LINES-VERBATIM', 'LINES-ONCE', 'LINES-FIELDS']

/**
 * LINES-COME-OUT, EXPORT-V2-FROM-ZERO, EXPORT-V2-TO-ZERO: what was sent comes out of an export of its period (categories
 * 'Ingestion' and 'Export'), also of one that is open at an end (section 'Export v2'). Exports of several pages are joined
 * by another rule.
 */
export const linesComeOutRule: Rule<LinesKnown> = {
  name: 'lines that were sent come out',
  operations: EXPORTS,
  judge(view, known, oracle) {
    const misnamed = view.accepted ? misnamedText(view) : undefined
    if (misnamed !== undefined) {
      const base = {
        ...about(view),
        exchanges: [view.id],
        outcome: 'misfit',
        message: misfit(view, 'line', misnamed),
      } as const
      return UNREADABLE.map((requirement): Judgement => ({ ...base, requirement }))
    }
    const shown = shownIn(view)
    if (!shown || view.intent?.kind === 'observe') return []
    const { lines, marked, selection } = shown
    const requirement = requirementOf(view, selection)
    if (requirement === undefined || !isWhole(view, selection, lines.length)) return []
    // Where the body does not hold lines at all, none of them can be missing.
    if ((view.exchange._digest?.received?.unreadable ?? 0) > 0) return []
    if (view.operation?.id === 'export-v1' && lines.length > 0 && !holdsTexts(view)) return []
    const wanted = expectedIn(known, selection, view)
    // Where more are stored than the smallest plan grants, the number that comes out is another rule's matter.
    if (view.operation?.id === 'export-v1' && wanted.length > CAP) return []
    // That lines come out at all is judged where the period is closed; here, that an open one shows them too.
    const latest = selection.to === 0 ? presentOf(view) - CLOCKS_MS : Number.POSITIVE_INFINITY
    const due =
      requirement === 'LINES-COME-OUT'
        ? wanted
        : wanted.filter(({ line, closed }) => closed && (line.time ?? latest) < latest)
    if (due.length === 0) return []
    const missing = due.filter(({ line }) => !marked.has(line.id))
    const [first] = missing
    const exchanges = first ? [first.batch.exchange, view.id] : [view.id]
    const fault: Fault | undefined = first && {
      message: 'lines that were sent do not come out of an export of their period',
      expected: `the line marked ${first.line.id}, and ${due.length - 1} others`,
      actual: `${missing.length} of them are missing`,
    }
    const claim = { ...about(view), requirement, edge: view.operation?.id ?? '', exchanges }
    return [decide(claim, fault, doubtOf(view, newestOf(missing), oracle))]
  },
}

function requirementOf(view: ExchangeView, { from, to }: Selection): string | undefined {
  if (view.operation?.id === 'export-v1') return from === 0 || to === 0 ? undefined : 'LINES-COME-OUT'
  if (from === 0) return to === 0 ? undefined : 'EXPORT-V2-FROM-ZERO'
  return to === 0 ? 'EXPORT-V2-TO-ZERO' : 'LINES-COME-OUT'
}

/** Whether an answer by itself holds all that was asked for. */
function isWhole(view: ExchangeView, { size, token }: Selection, count: number): boolean {
  if (token !== undefined) return false
  if (view.operation?.id === 'export-v1') return count < Math.min(size ?? CAP, CAP)
  return tokenIn(view) === null && (size === undefined || count < size)
}

/** When an answer was asked for, milliseconds since the epoch: by our clock or by the target's, whichever is behind. */
function presentOf(view: ExchangeView): number {
  const { exchange } = view
  const date = dateOf(view)
  return Math.min(exchange._start, Number.isNaN(date) ? exchange._start : date)
}

/**
 * LINES-ONCE: one line is one line: what was sent once does not come out twice (category 'Ingestion'). Only of a run, which
 * knows what it sent.
 */
export const linesOnceRule: Rule<LinesKnown> = {
  name: 'a line comes out once',
  operations: EXPORTS,
  judge(view, known) {
    const shown = view.exchange._case === undefined || known.mayDrop ? undefined : shownIn(view)
    if (!shown) return []
    const { marked } = shown
    const claim = { ...about(view), requirement: 'LINES-ONCE', edge: view.operation?.id ?? '', exchanges: [view.id] }
    const all = shown.lines.filter(isMarked)
    if (all.length === marked.size) return all.some(({ id }) => known.taken.has(id)) ? [held(claim)] : []
    const before = new Set<string>()
    const twice = all.find(({ id }) => before.size === before.add(id).size && wasSentOnce(known, id))
    if (!twice) return []
    return [
      broken(
        { ...claim, exchanges: [known.taken.get(twice.id)?.batch.exchange ?? '', view.id] },
        {
          message: 'a line that was sent once comes out more than once',
          expected: `one line marked ${twice.id}`,
          actual: `${all.filter(({ id }) => id === twice.id).length} of them`,
        },
      ),
    ]
  },
}

function wasSentOnce(known: LinesKnown, id: string): boolean {
  return !known.forgetful && known.taken.get(id)?.again === false && !known.unsure.has(id)
}
