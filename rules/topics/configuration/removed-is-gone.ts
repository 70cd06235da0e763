import { decide } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { oneOf } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { isAsBefore, lookAt, type Things, toldOf } from '../../known/things.ts'

/** Shorter ids are counted, or chosen. */
const LONG = 16

/** What was removed is neither listed nor read any more (operation rules 11 to 13). Judged only of what was seen before. */
export function removedIsGone(kind: Kind, requirement: string): Rule<Things> {
  const { type, remove: operation } = kind
  return {
    name: `${oneOf(type)} that was removed is gone`,
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      if (known.removed.size === 0) return []
      const look = lookAt(known, view, kind, oracle)
      return toldOf(known.removed, look, view).flatMap(({ id, fact, there }) => {
        if (look && there && !isAsBefore(known, id, look, view, kind)) return []
        // An address can be invited again; an id does not come back, but for short ones.
        const others = type === 'member' || (there && comesBack(id))
        const claim = { ...about(view), operation, requirement, exchanges: [fact.exchange, view.id], others }
        const still = {
          message: `a removed ${type} is still there`,
          expected: `no ${type} ${id}`,
          actual: `status ${view.status}, ${type} ${id} is shown`,
        }
        return [decide(claim, there ? still : undefined, doubtOf(view, fact.at, oracle))]
      })
    },
  }
}

/** Whether whoever makes another one may get the id of one that was removed: which ids a target gives is its own matter. */
function comesBack(id: string): boolean {
  return id.length < LONG || !/\d/.test(id)
}
