import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { broken, type Judgement } from '../../core/judgement.ts'
import { listIn } from '../../core/reads.ts'
import { about, type Rule } from '../../core/rule.ts'
import { type Attempts, NOT_FOUND } from '../../known/attempts.ts'
import type { Kind } from '../../known/kinds.ts'
import { isInactive } from '../general/works.ts'

/** Operations that remove a thing and have a code for one that does not exist. */
const removals: readonly Operation[] = specifiedOperations().filter(
  ({ deletes, errors }) => deletes !== undefined && errors.some(({ code }) => code === NOT_FOUND),
)

/**
 * A thing that a list shows before and after exists: a removal that does not find it contradicts the list (section
 * 'Errors', 'e-mail is not an active member', 'screen does not exist').
 */
export function listedIsFound(kind: Kind): readonly Rule<Attempts>[] {
  return removals.flatMap(({ id: operation, deletes, response }) => {
    const { statusRequirement: requirement, status } = response
    if (deletes !== kind.type) return []
    const rule: Rule<Attempts> = {
      name: `${kind.type} that is listed is found when it is to be removed`,
      operations: (binding) => kind.operations(binding, 'list'),
      judge(view, { notFound, shown }, { binding }) {
        if (notFound.size === 0 || !view.accepted) return []
        const key = binding.resources.get(kind.type)?.key ?? 'id'
        return (listIn(view) ?? []).flatMap((element): Judgement[] => {
          const id = String(element[key])
          const missed = notFound.get(id)
          if (!missed || view.exchange._start < missed.at) return []
          if (kind.type === 'member' && isInactive(element)) return []
          const exchanges = [shown.get(id)?.first?.exchange ?? '', view.id, missed.exchange]
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
