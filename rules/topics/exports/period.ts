import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, decide, held, type Judgement } from '../../core/judgement.ts'
import { about, claimOf, type Rule } from '../../core/rule.ts'
import { dateOf, EXPORTING, type ExchangeView, exportOf } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { batchesIn, type GroupRule, ownLinesIn, sendsLines } from '../../known/groups.ts'
import { isMarked, isSameTime, type Line } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf } from '../../known/lines-store.ts'
import { selectionOf, shownIn, tokenIn } from '../../known/selection.ts'

const AROUND_LINES: ReadonlySet<ProbeName | undefined> = new Set([
  'holds older and newer lines',
  'ends before newer lines',
  'begins after older lines',
])
const AROUND_NOW: ReadonlySet<ProbeName | undefined> = new Set([
  'ends after lines to come',
  'ends before lines to come',
  'ends now',
])

/**
 * EXPORT-V1-PERIOD, EXPORT-V2-PERIOD: only lines between `from` and `to` come out of an export. The text does not say
 * which time of a line counts, its own or that of its arrival. So a line is outside if both are, and the target shows
 * no other time for it. An export may show lines that came in after its end and leave out newer ones. Then a target
 * goes by their own times, and an export that begins after these has none of them.
 */
export const periodRule: GroupRule = {
  sees: (view) => sendsLines(view) || (AROUND_LINES.has(view.intent?.probe) && exportOf(view) !== undefined),
  judge(view, before) {
    if (view.intent?.probe === 'ends before newer lines') return judgeEnd(view, before)
    return view.intent?.probe === 'begins after older lines' ? judgeBegin(view, before) : []
  },
}

/** The run's lines in an export of a period with a moment at one end at least; undefined: it tells of none. */
function linesShown(view: ExchangeView): readonly Line[] | undefined {
  const { from, to, email } = selectionOf(view)
  // In export v2 a 0 stands for the beginning, or for now.
  const isPeriod = exportOf(view) === 2 ? from !== undefined && to !== undefined && from + to > 0 : from && to
  return isPeriod && email === undefined ? ownLinesIn(view) : undefined
}

/** How an export that ends before newer lines treats what came in after its end. */
interface End {
  /** a line that it has to leave out, and shows */
  readonly wrong: Line | undefined
  /** whether it leaves out all that are known to be stored */
  readonly isKept: boolean
  /** older lines that it shows, though they came in after its end */
  readonly early: readonly Line[]
}

function endOf(view: ExchangeView, before: readonly ExchangeView[]): End {
  const lines = linesShown(view) ?? []
  const { to = 0 } = selectionOf(view)
  const sent = batchesIn(before).flatMap((batch) => (batch.start > to ? batch.lines : []))
  const late = new Set(sent.flatMap(({ id, time }) => (time === undefined || time > to ? id : [])))
  const whole = before.findLast(
    (one) => one.intent?.probe === 'holds older and newer lines' && linesShown(one) !== undefined,
  )
  const stored = whole ? (linesShown(whole) ?? []).filter(({ id }) => late.has(id)) : []
  const wrong = lines.find(({ id, time }) => late.has(id) && (time ?? to + 1) > to)
  const keepsEnd = stored.length > 0 && stored.every(({ id }) => lines.every((line) => line.id !== id))
  const early = sent.filter(({ id, time }) => time && time <= to && lines.some((line) => line.id === id))
  return { wrong, early, isKept: wrong === undefined && keepsEnd }
}

function judgeEnd(view: ExchangeView, before: readonly ExchangeView[]): Judgement[] {
  if (!linesShown(view)) return []
  const { wrong, isKept } = endOf(view, before)
  return judgeSide('to', view, sentIn(before), wrong, isKept)
}

