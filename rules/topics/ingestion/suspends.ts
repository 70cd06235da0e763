import { placeholders } from '../../../schemas/template.ts'
import type { Judgement } from '../../core/judgement.ts'
import { takesLines } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, leftAlone } from '../../core/view.ts'
import { type Batch, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf, selects } from '../../known/selection.ts'
import { tokenIn } from './comes-out.ts'

/**
 * What has been done to ingestion; 'unknown': nobody can tell. 'not resumed': one call, after which resuming was refused, as
 * nothing was suspended. 'called again': another call after that, which may count as the second of two. 'resuming': one call
 * to resume, which may want a second; 'resumed': both, or one that has shown.
 */
type Phase = 'before' | 'one call' | 'not resumed' | 'called again' | 'two calls' | 'resuming' | 'resumed' | 'unknown'

interface Suspending {
  readonly phase: Phase
  /** the exchange that began the phase, and when it was answered */
  readonly exchange: string
  readonly at: number
  /** a status of this phase said that ingestion is suspended */
  readonly suspended: boolean
  /** a status of this phase was as it has to be */
  readonly shown: boolean
  /** ingestion was suspended, and no status has said since that it runs */
  readonly halted: boolean
  /** the status has said that ingestion was running before anything was done */
  readonly ran: boolean
  /** lines sent while a status said that ingestion is suspended */
  readonly batches: readonly Batch[]
  /** an exclusion rule was made or changed, which may drop lines as well */
  readonly excludes: boolean
  /** lines sent after it was resumed */
  readonly later: readonly Batch[]
}

const NOTHING: Suspending = {
  phase: 'before',
  exchange: '',
  at: 0,
  suspended: false,
  shown: false,
  halted: false,
  ran: false,
  excludes: false,
  batches: [],
  later: [],
}

const EXCLUSIONS = ['create-exclusion', 'update-exclusion']
const OPERATIONS = new Set([
  'get-ingestion-status',
  'suspend-ingestion',
  'confirm-suspension',
  'resume-ingestion',
  'ingest-lines',
  'export-v2',
  ...EXCLUSIONS,
])

/** The phase that an accepted call leads into. */
const LEADS: Readonly<Record<string, (before: Phase) => Phase>> = {
  'suspend-ingestion': (before) =>
    before === 'before' || before === 'resuming' || before === 'resumed'
      ? 'one call'
      : before === 'not resumed'
        ? 'called again'
        : 'unknown',
  'confirm-suspension': (before) => (before === 'one call' || before === 'called again' ? 'two calls' : 'unknown'),
  'resume-ingestion': (before) => (before === 'resuming' || before === 'resumed' ? 'resumed' : 'resuming'),
}

/** phase -> whether ingestion runs in it, the requirement that says so, and what a fault is called */
const STATED: Readonly<Partial<Record<Phase, readonly [boolean, string, string]>>> = {
  'one call': [true, 'SUSPENSION-GUARD', 'one call suspends ingestion'],
  'not resumed': [true, 'SUSPENSION-GUARD', 'one call suspends ingestion'],
  'two calls': [false, 'SUSPENSION-SUSPENDS', 'two consecutive calls do not suspend ingestion'],
  resuming: [true, 'SUSPENSION-RESUMES', ''],
  resumed: [true, 'SUSPENSION-RESUMES', 'ingestion is still suspended after two calls that resume it'],
}

/** The text does not say whether resuming needs a second call, as suspending does. */
const CONFIRMATION = 'GAP-RESUME-CONFIRMATION'

