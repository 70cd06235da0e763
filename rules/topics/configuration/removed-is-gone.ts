import { at } from '../../../schemas/pointer.ts'
import { allCollections, operationRow, operationsWhere } from '../../../schemas/service.ts'
import { decide } from '../../core/judgement.ts'
import { about, type ExchangeRule, type HistoryRule, type Rule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { oneOf, shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { comesBack, type Removal, removalOf } from '../../known/existence.ts'
import { type Kind, kindOf } from '../../known/kinds.ts'
import { historyOf } from '../../known/part.ts'
import { isAsBefore, lookAt, type Things, toldOf } from '../../known/things.ts'
import { judgeStated } from '../general/provoked.ts'

/**
 * A removed thing is neither listed nor read any more (operation rules 11 to 13). Judged only of what was seen before.
 */
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

/** A deletion that was carried out says so in `deleted` (section 'Other request shapes'). */
export const deletedRule: ExchangeRule = {
  name: 'deleted',
  operations: operationsWhere(({ deleted }) => deleted),
  judge(view) {
    const requirement = operationRow(view.operation?.id)?.deleted
    if (requirement === undefined || !view.accepted) return []
    const deleted = at(jsonOf(view.response), '/deleted')
    if (typeof deleted !== 'boolean') return []
    const message = 'a deletion that is answered with success says that nothing was deleted'
    const fault = { pointer: '/deleted', message, expected: 'true', actual: shown(deleted) }
    return [decide({ ...about(view), requirement, exchanges: [view.id] }, deleted ? undefined : fault)]
  },
}

/**
 * MEMBER-DELETE-OWNER-REFUSED: the owner of the account cannot be removed (section 'Errors'). After a removal was tried, the
 * owner is still there.
 */
export function ownerStays(kind: Kind): Rule<Things> {
  return {
    name: 'the owner of the account stays',
    operations: (binding) => kind.operations(binding, 'read', 'list'),
    judge(view, known, oracle) {
      const { owner } = known
      const look = owner && lookAt(known, view, kind, oracle)
      if (!look || view.exchange._start < owner.at) return []
      const isOwner = (id: string): boolean => id.toLowerCase() === owner.id
      const isRead = look.id !== undefined && isOwner(look.id)
      const stays = look.id === undefined ? [...look.shows.keys()].some(isOwner) : isRead && view.accepted
      const isGone = look.id === undefined ? look.surely : isRead && look.there === false
      if (!stays && !isGone) return []
      const claim = {
        ...about(view),
        operation: kind.remove,
        requirement: 'MEMBER-DELETE-OWNER-REFUSED',
        edge: 'the owner stays',
        exchanges: [owner.exchange, view.id],
      }
      const gone = {
        message: 'the owner of the account is gone after a removal was tried',
        expected: 'the owner is still a member',
        actual: look.id === undefined ? 'not listed' : `status ${view.status}`,
      }
      const judgement = decide(claim, stays ? undefined : gone, doubtOf(view, owner.at, oracle))
      return [stays ? { ...judgement, side: 'refused' } : judgement]
    },
  }
}

/**
 * A removed thing does not exist: removing it again is answered as the table of errors says (section 'Errors'). Only of
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

export const removedTwiceRules: readonly HistoryRule<unknown>[] = allCollections.flatMap(
  ({ type, create, remove = '', unknown }) => {
    if (unknown === undefined) return []
    const kind = kindOf({ type, create, remove })
    return [historyOf(removalOf(kind), [removedTwice(kind, unknown)]) as HistoryRule<unknown>]
  },
)
