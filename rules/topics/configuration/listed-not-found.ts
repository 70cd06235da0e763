import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { broken, type Judgement } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type Rule } from '../../core/rule.ts'
import { NOT_FOUND } from '../../known/existence.ts'
import type { Kind } from '../../known/kinds.ts'
import { lookAt, type Things, toldOf } from '../../known/things.ts'
import { isInactive } from '../general/works.ts'

/** Operations that remove a thing and have a code for one that does not exist. */
const removals: readonly Operation[] = specifiedOperations().filter(
  ({ deletes, errors }) => deletes !== undefined && errors.some(({ code }) => code === NOT_FOUND),
)

/**
 * A thing that a list shows before and after exists: a removal that does not find it contradicts the list (section
 * 'Errors', 'e-mail is not an active member', 'screen does not exist').
 */
export function listedIsFound(kind: Kind): readonly Rule<Things>[] {
  return removals.flatMap(({ id: operation, deletes, response }) => {
    const { statusRequirement: requirement, status } = response
    if (deletes !== kind.type) return []
    const rule: Rule<Things> = {
      name: `${kind.type} that is listed is found when it is to be removed`,
      operations: (binding) => kind.operations(binding, 'list'),
      judge(view, known, oracle) {
        if (known.notFound.size === 0) return []
        const look = lookAt(known, view, kind, oracle)
        return toldOf(known.notFound, look, view).flatMap(({ id, fact: missed, there }): Judgement[] => {
          const element = look?.shows.get(id)
          if (!there || (kind.type === 'member' && isRecord(element) && isInactive(element))) return []
          const exchanges = [known.shown.get(id)?.list?.exchange ?? '', view.id, missed.exchange]
          return [
            broken(
              { ...about(view), operation, requirement, edge: 'listed, and not found', exchanges },
              {
                message: `a ${kind.type} that is listed before and after is not found when it is to be removed`,
                expected: status === 'success' ? 'success' : `status ${status}`,
                actual: `status ${missed.status} with the code ${NOT_FOUND}`,
              },
            ),
          ]
        })
      },
    }
    return [rule]
  })
}