/** Suspension needs two consecutive calls, and can be read and taken back (category 'Suspensions'). */
export const suspendsRule: HistoryRule<Suspending> = {
  name: 'suspends',
  bound: 100,
  others: 'all',
  single: true,
  operations: () => [...OPERATIONS],
  key: (view) => (OPERATIONS.has(view.operation?.id ?? '') ? 'suspension' : undefined),
  init: () => NOTHING,
  step(state, view, oracle) {
    const id = view.operation?.id ?? ''
    if (id === 'ingest-lines') return { state: sent(state, view), judgements: toldSender(state, view) }
    if (EXCLUSIONS.includes(id)) return { state: { ...state, excludes: true }, judgements: [] }
    if (id === 'export-v2') return { state, judgements: judgeLines(state, view, oracle) }
    if (id === 'get-ingestion-status') return read(state, view, oracle)
    const lead = LEADS[id]
    if (!lead) return { state, judgements: [] }
    if (leftAlone(view)) {
      const refused = id === 'resume-ingestion' && view.conclusive && state.phase === 'one call'
      return { state: refused ? { ...state, phase: 'not resumed' } : state, judgements: [] }
    }
    // What an unexpected token does is not shown, and a call without an answer may have been carried out.
    const phase = view.accepted && view.intent?.kind !== 'observe' ? lead(state.phase) : 'unknown'
    // What was sent while this call was under way may have been stored after it.
    const batches = state.batches.filter(({ end }) => end <= view.exchange._start)
    const halted = state.halted || state.suspended || state.phase === 'two calls'
    const begun = { phase, exchange: view.id, at: view.exchange._end, suspended: false, shown: false, halted }
    return { state: { ...state, ...begun, batches }, judgements: [] }
  },
  end: () => [],
}

function read(state: Suspending, view: ExchangeView, oracle: Oracle): { state: Suspending; judgements: Judgement[] } {
  const running = takesLines(view)
  if (running === undefined) return { state, judgements: [] }
  if (state.phase === 'before') return { state: { ...state, ran: running }, judgements: [] }
  // Both calls may be the same one, sent twice: then the one after a call that could not be taken back was the second.
  const twice = state.phase === 'called again' && !running && isCalledAlike(oracle)
  const phase = twice ? 'two calls' : state.phase
  const next = { ...state, phase, suspended: !running, halted: state.halted && !running }
  const stated = STATED[phase]
  // Traffic may begin in the middle: then the first call that resumes is where it is known that ingestion runs.
  if (!state.ran && (phase === 'resuming' || phase === 'resumed'))
    return { state: { ...next, ran: running }, judgements: [] }
  // Who finds it suspended may not have been the one who did it.
  if (!stated || !state.ran || view.exchange._start < state.at) return { state: next, judgements: [] }
  const [expected, requirement, message] = stated
  const base = { ...about(view), requirement, exchanges: [state.exchange, view.id] }
  const settled = isSettled(view, state.at, oracle)
  // What was not suspended was not resumed either.
  if (running && expected && !state.halted && requirement === 'SUSPENSION-RESUMES')
    return { state: { ...next, phase: 'resumed' }, judgements: [] }
  if (phase === 'resuming' && (running || settled)) {
    const actual = running ? 'one call resumes ingestion' : 'one call does not resume ingestion'
    const judgements: Judgement[] = [{ ...base, requirement: CONFIRMATION, outcome: 'observed', actual }]
    // Whatever was wanted beside the first call, the next two in a row have to do.
    if (!running) return { state: { ...next, phase: 'unknown' }, judgements }
    return {
      state: { ...next, phase: 'resumed', shown: true },
      judgements: [{ ...base, outcome: 'held' }, ...judgements],
    }
  }
  if (running === expected) return { state: { ...next, shown: true }, judgements: [{ ...base, outcome: 'held' }] }
  // In traffic much time may pass: how long a suspension lasts, and whether others begin by themselves, is not said.
  if (state.shown && view.exchange._case === undefined) return { state: { ...next, phase: 'unknown' }, judgements: [] }
  if (!settled) return { state: next, judgements: [{ ...base, outcome: 'inconclusive' }] }
  const word = (runs: boolean): string => (runs ? 'ingestion runs' : 'ingestion is suspended')
  return {
    state: next,
    judgements: [{ ...base, outcome: 'broken', message, expected: word(expected), actual: word(running) }],
  }
}

/** Whether one method and path stands for both calls, and nothing that the first answers has to be said in the second. */
function isCalledAlike({ binding: { operations } }: Oracle): boolean {
  const first = operations.get('suspend-ingestion')
  const second = operations.get('confirm-suspension')
  if (!first || !second || first.method !== second.method || first.path !== second.path) return false
  return !placeholders([second.body, second.query]).has('token')
}