function judgeBegin(view: ExchangeView, before: readonly ExchangeView[]): Judgement[] {
  const lines = linesShown(view)
  const { from = 0 } = selectionOf(view)
  const ends = before.flatMap((one, index) =>
    one.intent?.probe === 'ends before newer lines' && linesShown(one)
      ? [{ one, ...endOf(one, before.slice(0, index)) }]
      : [],
  )
  const older = ends.findLast(({ isKept }) => isKept)
  const due = new Set(older?.early.flatMap(({ id, time }) => (time && time < from ? id : [])))
  if (!lines || !older || due.size === 0) return []
  const late = lines.filter(({ id }) => due.has(id))
  const wrong = late.find(({ time }) => (time ?? 0) < from)
  // An export that shows nothing at all says nothing of where it begins.
  const isKept = late.length === 0 && lines.length > 0
  return judgeSide('from', view, [...sentIn(before), older.one.id], wrong, isKept)
}

/** The requests that sent lines. */
function sentIn(before: readonly ExchangeView[]): readonly string[] {
  return batchesIn(before).map(({ exchange }) => exchange)
}

function judgeSide(
  edge: 'from' | 'to',
  view: ExchangeView,
  earlier: readonly string[],
  wrong: Line | undefined,
  isKept: boolean,
): Judgement[] {
  const requirement = exportOf(view) === 1 ? 'EXPORT-V1-PERIOD' : 'EXPORT-V2-PERIOD'
  const claim = claimOf(requirement, [view], { edge, exchanges: [...earlier, view.id] })
  if (!wrong) return isKept ? [held(claim)] : []
  const side = edge === 'to' ? 'after' : 'before'
  const told = wrong.time === undefined ? 'such as' : `of ${new Date(wrong.time).toISOString()}, such as`
  const message = `lines from ${side} \`${edge}\` come out of an export`
  return [broken(claim, { message, expected: `no line from ${side} ${edge}`, actual: `a line ${told} ${wrong.id}` })]
}

/**
 * EXPORT-V2-TO-ZERO: `to=0` ends at the current time (section 'Export v2'). So the export holds no line that the same
 * target puts after a future moment. If lines of the future are refused, or kept under other times, nothing is judged.
 */
export const toNowRule: GroupRule = {
  sees: (view) => exportOf(view) === 2 && AROUND_NOW.has(view.intent?.probe),
  judge(view, before) {
    const marks = view.intent?.probe === 'ends now' && selectionOf(view).to === 0 ? marksIn(view) : undefined
    const later = before.findLast((one) => one.intent?.probe === 'ends after lines to come' && marksIn(one))
    // A line on a further page is not known to be left out.
    const soon = before.findLast(
      (one) => one.intent?.probe === 'ends before lines to come' && marksIn(one) && tokenIn(one) === null,
    )
    if (!marks || !later || !soon) return []
    const { to = 0 } = selectionOf(soon)
    if (clockOf(view) >= to) return []
    const left = marksIn(soon)
    // One that is only missing, since the target was behind, is of another time.
    const coming = (ownLinesIn(later) ?? []).filter(({ id, time = 0 }) => time > to && !left?.has(id))
    if (coming.length === 0) return []
    const shown = coming.flatMap(({ id }) => (marks.has(id) ? id : []))
    const fault = {
      message: 'to=0 does not end at the current time: the export holds lines of the future',
      expected: `none of the lines that an export until ${new Date(to).toISOString()} leaves out`,
      actual: `${shown.length} of them, such as ${shown[0]}`,
    }
    const claim = claimOf('EXPORT-V2-TO-ZERO', [later, soon, view], { edge: 'lines of the future' })
    return [decide(claim, shown.length === 0 ? undefined : fault)]
  },
}

/** The marks of the run's lines in an export; undefined: it tells of none. */
function marksIn(view: ExchangeView): ReadonlySet<string> | undefined {
  const lines = selectionOf(view).to === undefined ? undefined : ownLinesIn(view)
  return lines && new Set(lines.map(({ id }) => id))
}

/** When the answer was given, milliseconds since the epoch: by our clock or by the target's, whichever is ahead. */
function clockOf(view: ExchangeView): number {
  const date = dateOf(view)
  return Math.max(view.exchange._end, Number.isNaN(date) ? 0 : date)
}

/** The two caps that a plan can have (section 'Limits'). */
const SMALL = 10_000
const LARGE = 20_000

