import { at } from '../../../schemas/pointer.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import type { Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'
import { type Line, receivedLines } from '../../known/lines.ts'

type Fields = Readonly<Record<string, unknown>>

/** One of several requests that were under way at the same time. */
interface Move {
  readonly view: ExchangeView
  readonly sent: Fields
}

/** How writes change what is stored, and what of it a read has to show. */
interface Writing {
  readonly requirement: string
  readonly type: string
  /** pointer to what is stored in the request's body */
  readonly sent: string
  /** fields that are not sent stay; else they are replaced as a whole */
  readonly merges?: true
  /** a read shows every field; else it may have other names for some */
  readonly whole?: true
}

const WRITES: Readonly<Record<string, Writing>> = {
  'update-state-variables': {
    requirement: 'STATEVAR-PARALLEL',
    type: 'pipeline',
    sent: '/state',
    merges: true,
    whole: true,
  },
  'update-gateway-route': { requirement: 'ROUTE-PARALLEL', type: 'gateway-route', sent: '', merges: true },
  'update-preset-alert': { requirement: 'PRESET-PARALLEL', type: 'preset-alert', sent: '' },
  'switch-group-revision': { requirement: 'REVISION-PARALLEL', type: 'placed-group', sent: '' },
}

/** Deletions of which a second one is refused, as the error table says. */
const DELETIONS: Readonly<Record<string, string>> = {
  'delete-member': 'MEMBER-DELETE-ONCE',
  'delete-screen': 'SCREEN-DELETE-ONCE',
}

/** The text does not speak of requests that overlap: only a binding promises what they leave. */
const GAP = 'GAP-CONCURRENCY'

/** Requests of one group that are tried in every order; more would take too long. */
const MOST_MOVES = 6

/**
 * STATEVAR-PARALLEL and the others of the tables above, EXPORT-V2-PARALLEL: simultaneous requests of several clients
 * have an outcome that some order of them would have. In that order nothing that had ended comes after a later
 * beginning. Groups of requests carry the probe `parallel`: writes with a read behind them, deletions of one thing, or
 * the same export several times.
 */
export const serialRule: GroupRule = {
  name: 'parallel requests have an order',
  // With 429 nothing was done: it is sent again.
  sees: ({ intent, status }) => intent?.probe === probes.parallel && status !== 429,
  judge: (view, before, oracle) => asPromised(judged(view, before, oracle), GAP, oracle),
}

function judged(view: ExchangeView, before: readonly ExchangeView[], oracle: Oracle): Judgement[] {
  const operation = view.operation?.id ?? ''
  const deletion = DELETIONS[operation]
  if (operation === 'export-v2') return judgeExport(view, before)
  if (deletion !== undefined) return judgeDeletion(view, before, deletion, oracle)
  return view.intent?.kind === 'read' ? judgeRead(view, before, oracle) : []
}

function isRefused({ conclusive, status }: ExchangeView): boolean {
  return conclusive && status >= 400 && status < 500
}

function atOnce(count: number): { readonly edge: string } {
  return { edge: `${count} at the same time` }
}

function judgeRead(view: ExchangeView, before: readonly ExchangeView[], oracle: Oracle): Judgement[] {
  const writes = before.filter(({ intent }) => intent?.kind !== 'read')
  const operation = writes[0]?.operation?.id ?? ''
  const writing = WRITES[operation]
  const record = view.accepted ? recordIn(view) : undefined
  const ends = writes.map(({ exchange }) => exchange._end)
  if (!writing || !record || ends.some((end) => end > view.exchange._start)) return []
  const done = writes.filter(({ accepted }) => accepted)
  const claim = claimOf(writing.requirement, [...writes, view], { operation, ...atOnce(done.length) })
  if (!writes.every((one) => one.accepted || isRefused(one))) {
    return [unclear(claim, 'not judged: one of the requests may or may not have been carried out')]
  }
  if (done.length < 2) return [unclear(claim, 'not judged: fewer than two of the requests were carried out')]
  if (done.length > MOST_MOVES)
    return [unclear(claim, `not judged: more than ${MOST_MOVES} requests have too many orders`)]
  // Values that the target keeps in a form of its own tell of no order.
  const own = new Set(oracle.binding.resources.get(writing.type)?.normalises)
  const moves = writes.map((one): Move => {
    const sent = at(jsonOf(one.request), writing.sent)
    return { view: one, sent: isRecord(sent) ? omit(sent, own) : {} }
  })
  const carried = moves.filter((move) => move.view.accepted)
  const fault = {
    message: 'no order of the requests explains the state after them',
    expected: 'the state after some order of the requests',
    actual: `${story(moves, carried)}; then a read showed ${shown(differing(record, carried))}`,
  }
  const isFine = isExplained(carried, {}, writing, omit(record, own))
  return [decide(claim, isFine ? undefined : fault, doubtOf(view, Math.max(...ends), oracle))]
}

