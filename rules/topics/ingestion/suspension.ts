import { operationRow } from '../../../schemas/service.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, type Claim, decide, held, type Judgement, observed, unclear } from '../../core/judgement.ts'
import { takesLines } from '../../core/reads.ts'
import { about, claimOf, type Rule } from '../../core/rule.ts'
import { ASKING, asksForStatus, EXPORTING_V2, type ExchangeView, SENDING } from '../../core/view.ts'
import type { Batch } from '../../known/batches.ts'
import { doubtOf, isSettled } from '../../known/doubt.ts'
import type { GroupRule } from '../../known/groups.ts'
import { selects, shownIn, tokenIn } from '../../known/selection.ts'
import { isSuspended, type Phase, phaseIn, RUNS, type Suspension, saysSuspended } from '../../known/suspension.ts'

/** phase -> the requirement that says whether ingestion runs in it, and what a fault is called */
const STATED: Readonly<Partial<Record<Phase, readonly [requirement: string, message: string]>>> = {
  'one call': ['SUSPENSION-GUARD', 'one call suspends ingestion'],
  'not resumed': ['SUSPENSION-GUARD', 'one call suspends ingestion'],
  'two calls': ['SUSPENSION-SUSPENDS', 'two consecutive calls do not suspend ingestion'],
  resuming: ['SUSPENSION-RESUMES', ''],
  resumed: ['SUSPENSION-RESUMES', 'ingestion is still suspended after two calls that resume it'],
}

/** The text does not say whether resuming needs a second call, as suspending does. */
const CONFIRMATION = 'GAP-RESUME-CONFIRMATION'

/**
 * SUSPENSION-GUARD, SUSPENSION-SUSPENDS, SUSPENSION-RESUMES: suspension needs two consecutive calls, and can be read and
 * taken back (category 'Suspensions').
 */
export const statusFollowsRule: Rule<Suspension> = {
  operations: () => ASKING,
  judge(view, known, oracle) {
    const told = takesLines(view)
    // Who finds it suspended may not have been the one who did it.
    if (told === undefined || !known.ran || view.exchange._start < known.at) return []
    const phase = phaseIn(known, told, oracle)
    const suspended = saysSuspended(known, view)
    const running = suspended === undefined ? told : !suspended
    const [requirement, message] = STATED[phase] ?? []
    if (requirement === undefined || message === undefined) return []
    // Ingestion that was not suspended was not resumed either.
    if (running && requirement === 'SUSPENSION-RESUMES' && !known.halted) return []
    const claim = { ...about(view), requirement, exchanges: [known.exchange, view.id] }
    const doubt = doubtOf(view, known.at, oracle)
    const unsure = suspended === undefined ? BETWEEN : undefined
    if (phase === 'resuming' && (running || doubt === undefined)) {
      const what = running ? 'one call resumes ingestion' : 'one call does not resume ingestion'
      const gap = observed({ ...claim, requirement: CONFIRMATION }, what)
      return running ? [held(claim), gap] : [gap]
    }
    const expected = RUNS[phase] === true
    if (running !== expected && known.shown && view.exchange._case === undefined) return []
    const word = (runs: boolean): string => (runs ? 'ingestion runs' : 'ingestion is suspended')
    const fault = { message, expected: word(expected), actual: word(running) }
    const isGuard = requirement === 'SUSPENSION-GUARD'
    // As it was before: a status that is late says the same.
    if (running === isGuard && running === expected && doubt !== undefined) return [unclear(claim, doubt)]
    const uncounted = isGuard && !known.cleared ? UNCOUNTED : undefined
    return [
      decide(claim, running === expected && unsure === undefined ? undefined : fault, unsure ?? uncounted ?? doubt),
    ]
  },
}

const BETWEEN =
  'not judged: the status has a word that may be of one call that waits for the second (answer.suspended names that of a suspension)'
const UNCOUNTED = 'not judged: an earlier call of somebody else may have been the first of the two'

/** GAP-SUSPENSION-SENDERS: the answer to a sender while a status says that ingestion is suspended. */
export const sendersToldRule: Rule<Suspension> = {
  operations: () => SENDING,
  judge(view, known) {
    if (!isSuspended(known) || view.exchange._outcome !== 'complete') return []
    const claim = { ...about(view), requirement: 'GAP-SUSPENSION-SENDERS', exchanges: [view.id] }
    return [observed(claim, `lines sent meanwhile: status ${view.status}`)]
  },
}

/**
 * SUSPENSION-STOPS-LINES, SUSPENSION-RESUMES: lines that are sent during a suspension do not come out during it. Lines
 * from before or after do (category 'Suspensions'). Whether it comes out once ingestion was resumed is not stated.
 */
