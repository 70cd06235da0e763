import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'
import { receivedLines } from '../../known/lines.ts'

type Fields = Readonly<Record<string, unknown>>

/** One of several requests that were under way at the same time. */
interface Move {
  readonly exchange: string
  /** milliseconds */
  readonly start: number
  readonly end: number
  readonly status: number
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly sent: Fields
}

/** How writes change what is stored, and what of it a read has to show. */
interface Writing {
  readonly requirement: string
  readonly type: string
  readonly apply: (stored: Fields, sent: Fields) => Fields
  readonly sentIn: (body: unknown) => unknown
  /** a read shows every field; else it may have other names for some */
  readonly whole?: true
}

const replaces = (_stored: Fields, sent: Fields): Fields => sent
const merges = (stored: Fields, sent: Fields): Fields => ({ ...stored, ...sent })

const WRITES: Readonly<Record<string, Writing>> = {
  'update-state-variables': {
    requirement: 'STATEVAR-PARALLEL',
    type: 'pipeline',
    apply: merges,
    sentIn: (body) => (isRecord(body) ? body.state : undefined),
    whole: true,
  },
  'update-gateway-route': {
    requirement: 'ROUTE-PARALLEL',
    type: 'gateway-route',
    apply: merges,
    sentIn: (body) => body,
  },
  'update-preset-alert': {
    requirement: 'PRESET-PARALLEL',
    type: 'preset-alert',
    apply: replaces,
    sentIn: (body) => body,
  },
  'switch-group-revision': {
    requirement: 'REVISION-PARALLEL',
    type: 'placed-group',
    apply: replaces,
    sentIn: (body) => body,
  },
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
 * What several clients do at the same time has an outcome that it could have had one after the other, in an order in
 * which nothing that had ended comes after what began later. Groups of requests carry the probe `parallel`: writes with
 * a read behind them, deletions of one thing, or the same export several times.
 */
export const serialRule: HistoryRule<readonly Move[]> = {
  name: 'serial',
  intended: true,
  bound: 1_000,
  overlap: 'own',
  key: (view) => (view.intent?.probe === probes.parallel ? view.intent.group : undefined),
  init: () => [],
  step(moves, view, oracle) {
    const { state, judgements } = follow(moves, view, oracle)
    return { state, judgements: asPromised(judgements, GAP, oracle) }
  },
  end: () => [],
}

interface Followed {
  readonly state: readonly Move[]
  readonly judgements: readonly Judgement[]
}

function follow(moves: readonly Move[], view: ExchangeView, oracle: Oracle): Followed {
  const operation = view.operation?.id ?? ''
  // Nothing was done: it is sent again.
  if (view.status === 429) return { state: moves, judgements: [] }
  if (operation === 'export-v2') return exported(moves, view)
  if (DELETIONS[operation] !== undefined) return deleted(moves, view, DELETIONS[operation], oracle)
  if (view.intent?.kind !== 'read') return { state: [...moves, moveOf(view, operation)], judgements: [] }
  return { state: moves, judgements: judgeRead(moves, view, oracle) }
}

function moveOf(view: ExchangeView, operation: string): Move {
  const sent = WRITES[operation]?.sentIn(jsonOf(view.request))
  const { _start: start, _end: end } = view.exchange
  const refused = view.conclusive && view.status >= 400 && view.status < 500
  const outcome = view.accepted ? 'done' : refused ? 'refused' : 'unknown'
  return {
    exchange: `${view.id} ${operation}`,
    start,
    end,
    status: view.status,
    outcome,
    sent: isRecord(sent) ? sent : {},
  }
}

function judgeRead(moves: readonly Move[], view: ExchangeView, oracle: Oracle): Judgement[] {
  const [first] = moves
  const operation = first?.exchange.split(' ')[1] ?? ''
  const writing = WRITES[operation]
  const whole = view.accepted ? recordIn(view) : undefined
  // What the target keeps in a form of its own tells of no order.
  const own = new Set(oracle.binding.resources.get(writing?.type ?? '')?.normalises)
  const record = own.size === 0 ? whole : whole && omit(whole, own)
  if (!writing || !record || moves.some(({ end }) => end > view.exchange._start)) return []
  const done = moves.filter(({ outcome }) => outcome === 'done')
  const base = {
    ...about(view),
    operation,
    requirement: writing.requirement,
    edge: `${done.length} at the same time`,
    exchanges: [...moves.map(({ exchange }) => exchange.split(' ')[0] ?? ''), view.id],
  }
  const unsure = moves.some(({ outcome }) => outcome === 'unknown') || done.length > MOST_MOVES
  if (unsure || done.length < 2) return [{ ...base, outcome: 'inconclusive' }]
  const sent = own.size === 0 ? done : done.map((move) => ({ ...move, sent: omit(move.sent, own) }))
  if (isExplained(sent, {}, writing, record)) return [{ ...base, outcome: 'held' }]
  if (!isSettled(view, Math.max(...moves.map(({ end }) => end)), oracle)) return [{ ...base, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'no order of the requests explains what is read after them',
      expected: 'what is left when they are carried out one after the other, in some order',
      actual: `${story(moves, done)}; then a read showed ${shown(pick(record, done))}`,
    },
  ]
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
    if (others.some(({ end }) => end < next.start)) return false
    return isExplained(others, writing.apply(stored, next.sent), writing, read)
  })
}