function sent(state: Suspending, view: ExchangeView): Suspending {
  const batch = takenIn(view)
  // What was under way before may have been stored before.
  if (!batch || batch.start < state.at) return state
  if (state.phase === 'two calls' && state.suspended) return { ...state, batches: withBatch(state.batches, batch) }
  return state.phase === 'resuming' || state.phase === 'resumed'
    ? { ...state, later: withBatch(state.later, batch) }
    : state
}

/** What a sender is told while a status says that ingestion is suspended. */
function toldSender({ phase, suspended }: Suspending, view: ExchangeView): Judgement[] {
  if (phase !== 'two calls' || !suspended || view.exchange._outcome !== 'complete') return []
  const base = { ...about(view), requirement: 'GAP-SUSPENSION-SENDERS', exchanges: [view.id] }
  return [{ ...base, outcome: 'observed', actual: `lines sent meanwhile: status ${view.status}` }]
}

/**
 * What is sent while ingestion is suspended does not come out while it is, and what was sent before or after does. Whether
 * it comes out once ingestion was resumed is not stated.
 */
function judgeLines(state: Suspending, view: ExchangeView, oracle: Oracle): Judgement[] {
  const selection = selectionOf(view)
  const lines = view.accepted ? receivedLines(view) : undefined
  if (!lines || tokenIn(view) !== null || selection.size !== undefined) return []
  const out = new Set(lines.filter(isMarked).map(({ id }) => id))
  const chosen = (batches: readonly Batch[]): readonly string[] =>
    batches.flatMap((batch) => batch.lines.filter((line) => selects(selection, line)).map(({ id }) => id))
  const during = chosen(state.batches)
  const [first] = state.batches
  if (!first || during.length === 0) return judgeFlow(state, view, oracle, chosen, out)
  const base = { ...about(view), requirement: 'SUSPENSION-STOPS-LINES', exchanges: [first.exchange, view.id] }
  const stored = during.filter((id) => out.has(id))
  const isSuspended = state.phase === 'two calls' && state.suspended
  if (stored.length > 0 && isSuspended) {
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'lines that are sent while ingestion is suspended come out',
        expected: 'none of them',
        actual: `${stored.length} of ${during.length}`,
      },
    ]
  }
  const others = chosen(state.later)
  const since = isSuspended ? Math.max(...state.batches.map(({ end }) => end)) : state.at
  const visible = others.length > 0 && others.every((id) => out.has(id)) && isSettled(view, since, oracle)
  const judged: Judgement[] = [{ ...base, outcome: visible && stored.length === 0 ? 'held' : 'inconclusive' }]
  if (!isSuspended && (visible || stored.length > 0)) {
    const actual = `lines sent while ingestion was suspended ${stored.length > 0 ? 'come out' : 'do not come out'} once it was resumed`
    judged.push({ ...base, requirement: 'GAP-SUSPENSION-LATER', outcome: 'observed', actual })
  }
  return [...judged, ...judgeFlow(state, view, oracle, chosen, out)]
}

/** Where lines came out before, lines that are sent after ingestion was resumed come out again. */
function judgeFlow(
  { phase, exchange, at: resumedAt, later, excludes }: Suspending,
  view: ExchangeView,
  oracle: Oracle,
  chosen: (batches: readonly Batch[]) => readonly string[],
  out: ReadonlySet<string>,
): Judgement[] {
  const flowed = chosen(later.filter(({ end }) => end < resumedAt)).some((id) => out.has(id))
  const since = later.filter(({ start }) => start >= resumedAt + oracle.settleMs)
  const due = chosen(since)
  const settled = isSettled(view, Math.max(...since.map(({ end }) => end)), oracle)
  if (phase !== 'resumed' || excludes || !flowed || due.length === 0 || !settled || due.some((id) => out.has(id)))
    return []
  return [
    {
      ...about(view),
      requirement: 'SUSPENSION-RESUMES',
      exchanges: [exchange, since.at(-1)?.exchange ?? '', view.id],
      outcome: 'broken',
      message: 'lines that are sent after ingestion was resumed do not come out',
      expected: `${due.length} lines, as before it was suspended`,
      actual: 'none of them',
    },
  ]
}
