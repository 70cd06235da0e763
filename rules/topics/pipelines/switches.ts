import { isDeepStrictEqual } from 'node:util'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { readerOf } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Shown {
  /** body of the newest accepted switch, and when it was answered */
  readonly sent: string | undefined
  readonly exchange: string
  readonly at: number
  /** body sent -> the status that was read after it, and the exchanges */
  readonly read: ReadonlyMap<string, { readonly value: unknown; readonly exchanges: readonly string[] }>
  /** each status that was ever read, as JSON, and the first exchange that showed it */
  readonly states: ReadonlyMap<string, string>
}

const OPERATION = 'update-processing-status'
const REQUIREMENT = 'PROCESSING-STATUS-SWITCHES'

/**
 * Switching a pipeline between enabled and disabled shows in a later read: another value after the other switch, the
 * same value after the same switch (operation rule 10). The words that a target uses do not matter. Only the two bodies
 * that the binding names are known to switch; what another one does is not stated.
 */
export const switchesRule: HistoryRule<Shown> = {
  name: 'switches',
  bound: 10_000,
  others: 'all',
  operations: (binding) => [OPERATION, readerOf(binding, 'pipeline', 'read')],
  key(view, { binding }) {
    const id = view.operation?.id
    const concerned = id === OPERATION || (id !== undefined && id === readerOf(binding, 'pipeline', 'read'))
    return concerned ? view.params.pipeline_id : undefined
  },
  init: () => ({ sent: undefined, exchange: '', at: 0, read: new Map(), states: new Map() }),
  step(state, view, oracle) {
    if (view.operation?.id === OPERATION) {
      if (leftAlone(view)) return { state, judgements: [] }
      const body = jsonOf(view.request)
      const sent = view.accepted && isKnown(body, oracle) ? JSON.stringify(body) : undefined
      return { state: { ...state, sent, exchange: view.id, at: view.exchange._end }, judgements: [] }
    }
    const pointer = view.operation?.answer.processing_status
    const value = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
    // An object may hold more than the status, such as since when it is so: that it differs says nothing.
    if (!view.accepted || value === undefined || isRecord(value)) return { state, judgements: [] }
    const { states, judgements } = judgeStates(state.states, value, view)
    const judged = switched({ ...state, states }, value, view, oracle)
    return { state: judged.state, judgements: [...judgements, ...judged.judgements] }
  },
  end: () => [],
}

const MOST_STATES = 10

/** A pipeline is enabled or disabled (section 'States and transitions'): whatever the words, there are two. */
function judgeStates(
  before: ReadonlyMap<string, string>,
  value: unknown,
  view: ExchangeView,
): { states: ReadonlyMap<string, string>; judgements: Judgement[] } {
  // Nothing is no state.
  if (value === null || value === '' || before.size >= MOST_STATES) return { states: before, judgements: [] }
  const name = JSON.stringify(value)
  const isNew = !before.has(name)
  const states = isNew ? new Map(before).set(name, view.id) : before
  if (states.size < 2) return { states, judgements: [] }
  const base = { ...about(view), operation: OPERATION, requirement: 'PROCESSING-STATUS-STATES' }
  if (states.size === 2) return { states, judgements: [{ ...base, outcome: 'held', exchanges: [view.id] }] }
  if (!isNew) return { states, judgements: [] }
  const [first, second] = before.keys()
  const broken: Judgement = {
    ...base,
    outcome: 'broken',
    exchanges: [...states.values()],
    message: 'the processing status of a pipeline has a third value',
    expected: `${first} or ${second}`,
    actual: name,
  }
  return { states, judgements: [broken] }
}

function switched(
  state: Shown,
  value: unknown,
  view: ExchangeView,
  oracle: Oracle,
): { readonly state: Shown; readonly judgements: readonly Judgement[] } {
  if (state.sent === undefined || view.exchange._start < state.at) return { state, judgements: [] }
  const exchanges = [state.exchange, view.id]
  const others = [...state.read].filter(([body]) => body !== state.sent)
  const base = { ...about(view), operation: OPERATION, requirement: REQUIREMENT, edge: state.sent }
  const same = others.find(([, seen]) => isDeepStrictEqual(seen.value, value))
  if (!isSettled(view, state.at, oracle)) {
    // The old status may still be shown: only one that differs from the other switch's shows the new one.
    const old = same !== undefined || others.length === 0
    return { state, judgements: old ? [{ ...base, outcome: 'inconclusive', exchanges }] : [] }
  }
  const next = { ...state, read: new Map(state.read).set(state.sent, { value, exchanges }) }
  if (same) {
    return {
      state: next,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          exchanges: [...same[1].exchanges, ...exchanges],
          message: 'the processing status is the same after enabling and after disabling',
          expected: `another status than ${shown(value)}, which was read after ${same[0]}`,
          actual: shown(value),
        },
      ],
    }
  }
  return { state: next, judgements: others.length > 0 ? [{ ...base, outcome: 'held', exchanges }] : [] }
}

function isKnown(body: unknown, { binding }: Oracle): boolean {
  const bodies = binding.answers.get('GAP-PROCESSING-STATUS-BODY')?.value
  return isRecord(bodies) && [bodies.enabled, bodies.disabled].some((known) => isDeepStrictEqual(known, body))
}
