import { probes } from '../../../schemas/intents.ts'
import { about, type HistoryRule } from '../../core/rule.ts'

interface Tried {
  /** a request with a credential that nobody has was refused */
  readonly guarded: string | undefined
  readonly refused: readonly string[]
  /** an answer was neither success nor a refusal of the credential */
  readonly unclear: boolean
}

/**
 * `key` of a key authenticates requests (section 'Key resource'). Which ones is not said: the run tries what keys of its
 * type are for, and it is enough that one is carried out, where the same with an unknown key is not. The last try is
 * marked as final; `intent.data.unknown`: the key is nobody's.
 */
export const authenticatesRule: HistoryRule<Tried> = {
  name: 'authenticates',
  intended: true,
  bound: 1_000,
  key: ({ intent }) => (intent?.probe === probes.madeKey ? intent.group : undefined),
  init: () => ({ guarded: undefined, refused: [], unclear: false }),
  step(state, view) {
    const refused = view.conclusive && (view.status === 401 || view.status === 403)
    if (view.intent?.data?.unknown === true) {
      return { state: { ...state, guarded: refused ? view.id : undefined }, judgements: [] }
    }
    const base = { ...about(view), operation: 'list-enterprise-keys', requirement: 'KEY-KEY-AUTHENTICATES' }
    if (view.accepted) {
      if (state.guarded === undefined) return { state, judgements: [] }
      return { state, judgements: [{ ...base, outcome: 'held', exchanges: [state.guarded, view.id] }] }
    }
    const next = refused ? { ...state, refused: [...state.refused, view.id] } : { ...state, unclear: true }
    if (view.intent?.final !== true) return { state: next, judgements: [] }
    if (next.unclear) return { state: next, judgements: [{ ...base, outcome: 'inconclusive', exchanges: [view.id] }] }
    return {
      state: next,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          exchanges: next.refused,
          message: 'the secret of a key that was made authenticates no request',
          expected: 'carried out',
          actual: `status ${view.status}, as with a key that nobody has`,
        },
      ],
    }
  },
  end: () => [],
}
