import { probes } from '../../../schemas/intents.ts'
import { about, type HistoryRule } from '../../core/rule.ts'

interface Forms {
  /** the stated form was refused by this exchange */
  readonly refused: string | undefined
  /** … and after that another one was taken in this one */
  readonly other: string | undefined
}

const NOTHING: Forms = { refused: undefined, other: undefined }

/**
 * A request in the form that the text states, or that the binding gives, was refused, while the same request in another
 * form was carried out, and the stated one was refused again after it: then the form was refused, and not something that
 * was not ready. The intent of the stated form is a base that names the requirement, that of other forms has the probe
 * `other-form`.
 */
export const formsRule: HistoryRule<Forms> = {
  name: 'forms',
  intended: true,
  bound: 10_000,
  key(view) {
    const { intent } = view
    const concerned = intent?.data?.form === true || intent?.probe === probes.otherForm
    return concerned && intent?.requirement !== undefined ? `${intent.group} ${intent.requirement}` : undefined
  },
  init: () => NOTHING,
  step(state, view) {
    const requirement = view.intent?.requirement ?? ''
    const base = { ...about(view), requirement, edge: view.intent?.edge ?? '' }
    if (view.intent?.probe === probes.otherForm) {
      return {
        state: view.accepted && state.refused !== undefined ? { ...state, other: view.id } : state,
        judgements: [],
      }
    }
    if (view.accepted) return { state: NOTHING, judgements: [{ ...base, outcome: 'held', exchanges: [view.id] }] }
    const said = view.conclusive && [400, 415, 422, 500].includes(view.status)
    if (!said) return { state, judgements: [] }
    const { refused, other } = state
    if (refused === undefined || other === undefined) return { state: { ...state, refused: view.id }, judgements: [] }
    return {
      state: NOTHING,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          exchanges: [refused, other, view.id],
          message: 'the stated form is refused, while another one is taken',
          expected: 'the stated form is taken',
          actual: `status ${view.status}`,
        },
      ],
    }
  },
  end: () => [],
}
