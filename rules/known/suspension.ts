import { operationRow, operationsOn, operationsWhere } from '../../schemas/service.ts'
import { placeholders } from '../../schemas/template.ts'
import type { SuspensionCall } from '../../schemas/types/service.ts'
import { takesLines, wordIn } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import { ASKING, asksForStatus, EXPORTING_V2, type ExchangeView, leftAlone, SENDING } from '../core/view.ts'
import { type Batch, Batches, refusedIn, takenIn } from './batches.ts'
import { isSettled } from './doubt.ts'
import type { Part } from './part.ts'

/**
 * What has been done to ingestion; 'unknown': nobody can tell. 'not resumed': one call, after which resuming was refused, as
 * nothing was suspended. 'called again': another call after that, which may count as the second of two. 'resuming': one call
 * to resume, which may want a second; 'resumed': both, or one that has shown.
 */
export type Phase =
  | 'before'
  | 'one call'
  | 'not resumed'
  | 'called again'
  | 'two calls'
  | 'resuming'
  | 'resumed'
  | 'unknown'

export class Suspension {
  phase: Phase = 'before'
  /** the exchange that began the phase, and when it was answered, milliseconds since the epoch */
  exchange: string = ''
  at: number = 0
  /** a status of this phase said that ingestion is suspended */
  suspended: boolean = false
  /** a status of this phase was as it has to be */
  shown: boolean = false
  /** ingestion was suspended, and no status has said since that it runs */
  halted: boolean = false
  /** the status has said that ingestion was running before anything was done */
  ran: boolean = false
  /** a call that resumes was carried out: earlier ones to suspend, perhaps of somebody else, do not count any more */
  cleared: boolean = false
  /** the words that a status told beside the one of ingestion that runs: after one call to suspend, and after two */
  readonly words: { one: string | undefined; two: string | undefined } = { one: undefined, two: undefined }
  /** an exclusion rule was made or changed, which may drop lines as well */
  excludes: boolean = false
  /** lines sent while a status said that ingestion is suspended, as far as no call was under way beside them */
  readonly during: Batches<Batch> = new Batches()
  /** lines sent after it was resumed */
  readonly later: Batches<Batch> = new Batches()
}

/** Whether ingestion runs in a phase; left out: unknown. */
export const RUNS: Readonly<Partial<Record<Phase, boolean>>> = {
  'one call': true,
  'not resumed': true,
  'two calls': false,
  resuming: true,
  resumed: true,
}

/** The phases that an accepted call leads into, by the one before. */
type Leads = Readonly<Partial<Record<Phase, Phase>> & { others: Phase }>

const LEADS: Readonly<Record<SuspensionCall, Leads>> = {
  suspend: {
    before: 'one call',
    resuming: 'one call',
    resumed: 'one call',
    'not resumed': 'called again',
    others: 'unknown',
  },
  confirm: { 'one call': 'two calls', 'called again': 'two calls', others: 'unknown' },
  resume: { resuming: 'resumed', resumed: 'resumed', others: 'resuming' },
}

const EXCLUDES = operationsOn('exclusion', 'create', 'update')
const CALLS = operationsWhere(({ call }) => call !== undefined)
const OPERATIONS = [...SENDING, ...ASKING, ...EXPORTING_V2, ...EXCLUDES, ...CALLS]

/**
 * Whether ingestion is suspended, and the lines that were sent while it was and since. Beside the part of lines, since
 * what overlaps matters here: calls change one thing, which all clients share.
 */
export const suspensionPart: Part<Suspension> = {
  name: 'suspension',
  bound: 100,
  others: 'all',
  single: true,
  operations: () => OPERATIONS,
  key: () => 'suspension',
  init: () => new Suspension(),
  learn(known, view, oracle) {
    const { id, verb, type } = view.operation ?? {}
    const call = operationRow(id)?.call
    if (verb === 'send') learnSent(known, view)
    else if (type === 'exclusion') known.excludes = true
    else if (call) learnCall(known, view, call)
    else if (asksForStatus(view)) learnStatus(known, view, oracle)
  },
}