/**
 * EXPORT-V1-CAP-VALUES: the cap of export v1 is 10,000 or 20,000 lines (section 'Export v1'). Where export v2 shows
 * that so many are stored, no smaller number comes out, and none between. That no more than 20,000 come out is judged
 * of each export by itself. Only of a run, which knows its lines.
 */
export const capRule: Rule<LinesKnown> = {
  operations: () => EXPORTING,
  judge(view, known, oracle) {
    const digest = exportOf(view) === 1 ? view.exchange._digest?.received : undefined
    if (!view.accepted || !digest || digest.unreadable > 0 || !view.intent || view.intent.kind === 'observe') return []
    const selection = selectionOf(view)
    if (selection.email !== undefined || selection.size !== undefined) return []
    const wanted = known.taken.size > SMALL ? expectedIn(known, selection, view) : []
    const stored = wanted.filter(({ paged }) => paged)
    const { count } = digest
    if (stored.length <= SMALL || count > LARGE) return []
    const isCap = count === SMALL || count === LARGE
    // Below the larger cap all lines may come out; that says nothing of where the cap is.
    if (!isCap && count >= stored.length) return []
    const edge = `${count} of ${stored.length} lines`
    const claim = { ...about(view), requirement: 'EXPORT-V1-CAP-VALUES', exchanges: [view.id], edge }
    const fault = {
      message: 'an export is cut at another number of lines than a plan can grant',
      expected: `${SMALL} lines${stored.length > LARGE ? `, or ${LARGE}` : ` or more`}`,
      actual: `${edge} that export v2 shows`,
    }
    const doubt = doubtOf(view, newestOf(stored), oracle)
    // More than the one cap, and not all: it is above a stated cap, whatever the plan is.
    const isAbove = count > SMALL && !isCap
    return [
      decide(claim, isCap ? undefined : fault, doubt),
      ...(isAbove ? [decide({ ...claim, requirement: 'EXPORT-V1-CAP' }, fault, doubt)] : []),
    ]
  },
}

const PREFER = { 1: 'EXPORT-V1-PREFER', 2: 'EXPORT-V2-PREFER' }

/**
 * EXPORT-V1-PREFER, EXPORT-V2-PREFER: `prefer` chooses the end of the period that a part of the lines is taken from: head
 * the first, tail the last ones. Judged where fewer lines were asked for than there are, and only lines of the run came.
 */
export const preferRule: Rule<LinesKnown> = {
  operations: () => EXPORTING,
  judge(view, known, oracle): Judgement[] {
    const shown = shownIn(view)
    const version = exportOf(view)
    if (!shown || version === undefined) return []
    const requirement = PREFER[version]
    const { lines, marked, selection } = shown
    const { prefer, size, token } = selection
    if (size === undefined || (prefer !== 'head' && prefer !== 'tail') || token !== undefined) return []
    if (lines.length < size || !lines.every(isMarked)) return []
    const stored = expectedIn(known, selection, view)
    const [taken, left] = [true, false].map((out) =>
      stored.flatMap(({ line }) => (marked.has(line.id) === out ? (line.time ?? 0) : [])),
    )
    if (!taken?.length || !left?.length || doubtOf(view, newestOf(stored), oracle) !== undefined) return []
    // A target that keeps lines under other times than they were sent with goes by those.
    if (stored.some(({ line }) => isSameTime(line.time, marked.get(line.id)?.time) === false)) return []
    const [first, last] = prefer === 'head' ? [taken, left] : [left, taken]
    const right = mostOf(first) <= leastOf(last)
    const exchanges = [...new Set(stored.map(({ batch }) => batch.exchange)), view.id].slice(-4)
    const fault = {
      message: `prefer ${prefer} does not choose that end of the period`,
      expected: `the ${size} ${prefer === 'head' ? 'first' : 'last'} lines of ${stored.length}`,
      actual: 'other lines of the period',
    }
    return [decide({ ...about(view), requirement, edge: prefer, exchanges }, right ? undefined : fault, undefined)]
  },
}

/** For more numbers than a call takes as arguments. */
function mostOf(times: readonly number[]): number {
  return times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
}

function leastOf(times: readonly number[]): number {
  return -mostOf(times.map((time) => -time))
}
