import { at } from '../../../schemas/pointer.ts'
import { decide, held } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { lookAt, type Things } from '../../known/things.ts'

const MAKES = 'create-group-from-pipeline'
const PLACES = 'add-group-to-pipeline'

/** GROUP-CREATE-KEEPS: transforms that were copied into a group stay in their pipeline (operation rule 3: it copies). */
export function copiedTransformsStay(transform: Kind): Rule<Things> {
  return {
    name: 'transforms that were copied stay',
    operations: (binding) => transform.operations(binding, 'read'),
    judge(view, known, oracle) {
      if (known.copied.size === 0) return []
      const { id = '', there } = lookAt(known, view, transform, oracle) ?? {}
      const copy = known.copied.get(id)
      const stays = view.accepted && there !== false
      if (!copy || view.exchange._start < copy.at || (!stays && there === undefined)) return []
      const exchanges = [copy.exchange, view.id]
      const claim = { ...about(view), operation: MAKES, requirement: 'GROUP-CREATE-KEEPS', exchanges }
      const gone = {
        message: 'a transform that was copied into a group is not in its pipeline any more',
        expected: 'the transform, read as before',
        actual: `status ${view.status}`,
      }
      return [decide(claim, stays ? undefined : gone, doubtOf(view, copy.at, oracle))]
    },
  }
}

/**
 * GROUP-CREATE-COPIES: a group made from a pipeline holds as many transforms as were listed (operation rule 3). Whether one
 * that is listed twice is copied twice is not stated, and a new revision may hold others.
 */
export function groupHoldsCopies(group: Kind): Rule<Things> {
  return {
    name: 'a group holds as many transforms as were copied',
    operations: (binding) => group.operations(binding, 'read'),
    judge(view, known, oracle) {
      const made = known.made.get(lookAt(known, view, group, oracle)?.id ?? '')
      const pointer = view.operation?.answer.transforms
      const transforms = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
      if (made?.holds === undefined || !view.accepted || !Array.isArray(transforms)) return []
      const claim = {
        ...about(view),
        operation: MAKES,
        requirement: 'GROUP-CREATE-COPIES',
        exchanges: [made.exchange, view.id],
        edge: `${made.holds} transforms`,
      }
      const others = {
        message: 'the new group does not hold the listed transforms',
        expected: `${made.holds} transforms`,
        actual: `${transforms.length} transforms`,
      }
      return [decide(claim, transforms.length === made.holds ? undefined : others, doubtOf(view, made.at, oracle))]
    },
  }
}

/**
 * PLACEMENT-OF-PROCESSOR-GROUP: a processor group and a transform group are one thing (operation rule 5): what was created
 * as the one is placed as the other. A refusal can have other reasons, so that only a placement says something.
 */
export const groupIsPlaceable: Rule<Things> = {
  name: 'a processor group is placed as a transform group',
  operations: () => [PLACES],
  judge(view, { made }) {
    const group =
      view.accepted && made.size > 0 ? made.get(String(at(jsonOf(view.request), '/transform_group_id'))) : undefined
    if (!group || view.violations.length > 0) return []
    return [held({ ...about(view), requirement: 'PLACEMENT-OF-PROCESSOR-GROUP', exchanges: [group.exchange, view.id] })]
  },
}
