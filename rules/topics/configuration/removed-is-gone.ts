import { at } from '../../../schemas/pointer.ts'
import { operationRow, operationsWhere } from '../../../schemas/service.ts'
import { decide, unclear } from '../../core/judgement.ts'
import { claimOf, type ExchangeRule, type Rule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { comesBack, type Removal } from '../../known/existence.ts'
import type { Kind } from '../../known/kinds.ts'
import { isAsBefore, looking, type Things, toldOf } from '../../known/things.ts'
import { judgeStated } from '../general/provoked.ts'

/**
 * A removed thing is neither listed nor read any more (operation rules 11 to 13). Judged only of what was seen before.
 */
export function removedIsGone(kind: Kind, requirement: string): Rule<Things> {
  const { type, remove: operation } = kind
  return looking(kind, (look, view, known, oracle) =>
    toldOf(known.removed, look, view).flatMap(({ id, fact, there }) => {
      if (there && !isAsBefore(known, id, look, view, kind)) return []
      // An address can be invited again; an id does not come back, but for short ones.
      const others = type === 'member' || (there && comesBack(id))
      const claim = claimOf(requirement, [view], { operation, exchanges: [fact.exchange, view.id], others })
      const message = `a removed ${type} is still there`
      const still = { message, expected: `no ${type} ${id}`, actual: `status ${view.status}, ${type} ${id} is shown` }
      const doubt = doubtOf(view, fact.at, oracle)
      // What never showed the thing may not know of its creation yet, and so says nothing of its removal.
      if (!there && !fact.by[look.way] && doubt !== undefined) return [unclear(claim, doubt)]
      return [decide(claim, there ? still : undefined, doubt)]
    }),
  )
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
    return [decide(claimOf(requirement, [view]), deleted ? undefined : fault)]
  },
}

/**
 * MEMBER-DELETE-OWNER-REFUSED: the owner of the account cannot be removed (section 'Errors'). After a removal was tried, the
 * owner is still there.
 */
export function ownerStays(kind: Kind): Rule<Things> {
  return looking(kind, (look, view, { owner }, oracle) => {
    if (!owner || view.exchange._start < owner.at) return []
    const isOwner = (id: string): boolean => id.toLowerCase() === owner.id
    const isRead = look.id !== undefined && isOwner(look.id)
    const stays = look.id === undefined ? [...look.shows.keys()].some(isOwner) : isRead && view.accepted
    const isGone = look.id === undefined ? look.surely : isRead && look.there === false
    if (!stays && !isGone) return []
    const claim = claimOf('MEMBER-DELETE-OWNER-REFUSED', [view], {
      operation: kind.remove,
      edge: 'the owner stays',
      exchanges: [owner.exchange, view.id],
    })
    const gone = {
      message: 'the owner of the account is gone after a removal was tried',
      expected: 'the owner is still a member',
      actual: look.id === undefined ? 'not listed' : `status ${view.status}`,
    }
    const judgement = decide(claim, stays ? undefined : gone, doubtOf(view, owner.at, oracle))
    return [stays ? { ...judgement, side: 'refused' } : judgement]
  })
}

/**
 * A removed thing does not exist: removing it again is answered as the table of errors says (section 'Errors'). Only of
 * traffic; a run says what it provokes.
 */
export function removedTwice({ type, remove }: Kind, condition: string): Rule<Removal> {
  return {
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