/** Whether some order of the moves leads from what is stored to what was read. */
function isExplained(moves: readonly Move[], stored: Fields, writing: Writing, read: Fields): boolean {
  if (moves.length === 0) {
    return Object.entries(stored).every(
      ([name, value]) => (read[name] === undefined && !writing.whole) || resembles(read[name], value),
    )
  }
  return moves.some((next) => {
    const others = moves.filter((move) => move !== next)
    if (others.some(({ view }) => view.exchange._end < next.view.exchange._start)) return false
    return isExplained(others, writing.merges ? { ...stored, ...next.sent } : next.sent, writing, read)
  })
}

/** A thing is deleted once: later requests learn that it is not there. */
function judgeDeletion(
  view: ExchangeView,
  before: readonly ExchangeView[],
  requirement: string,
  oracle: Oracle,
): Judgement[] {
  const all = [...before, view]
  const done = all.filter(({ accepted }) => accepted)
  const exchanges = [...done, view].map(({ id }) => id)
  const claim = claimOf(requirement, [view], { ...atOnce(all.length), exchanges })
  if (!view.accepted || done.length < 2) return done.length === 1 && all.some(isRefused) ? [held(claim)] : []
  if (oracle.settleMs > 0) return [unclear(claim, 'not judged: a deletion may see an older state, as reads may')]
  return [
    broken(claim, {
      message: 'one resource is deleted twice',
      expected: 'one success, and an error for whoever comes later',
      actual: story(
        all.map((one) => ({ view: one, sent: {} })),
        [],
      ),
    }),
  ]
}

/** Exports of the same lines agree, however many run at the same time. */
function judgeExport(view: ExchangeView, before: readonly ExchangeView[]): Judgement[] {
  const exports = [...before, view].flatMap((one) => {
    const lines = one.accepted ? receivedLines(one) : undefined
    return lines ? [{ one, marks: marksOf(lines) }] : []
  })
  const [first, last] = [exports[0], exports.at(-1)]
  if (!first || last?.one !== view || first === last) return []
  const claim = claimOf('EXPORT-V2-PARALLEL', [first.one, view], atOnce(Math.min(exports.length, MOST_MOVES)))
  const missing = [...first.marks].filter((mark) => !last.marks.has(mark)).length
  const more = [...last.marks].filter((mark) => !first.marks.has(mark)).length
  const differ = {
    message: 'exports of the same lines at the same time differ',
    expected: `the ${first.marks.size} lines of the other one`,
    actual: `${last.marks.size} lines: ${missing} of them are missing, ${more} are others`,
  }
  return [decide(claim, missing + more === 0 ? undefined : differ)]
}

function marksOf(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.map(({ id }) => id))
}

/** Who did what, and when, in milliseconds from the first of them. */
function story(moves: readonly Move[], carried: readonly Move[]): string {
  const begun = Math.min(...moves.map(({ view }) => view.exchange._start))
  return moves
    .map(({ view: { exchange, status }, sent }, index) => {
      const body = Object.keys(sent).length === 0 ? 'asked' : `sent ${shown(differing(sent, carried))}`
      const time = `${Math.round(exchange._start - begun)} to ${Math.round(exchange._end - begun)} ms`
      return `${String.fromCharCode(65 + index)} ${body} (${time}, ${status})`
    })
    .join('; ')
}

function omit(fields: Fields, names: ReadonlySet<string>): Fields {
  return names.size === 0 ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

/** Those fields that differ between the moves. */
function differing(fields: Fields, moves: readonly Move[]): Fields {
  const isSame = (name: string): boolean => new Set(moves.map(({ sent }) => JSON.stringify(sent[name]))).size < 2
  const names = new Set(moves.flatMap(({ sent }) => Object.keys(sent)))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name) && !isSame(name)))
}