function learnSent(known: Suspension, view: ExchangeView): void {
  const { phase } = known
  // Refused lines must not come out either.
  const batch = phase === 'before' ? undefined : (takenIn(view) ?? (isSuspended(known) ? refusedIn(view) : undefined))
  // What was under way before may have been stored before.
  if (!batch || batch.start < known.at) return
  if (isSuspended(known)) known.during.add(batch)
  else if (phase === 'resuming' || phase === 'resumed') known.later.add(batch)
}

/** Whether two calls suspended ingestion, and a status has confirmed it. */
export function isSuspended({ phase, suspended }: Suspension): boolean {
  return phase === 'two calls' && suspended
}

function learnCall(known: Suspension, view: ExchangeView, call: SuspensionCall): void {
  const { phase } = known
  if (leftAlone(view)) {
    if (call === 'resume' && phase === 'one call') known.phase = 'not resumed'
    return
  }
  const leads = LEADS[call]
  const { _start: start, _end: at } = view.exchange
  // What was sent while this call was under way may have been stored after it.
  known.during.keep(({ end }) => end <= start)
  const halted = known.halted || known.suspended || phase === 'two calls'
  // What an unexpected token does is not shown, and a call without an answer may have been carried out.
  const next = view.accepted && view.intent?.kind !== 'observe' ? (leads[phase] ?? leads.others) : 'unknown'
  if (call === 'resume' && view.accepted) known.cleared = true
  const begun: Partial<Suspension> = { phase: next, exchange: view.id, at, suspended: false, shown: false, halted }
  Object.assign(known, begun)
}

/** The phase that a status shows: what came before may not tell. */
export function phaseIn({ phase }: Suspension, running: boolean, { binding: { operations } }: Oracle): Phase {
  if (phase !== 'called again' || running) return phase
  // Both calls may be the same one, sent twice: then the one after a call that could not be taken back was the second.
  const [first, second] = CALLS.map((id) => operations.get(id))
  const alike = first && second && first.method === second.method && first.path === second.path
  return alike && !placeholders([second.body, second.query]).has('token') ? 'two calls' : phase
}

const SUSPENDING: ReadonlySet<Phase> = new Set(['one call', 'not resumed'])

/**
 * Whether a status says that ingestion is suspended; undefined: it has a word that need not mean that. A binding may know
 * only the word of ingestion that runs, and a call that waits for the second may have one too. Which is which shows where
 * the words after one call and after two differ.
 */
export function saysSuspended({ phase, words: { one, two } }: Suspension, view: ExchangeView): boolean | undefined {
  const word = wordIn(view)
  if (takesLines(view) !== false) return false
  if (word === undefined || word === two) return true
  if (phase === 'two calls') return word === one ? undefined : true
  return two !== undefined && SUSPENDING.has(phase) ? false : undefined
}

function learnStatus(known: Suspension, view: ExchangeView, oracle: Oracle): void {
  const running = takesLines(view)
  if (running === undefined) return
  if (known.phase === 'before') {
    known.ran = running
    return
  }
  known.phase = phaseIn(known, running, oracle)
  const word = running ? undefined : wordIn(view)
  if (RUNS[known.phase] === true && SUSPENDING.has(known.phase)) known.words.one ??= word
  else if (known.phase === 'two calls' && word !== known.words.one) known.words.two ??= word
  known.suspended = saysSuspended(known, view) === true
  known.halted &&= !running
  const { phase } = known
  const expected = RUNS[phase]
  if (!known.ran) {
    // Traffic may begin in the middle: then the first call that resumes is where it is known that ingestion runs.
    if (phase === 'resuming' || phase === 'resumed') known.ran = running
  } else if (expected !== undefined && view.exchange._start >= known.at) {
    if (running === expected) known.shown = true
    // In traffic much time may pass: how long a suspension lasts, and whether others begin by themselves, is not said.
    else if (known.shown && view.exchange._case === undefined) known.phase = 'unknown'
    // Whatever is wanted beside the first call that resumes, the next two in a row have to do.
    else if (phase === 'resuming' && isSettled(view, known.at, oracle)) known.phase = 'unknown'
    if (running && phase === 'resuming') known.phase = 'resumed'
  }
}
