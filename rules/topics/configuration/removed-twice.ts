import { probes } from '../../../schemas/intents.ts'
import type { HistoryRule, Rule } from '../../core/rule.ts'
import { doubtOf } from '../../known/doubt.ts'
import { historyOf } from '../../known/part.ts'
import { type Removal, removalsWith } from '../../known/removals.ts'
import { judgeStated } from '../general/provoked.ts'

/** removal -> what it removes, and the condition of the error table that it meets when that is not there */
const REMOVALS: Readonly<Record<string, readonly [type: string, condition: string]>> = {
  'delete-member': ['member', probes.unknownMember],
  'delete-screen': ['screen', probes.unknownScreen],
  'delete-exclusion': ['exclusion', probes.unknownExclusion],
}

/**
 * What was removed does not exist: to remove it again is answered as the table of errors says (section 'Errors'). Only of
 * traffic; a run says what it provokes.
 */
const removedTwice: Rule<Removal> = {
  name: 'what was removed is not found when it is removed again',
  operations: () => Object.keys(REMOVALS),
  judge(view, { by }, oracle) {
    const [type = '', condition = ''] = REMOVALS[view.operation?.id ?? ''] ?? []
    // A removal that came too early to tell is none that provokes anything.
    if (!by || doubtOf(view, by.at, oracle) !== undefined) return []
    const stated = view.specified?.errors.find((error) => error.condition === condition)
    return (stated ? judgeStated(view, stated, oracle) : []).map(({ judgement }) => ({
      ...judgement,
      edge: `${type} that was removed before`,
      exchanges: [by.exchange, ...judgement.exchanges],
    }))
  },
}

export const removedTwiceRule: HistoryRule<unknown> = historyOf(
  removalsWith(Object.fromEntries(Object.entries(REMOVALS).map(([id, [type]]) => [id, type]))),
  [removedTwice],
) as HistoryRule<unknown>
