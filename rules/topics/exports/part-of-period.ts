import { decide, type Judgement } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { doubtOf } from '../../known/doubt.ts'
import { isMarked, isSameTime } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf } from '../../known/lines-store.ts'
import { selectionOf, shownIn } from '../../known/selection.ts'

/** The two caps that a plan can have (section 'Limits'). */
const SMALL = 10_000
const LARGE = 20_000

/**
 * EXPORT-V1-CAP-VALUES: the cap of export v1 is 10,000 or 20,000 lines (section 'Export v1'): where so many are stored, as
 * export v2 shows, no smaller number comes out, and none between. That no more than 20,000 come out is judged of each export
 * by itself. Only of a run, which knows its lines.
 */
export const capRule: Rule<LinesKnown> = {
  name: 'an export v1 is cut at a number that a plan grants',
  operations: () => ['export-v1'],
  judge(view, known, oracle) {
    const digest = view.exchange._digest?.received
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
    return [decide(claim, isCap ? undefined : fault, doubtOf(view, newestOf(stored), oracle))]
  },
}

const PREFER: Readonly<Record<string, string>> = { 'export-v1': 'EXPORT-V1-PREFER', 'export-v2': 'EXPORT-V2-PREFER' }

/**
 * EXPORT-V1-PREFER, EXPORT-V2-PREFER: `prefer` chooses the end of the period that a part of the lines is taken from: head
 * the first, tail the last ones. Judged where fewer lines were asked for than there are, and only lines of the run came.
 */
export const preferRule: Rule<LinesKnown> = {
  name: 'prefer chooses the end of the period',
  operations: () => Object.keys(PREFER),
  judge(view, known, oracle): Judgement[] {
    const shown = shownIn(view)
    const requirement = PREFER[view.operation?.id ?? '']
    if (!shown || requirement === undefined) return []
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

/** Of so many numbers that they are no arguments. */
function mostOf(times: readonly number[]): number {
  return times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
}

function leastOf(times: readonly number[]): number {
  return -mostOf(times.map((time) => -time))
}
