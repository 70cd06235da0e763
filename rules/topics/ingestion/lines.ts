import type { LineSender } from '../../../schemas/types/exchange.ts'
import { broken, decide, type Fault, held, type Judgement, observed } from '../../core/judgement.ts'
import { misfit, misnamedText, nameInLine } from '../../core/misfit.ts'
import { about, claimOf, type Oracle, type Rule } from '../../core/rule.ts'
import { dateOf, EXPORTING, type ExchangeView, exportOf, SENDING } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { batchesIn, type GroupRule, ownLinesIn, sendsLines } from '../../known/groups.ts'
import { isMarked, isSameTime, type Line, receivedLines } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf, type Taken } from '../../known/lines-store.ts'
import { holdsTexts, type Selection, selectionOf, shownIn, tokenIn } from '../../known/selection.ts'

const EXPORTS = (): readonly string[] => EXPORTING
/** Lines that export v1 returns under the smallest plan (section 'Limits'). */
const CAP = 10_000
/** Milliseconds by which a target's clock may be behind ours: newer lines may lie in its future. */
const CLOCKS_MS = 5 * 60_000
/** What lines show whose texts can be read. */
const UNREADABLE = ['LINES-COME-OUT', 'LINES-VERBATIM', 'LINES-ONCE', 'LINES-FIELDS']

/**
 * LINES-COME-OUT, EXPORT-V2-FROM-ZERO, EXPORT-V2-TO-ZERO: sent lines come out of an export of their period (categories
 * 'Ingestion' and 'Export'). The period may be open at an end (section 'Export v2'). Exports of several pages are
 * joined by another rule.
 */
export const linesComeOutRule: Rule<LinesKnown> = {
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
    if (exportOf(view) === 1 && lines.length > 0 && !holdsTexts(view)) return []
    const wanted = expectedIn(known, selection, view)
    // Where more are stored than the smallest plan grants, the number that comes out is another rule's matter.
    if (exportOf(view) === 1 && wanted.length > CAP) return []
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
  if (exportOf(view) === 1) return from === 0 || to === 0 ? undefined : 'LINES-COME-OUT'
  if (from === 0) return to === 0 ? undefined : 'EXPORT-V2-FROM-ZERO'
  return to === 0 ? 'EXPORT-V2-TO-ZERO' : 'LINES-COME-OUT'
}

/** Whether an answer by itself holds all that was asked for. */
function isWhole(view: ExchangeView, { size, token }: Selection, count: number): boolean {
  if (token !== undefined) return false
  if (exportOf(view) === 1) return count < Math.min(size ?? CAP, CAP)
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

/**
 * LINES-COME-OUT: a line that was sent comes out, whatever an earlier one says (category 'Ingestion'). Two equal lines
 * of different times are two lines. Only where the target shows the times that they were sent with, else it may take
 * them for one. What becomes of two that are the same in everything is not stated.
 */
export const saidTwiceRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'lines that say the same',
  judge(view, before, oracle) {
    const lines = sendsLines(view) ? undefined : ownLinesIn(view)
    if (!lines) return []
    const batches = batchesIn(before)
    const exchanges = [...batches.map(({ exchange }) => exchange), view.id]
    const doubt = doubtOf(view, Math.max(0, ...batches.map(({ end }) => end)), oracle)
    const shown = grouped(lines)
    return [...grouped(batches.flatMap((batch) => batch.lines))].flatMap(([id, sent]) =>
      // That none comes out is another rule's matter.
      sent.length < 2 || !shown.has(id) ? [] : judge(view, exchanges, sent, shown.get(id) ?? [], doubt),
    )
  },
}

/** The judgements about lines with one mark: those that were sent, and those that are shown. */
function judge(
  view: ExchangeView,
  exchanges: readonly string[],
  sent: readonly Line[],
  shown: readonly Line[],
  doubt: string | undefined,
): Judgement[] {
  const times = new Set(sent.map(({ time }) => time)).size
  const about = { edge: 'lines that say the same', exchanges }
  if (times === 1) {
    const what = `lines that are the same in everything: ${shown.length} of ${sent.length} come out of ${view.operation?.id}`
    return doubt === undefined ? [observed(claimOf('GAP-LINES-ALIKE', [view], about), what)] : []
  }
  const claim = claimOf('LINES-COME-OUT', [view], about)
  if (shown.length >= times) return [held(claim)]
  if (!shown.every((line) => sent.some((one) => isSameTime(line.time, one.time) === true))) return []
  const cut = isWhole(view, selectionOf(view), receivedLines(view)?.length ?? 0) ? undefined : CUT
  const fault = {
    message: 'of equal lines with different times, some do not come out',
    expected: `${times} lines that say what ${sent[0]?.id} says`,
    actual: `${shown.length} of them`,
  }
  return [decide(claim, fault, cut ?? doubt)]
}

