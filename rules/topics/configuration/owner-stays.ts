import { decide } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Kind } from '../../known/kinds.ts'
import { lookAt, type Things } from '../../known/things.ts'

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
