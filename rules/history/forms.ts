import { about, type HistoryRule } from '../rule.ts'

interface Forms {
  /** the stated form was refused by this exchange */
  readonly refused: string | undefined
  readonly status: number
}

/**
 * A request in the form that the text states, or that the binding gives, was refused, while the same request in another
 * form was carried out: then the form was refused. The intent of the stated form is a base that names the requirement,
 * that of other forms has the probe `other-form`.
 */
export const formsRule: HistoryRule<Forms> = {
  name: 'forms',
  intended: true,
  bound: 10_000,
  key(view) {
    const { intent } = view
    const concerned = intent?.data?.form === true || intent?.probe === 'other-form'
    return concerned && intent?.requirement !== undefined ? `${intent.group} ${intent.requirement}` : undefined
  },
  init: () => ({ refused: undefined, status: 0 }),
  step(state, view) {
    const requirement = view.intent?.requirement ?? ''
    const base = { ...about(view), requirement, edge: view.intent?.edge ?? '' }
    if (view.intent?.probe !== 'other-form') {
      if (view.accepted) return { state, judgements: [{ ...base, outcome: 'held', exchanges: [view.id] }] }
      const said = view.conclusive && [400, 415, 422, 500].includes(view.status)
      if (!said) return { state, judgements: [] }
      return { state: { ...state, refused: view.id, status: view.status }, judgements: [] }
    }
    if (!view.accepted || state.refused === undefined) return { state, judgements: [] }
    return {
      state,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          exchanges: [view.id, state.refused],
          message: 'the stated form is refused, while another one is taken',
          expected: 'the stated form is taken',
          actual: `status ${state.status}`,
        },
      ],
    }
  },
  end: () => [],
}
