import { probes } from '../../../schemas/intents.ts'
import type { HistoryRule, Rule } from '../../core/rule.ts'
import { doubtOf } from '../../known/doubt.ts'
import { type Kind, kindOf } from '../../known/kinds.ts'
import { historyOf } from '../../known/part.ts'
import { type Removal, removalOf } from '../../known/removals.ts'
import { judgeStated } from '../general/provoked.ts'

/** What is removed, and the condition of the error table that a removal meets when that is not there. */
const KINDS: readonly (readonly [Kind, string])[] = [
  [kindOf({ type: 'member', create: 'create-member', remove: 'delete-member' }), probes.unknownMember],
  [kindOf({ type: 'screen', create: 'create-screen', remove: 'delete-screen' }), probes.unknownScreen],
  [kindOf({ type: 'exclusion', create: 'create-exclusion', remove: 'delete-exclusion' }), probes.unknownExclusion],
]

/**
 * What was removed does not exist: to remove it again is answered as the table of errors says (section 'Errors'). Only of
 * traffic; a run says what it provokes.
 */
function removedTwice({ type, remove }: Kind, condition: string): Rule<Removal> {
  return {
    name: `${type} that was removed is not found when it is removed again`,
    operations: () => [remove],
    judge(view, { by }, oracle) {
      if (!by || doubtOf(view, by.at, oracle) !== undefined) return []
      const stated = view.specified?.errors.find((error) => error.condition === condition)
      return (stated ? judgeStated(view, stated, oracle) : []).map(({ judgement }) => ({
        ...judgement,
        edge: `${type} that was removed before`,
        exchanges: [by.exchange, ...judgement.exchanges],
      }))
    },
  }
}

export const removedTwiceRules: readonly HistoryRule<unknown>[] = KINDS.map(
  ([kind, condition]) => historyOf(removalOf(kind), [removedTwice(kind, condition)]) as HistoryRule<unknown>,
)
