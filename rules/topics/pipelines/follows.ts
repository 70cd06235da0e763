import { isDeepStrictEqual } from 'node:util'
import { probes } from '../../../schemas/intents.ts'
import { at } from '../../../schemas/pointer.ts'
import { readerOf } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'

/** What another pipeline was read as after a switch of the first. */
interface Look {
  readonly sent: string
  readonly change: string
  readonly value: unknown
  readonly exchange: string
}

interface Following {
  /** the pipeline that is looked at */
  readonly other: string | undefined
  readonly change: { readonly sent: string; readonly exchange: string; readonly at: number } | undefined
  readonly looks: readonly Look[]
}

const OPERATION = 'update-processing-status'
const NOTHING: Following = { other: undefined, change: undefined, looks: [] }

/**
 * A switch of the processing status is one of the pipeline in the path (operation rule 10). What state another one is in
 * has many reasons, so that one change says nothing: blamed is that it follows the first there, back, and there again.
 */
export const followsRule: HistoryRule<Following> = {
  name: 'follows',
  bound: 10_000,
  intended: true,
  operations: (binding) => [OPERATION, readerOf(binding, 'pipeline', 'read')],
  key: ({ intent, operation }) =>
    intent?.group !== undefined && (intent.probe === probes.beside || operation?.id === OPERATION)
      ? intent.group
      : undefined,
  init: () => NOTHING,
  step(state, view) {
    const id = view.params.pipeline_id
    if (view.operation?.id === OPERATION) return { state: afterSwitch(state, view), judgements: [] }
    const pointer = view.operation?.answer.processing_status
    const value = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
    if (value === undefined || id === undefined) return { state, judgements: [] }
    const { other, change } = state
    if (other === undefined || !change) return { state: { ...state, other: id }, judgements: [] }
    if (id !== other || view.exchange._start < change.at) return { state, judgements: [] }
    // Of several looks after one switch the last one counts.
    const before = state.looks.filter((look) => look.change !== change.exchange)
    const looks = [...before, { sent: change.sent, change: change.exchange, value, exchange: view.id }].slice(-3)
    const [first, second, third] = looks
    const next = { ...state, looks }
    if (!first || !second || !third || first.sent !== third.sent || first.sent === second.sent)
      return { state: next, judgements: [] }
    const base = {
      ...about(view),
      operation: OPERATION,
      requirement: 'PROCESSING-STATUS-SWITCHES',
      exchanges: looks.flatMap((look) => [look.change, look.exchange]),
      edge: 'another pipeline',
    }
    const follows = isDeepStrictEqual(first.value, third.value) && !isDeepStrictEqual(first.value, second.value)
    if (!follows) return { state: next, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: NOTHING,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'a switch of the processing status of one pipeline switches another',
          expected: `a status that does not follow ${first.sent}`,
          actual: shown(looks.map((look) => look.value)),
        },
      ],
    }
  },
  end: () => [],
}

function afterSwitch(state: Following, view: ExchangeView): Following {
  if (leftAlone(view)) return state
  const body = jsonOf(view.request)
  const id = view.params.pipeline_id
  if (!view.accepted || body === undefined || id === state.other) return NOTHING
  return { ...state, change: { sent: JSON.stringify(body), exchange: view.id, at: view.exchange._end } }
}