export const suspensionStopsRule: Rule<Suspension> = {
  operations: () => EXPORTING_V2,
  judge(view, known, oracle) {
    if (known.phase === 'before') return []
    const shown = shownIn(view)
    if (!shown || tokenIn(view) !== null || shown.selection.size !== undefined) return []
    const chosen = (batches: readonly Batch[]): readonly string[] =>
      batches.flatMap(({ lines }) => lines.flatMap((line) => (selects(shown.selection, line) ? line.id : [])))
    const isOut = (id: string): boolean => shown.marked.has(id)
    const judged: Judgement[] = []
    const during = chosen(known.during.all)
    if (during.length > 0) {
      const exchanges = [known.during.all[0]?.exchange ?? '', view.id]
      const claim: Claim = { ...about(view), requirement: 'SUSPENSION-STOPS-LINES', exchanges }
      const stored = during.filter(isOut).length
      if (stored > 0 && isSuspended(known)) {
        const message = 'lines that are sent while ingestion is suspended come out'
        return [broken(claim, { message, expected: 'none of them', actual: `${stored} of ${during.length}` })]
      }
      const others = chosen(known.later.all)
      const since = isSuspended(known) ? Math.max(...known.during.all.map(({ end }) => end)) : known.at
      const visible = others.length > 0 && others.every(isOut) && isSettled(view, since, oracle)
      judged.push(visible && stored === 0 ? held(claim) : unclear(claim, stored > 0 ? RESUMED : NOTHING_BESIDE))
      if (!isSuspended(known) && (visible || stored > 0)) {
        const what = `lines sent while ingestion was suspended ${stored > 0 ? 'come out' : 'do not come out'} once it was resumed`
        judged.push(observed({ ...claim, requirement: 'GAP-SUSPENSION-LATER' }, what))
      }
    }
    // Where lines came out before, lines that are sent after ingestion was resumed come out again.
    if (known.phase !== 'resumed' || known.excludes) return judged
    const flowed = chosen(known.later.all.filter(({ end }) => end < known.at)).some(isOut)
    const since = known.later.all.filter(({ start }) => start >= known.at + oracle.settleMs)
    const due = flowed ? chosen(since) : []
    const newest = Math.max(...since.map(({ end }) => end))
    if (due.length === 0 || due.some(isOut) || !isSettled(view, newest, oracle)) return judged
    const exchanges = [known.exchange, since.at(-1)?.exchange ?? '', view.id]
    const fault = {
      message: 'lines that are sent after ingestion was resumed do not come out',
      expected: `${due.length} lines, as before it was suspended`,
      actual: 'none of them',
    }
    return [...judged, broken({ ...about(view), requirement: 'SUSPENSION-RESUMES', exchanges }, fault)]
  },
}

const RESUMED = 'not judged: ingestion was resumed, and whether lines of before then come out is open'
const NOTHING_BESIDE = 'not judged: no other lines come out by which to tell'

/** probe -> whether a call makes its token a strange one; left out: it always was */
const SPOILS: Readonly<Partial<Record<ProbeName, (view: ExchangeView) => boolean>>> = {
  'a token that was used': isConfirmation,
  'a token of an earlier suspension': isSuspension,
}
const NOT_SHOWN = 'not judged: earlier calls may have failed, so that the token is good or ingestion did not run before'

/** For confirmations with another token than that of the first call. */
const STRANGE: ReadonlySet<ProbeName> = new Set([
  'a token that was never given',
  'a token that was used',
  'a token of an earlier suspension',
])

/**
 * SUSPENSION-TOKEN: if a binding's second call to suspend names a token, it promises that the token counts. With
 * another token ingestion goes on, whatever the response is. The group of the intents begins with the call that used the
 * token up or gave a newer one. A read of the status follows, one call with the other token, and more reads. Calls may
 * fail: then the token is still good, or ingestion was suspended before.
 */
export const confirmsRule: GroupRule = {
  sees: (view) => isConfirmation(view) || isSuspension(view) || asksForStatus(view),
  judge(view, before, oracle) {
    const place = before.findLastIndex(isConfirmation)
    const last = before[place]
    const token = last?.intent?.probe
    const running = isConfirmation(view) || isSuspension(view) ? undefined : takesLines(view)
    if (!last || token === undefined || !STRANGE.has(token) || running === undefined) return []
    const claim = claimOf('SUSPENSION-TOKEN', [last, view], { edge: token })
    if (running) {
      const doubt = doubtOf(view, last.exchange._end, oracle)
      return [doubt === undefined ? held(claim) : unclear(claim, doubt)]
    }
    const earlier = before.slice(0, place)
    const spoils = SPOILS[token]
    const isStrange = spoils === undefined || earlier.some((one) => one.accepted && spoils(one))
    if (!isStrange || !earlier.some((one) => takesLines(one) === true)) return [unclear(claim, NOT_SHOWN)]
    return [
      broken(claim, {
        message: `${token} suspends ingestion`,
        expected: 'ingestion runs: only the token of the first call just before confirms it',
        actual: 'ingestion is suspended',
      }),
    ]
  },
}

function isSuspension({ operation }: ExchangeView): boolean {
  return operationRow(operation?.id)?.call === 'suspend'
}

function isConfirmation({ operation }: ExchangeView): boolean {
  return operationRow(operation?.id)?.call === 'confirm'
}