const CUT = 'not judged: the export may hold a part of the lines alone'

function grouped(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>()
  for (const line of lines) {
    const same = found.get(line.id)
    if (same) same.push(line)
    else found.set(line.id, [line])
  }
  return found
}

const FIELDS = ['host', 'app', 'level', 'tags'] as const
/** Lines of an answer that its body still holds. */
const SHOWN_LINES = 3

/** LINES-VERBATIM, LINES-FIELDS: a line comes out with the text and the fields that were sent (category 'Ingestion'). */
export const linesUnchangedRule: Rule<LinesKnown> = {
  operations: EXPORTS,
  judge(view, known, oracle) {
    const names = comparedIn(view, oracle)
    let same = false
    let text: Taken | undefined
    let field: readonly [Taken, Line] | undefined
    // Lines of one request share what sent them: most pairs are the same as the one before.
    let alike: readonly [LineSender | undefined, LineSender | undefined] = [undefined, undefined]
    for (const read of shownIn(view)?.marked.values() ?? []) {
      const taken = known.taken.get(read.id)
      if (!taken || taken.batch.mayBeDropped) continue
      same = true
      if (!text && read.hash !== taken.line.hash) text = taken
      if (field || (alike[0] === taken.line.sender && alike[1] === read.sender)) continue
      if (differs(taken.line, read, names)) field = [taken, read]
      else alike = [taken.line.sender, read.sender]
    }
    if (!same) return []
    const base = { ...about(view), exchanges: [view.id], edge: view.operation?.id ?? '' }
    const fault = text && {
      message: 'a line comes out with another text than was sent',
      expected: `the text that was sent as ${text.line.id}`,
      actual: 'a text with another hash',
    }
    const exchanges = text ? [text.batch.exchange, view.id] : base.exchanges
    const verbatim = decide({ ...base, exchanges, requirement: 'LINES-VERBATIM' }, fault, undefined)
    return names.length === 0 ? [verbatim] : [verbatim, ...judgeFields(view, known, names, field)]
  },
}

/** The fields that can be sent and read under the binding. */
function comparedIn(view: ExchangeView, { binding }: Oracle): readonly (keyof LineSender)[] {
  const bound = view.operation?.fields ?? {}
  const sendable = binding.operations.get(SENDING[0] ?? '')?.fields ?? {}
  return FIELDS.filter((name) => {
    const sent = name === 'host' || name === 'tags' || sendable[name] !== undefined
    return sent && bound[name] !== undefined
  })
}

function judgeFields(
  view: ExchangeView,
  known: LinesKnown,
  compared: readonly (keyof LineSender)[],
  different: readonly [Taken, Line] | undefined,
): Judgement[] {
  const claim = { ...about(view), edge: view.operation?.id ?? '', requirement: 'LINES-FIELDS', exchanges: [view.id] }
  if (!different) return [{ ...claim, outcome: 'held' }]
  const misnamed = misnamedFields(view, known, compared)
  const [first] = misnamed
  const { edge, ...place } = claim
  const judged: Judgement[] = first ? [{ ...place, outcome: 'misfit', message: misfit(view, ...first) }] : []
  const names = compared.filter((name) => !misnamed.some(([other]) => other === name))
  const [{ line, batch }, read] = different
  if (!differs(line, read, names)) return judged
  const message = 'a line comes out with other fields than were sent'
  const fault = { message, expected: shown(only(line.sender, names)), actual: shown(only(read.sender, names)) }
  return [...judged, decide({ ...claim, exchanges: [batch.exchange, view.id] }, fault, undefined)]
}

/** Fields that a line seems to lack, and whose value it has under another name. */
function misnamedFields(
  view: ExchangeView,
  known: LinesKnown,
  names: readonly (keyof LineSender)[],
): (readonly [ours: string, found: string])[] {
  const found = new Map<string, string>()
  for (const [index, read] of (shownIn(view)?.lines ?? []).slice(0, SHOWN_LINES).entries()) {
    const sent = known.taken.get(read.id)?.line.sender
    for (const name of sent && read.sender ? names : []) {
      if (String(read.sender?.[name]) !== '' || found.has(name)) continue
      const other = nameInLine(view, index, sent?.[name])
      if (other !== undefined) found.set(name, other)
    }
  }
  return [...found]
}

function differs({ sender: sent }: Line, { sender: read }: Line, names: readonly (keyof LineSender)[]): boolean {
  return sent !== undefined && read !== undefined && names.some((name) => String(sent[name]) !== String(read[name]))
}

function only(sender: LineSender | undefined, names: readonly (keyof LineSender)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sender?.[name]]))
}
