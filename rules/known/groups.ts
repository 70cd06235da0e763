import type { Judgement } from '../core/judgement.ts'
import type { HistoryRule, Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/**
 * Judges a request beside the earlier ones of its group: a case puts into a group what has to be seen together, such as
 * the same question asked three times. Stateless.
 */
export interface GroupRule {
  /** the question that it answers */
  readonly name: string
  /** whether a request of a group, all of which have an intent, is one of those that it asks for and judges */
  sees(view: ExchangeView): boolean
  /** `before`: the earlier requests of the group that it sees, the oldest first */
  judge(view: ExchangeView, before: readonly ExchangeView[], oracle: Oracle): readonly Judgement[]
}

/** Requests of one group that are kept, the newest. */
const MOST = 200
/** Groups that are kept, the newest. Each belongs to one case, of which few run at a time. */
const MOST_GROUPS = 500

const NONE: readonly Judgement[] = []

/** The part of the store that holds groups of requests, with the rules that ask it. Only requests that some rule sees are kept. */
export function groupsWith(rules: readonly GroupRule[]): HistoryRule<ExchangeView[]> {
  return {
    name: 'groups',
    intended: true,
    overlap: 'own',
    bound: MOST_GROUPS,
    key: (view) =>
      view.intent?.group !== undefined && rules.some((rule) => rule.sees(view)) ? view.intent.group : undefined,
    init: () => [],
    step(views, view, oracle) {
      let judgements = NONE
      for (const rule of rules) {
        if (!rule.sees(view)) continue
        const said = rule.judge(
          view,
          views.filter((one) => rule.sees(one)),
          oracle,
        )
        if (said.length > 0) judgements = [...judgements, ...said]
      }
      views.push(view)
      if (views.length > MOST) views.shift()
      return { state: views, judgements }
    },
    end: () => NONE,
  }
}