/** A thing is deleted once: whoever comes later is told that it is not there. */
function deleted(moves: readonly Move[], view: ExchangeView, requirement: string, oracle: Oracle): Followed {
  const state = [...moves, moveOf(view, view.operation?.id ?? '')]
  const done = state.filter(({ outcome }) => outcome === 'done')
  const base = {
    ...about(view),
    requirement,
    edge: `${state.length} at the same time`,
    exchanges: [...done.map(({ exchange }) => exchange.split(' ')[0] ?? ''), view.id],
  }
  if (view.accepted && done.length > 1) {
    // Where reads may be old, so may be what a deletion looks at.
    if (oracle.settleMs > 0) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
    const told: Judgement = {
      ...base,
      outcome: 'broken',
      message: 'one thing is deleted twice',
      expected: 'one success, and an error for whoever comes later',
      actual: story(state, state),
    }
    return { state, judgements: [told] }
  }
  const held = done.length === 1 && state.some(({ outcome }) => outcome === 'refused')
  return { state, judgements: held ? [{ ...base, outcome: 'held' }] : [] }
}

/** Exports of the same lines agree, however many run at the same time. */
function exported(moves: readonly Move[], view: ExchangeView): Followed {
  const lines = view.accepted ? receivedLines(view) : undefined
  if (!lines) return { state: moves, judgements: [] }
  const [first] = moves
  const marks = Object.fromEntries([...lines].map(({ id }) => [id, true]).sort())
  const state = [...moves, { ...moveOf(view, 'export-v2'), sent: marks }].slice(0, MOST_MOVES)
  if (!first) return { state, judgements: [] }
  const base = {
    ...about(view),
    requirement: 'EXPORT-V2-PARALLEL',
    edge: `${state.length} at the same time`,
    exchanges: [first.exchange.split(' ')[0] ?? '', view.id],
  }
  const [ours, theirs] = [Object.keys(marks), Object.keys(first.sent)]
  const missing = theirs.filter((id) => marks[id] === undefined).length
  const more = ours.filter((id) => first.sent[id] === undefined).length
  if (missing === 0 && more === 0) return { state, judgements: [{ ...base, outcome: 'held' }] }
  const differ: Judgement = {
    ...base,
    outcome: 'broken',
    message: 'exports of the same lines at the same time differ',
    expected: `the ${theirs.length} lines of the other one`,
    actual: `${ours.length} lines: ${missing} of them are missing, ${more} are others`,
  }
  return { state, judgements: [differ] }
}

/** Who did what, and when, in milliseconds from the first of them. */
function story(moves: readonly Move[], named: readonly Move[]): string {
  const begun = Math.min(...moves.map(({ start }) => start))
  return moves
    .map(({ start, end, status, sent }, index) => {
      const body = Object.keys(sent).length === 0 ? 'asked' : `sent ${shown(pick(sent, named))}`
      const time = `${Math.round(start - begun)} to ${Math.round(end - begun)} ms`
      return `${String.fromCharCode(65 + index)} ${body} (${time}, ${status})`
    })
    .join('; ')
}

function omit(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

/** The fields that the moves are about, and of these only such as differ between them. */
function pick(fields: Fields, moves: readonly Move[]): Fields {
  const names = new Set(moves.flatMap(({ sent }) => Object.keys(sent)))
  const differ = [...names].filter((name) => new Set(moves.map(({ sent }) => JSON.stringify(sent[name]))).size > 1)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => differ.includes(name)))
}
