import { at } from '../../../schemas/pointer.ts'
import { operationRow, resourceRow } from '../../../schemas/service.ts'
import { decide, type Judgement, unclear } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import { claimOf, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, isTurnedDown, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { GroupRule } from '../../known/groups.ts'

type Fields = Readonly<Record<string, unknown>>

/** One of several requests that were under way at the same time. */
interface Move {
  readonly view: ExchangeView
  readonly sent: Fields
}

/** How writes change what is stored, and what of it a read has to show. */
interface Writing {
  readonly type: string
  /** pointer to what is stored in the request's body */
  readonly sent: string
  /** fields that are not sent stay; else they are replaced as a whole */
  readonly merges: boolean
  /** a read shows every field; else it may have other names for some */
  readonly whole: boolean
}

function writingOf(operation: string): Writing | undefined {
  const { request, resource } = operationRow(operation) ?? {}
  const { type = '', of = type, sent } = resourceRow(resource) ?? {}
  return request && { type: of, sent: sent ?? '', merges: request.mode === 'merge', whole: sent !== undefined }
}

/** The text does not speak of requests that overlap: only a binding promises what they leave. */
const GAP = 'GAP-CONCURRENCY'

/** Requests of one group that are tried in every order; more would take too long. */
const MOST_MOVES = 6

/**
 * CHANGES-OVERLAP: simultaneous changes by several clients leave what some order of them would leave. In that order
 * nothing that had ended comes after a later beginning. The changes and the read behind them carry the probe `parallel`.
 */
export const serialRule: GroupRule = {
  // With 429 nothing was done: it is sent again.
  sees: ({ intent, status }) => intent?.probe === 'parallel' && status !== 429,
  judge: (view, before, oracle) =>
    view.intent?.kind === 'read' ? asPromised(judgeRead(view, before, oracle), GAP, oracle) : [],
}

function judgeRead(view: ExchangeView, before: readonly ExchangeView[], oracle: Oracle): Judgement[] {
  const writes = before.filter(({ intent }) => intent?.kind !== 'read')
  const operation = writes[0]?.operation?.id ?? ''
  const writing = writingOf(operation)
  const record = view.accepted ? recordIn(view) : undefined
  const ends = writes.map(({ exchange }) => exchange._end)
  if (!writing || !record || ends.some((end) => end > view.exchange._start)) return []
  const done = writes.filter(({ accepted }) => accepted)
  const claim = claimOf('CHANGES-OVERLAP', [...writes, view], { operation, edge: `${done.length} at the same time` })
  if (!writes.every((one) => one.accepted || isTurnedDown(one))) {
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

/** Who did what, and when, in milliseconds from the first of them. */
function story(moves: readonly Move[], carried: readonly Move[]): string {
  const begun = Math.min(...moves.map(({ view }) => view.exchange._start))
  return moves
    .map(({ view: { exchange, status }, sent }, index) => {
      const time = `${Math.round(exchange._start - begun)} to ${Math.round(exchange._end - begun)} ms`
      return `${String.fromCharCode(65 + index)} sent ${shown(differing(sent, carried))} (${time}, ${status})`
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
