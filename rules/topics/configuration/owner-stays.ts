import { decide } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { type Existence, lookAt } from '../../known/things.ts'

/**
 * MEMBER-DELETE-OWNER-REFUSED: the owner of the account cannot be removed (section 'Errors'). After a removal was tried, the
 * owner is still there.
 */
export function ownerStays(kind: Kind): Rule<Existence> {
  return {
    name: 'the owner of the account stays',
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      const { owner: tried } = known
      const look = tried && lookAt(known, view, kind, oracle)
      if (look?.owner === undefined) return []
      const claim = {
        ...about(view),
        operation: kind.remove,
        requirement: 'MEMBER-DELETE-OWNER-REFUSED',
        edge: 'the owner stays',
        exchanges: [tried?.exchange ?? '', view.id],
      }
      const gone = {
        message: 'the owner of the account is gone after a removal was tried',
        expected: 'the owner is still a member',
        actual: look.way === 'list' ? 'not listed' : `status ${view.status}`,
      }
      if (look.owner) return [{ ...decide(claim, undefined, undefined), side: 'refused' }]
      return [decide(claim, gone, doubtOf(view, tried?.at ?? 0, oracle))]
    },
  }
}
