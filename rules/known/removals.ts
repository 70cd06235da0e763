import { idIn, madeBy, showsThing } from '../core/reads.ts'
import { leftAlone } from '../core/view.ts'
import type { Kind } from './kinds.ts'
import type { Part } from './part.ts'
import type { Fact } from './things.ts'

/** Of one thing: the removal that was accepted; undefined: it may be there. */
export interface Removal {
  by: Fact | undefined
}

/**
 * What clients removed, by its id in any letter case, since an address is one in all of them. One history for each thing and
 * not for each collection: so a creation by one client makes unknown what others know.
 */
export function removalOf(kind: Kind): Part<Removal> {
  return {
    name: `removal of ${kind.type}`,
    bound: 10_000,
    others: 'all',
    operations: (binding) => kind.operations(binding, 'create', 'read', 'remove'),
    key(view, { binding }) {
      const role = kind.roleOf(view, binding)
      if (view.exchange._case !== undefined || (role !== 'create' && role !== 'read' && role !== 'remove'))
        return undefined
      return (role === 'create' ? madeBy(view, binding, kind.type) : idIn(view, binding, kind.type))?.toLowerCase()
    },
    init: () => ({ by: undefined }),
    knowsNothing: ({ by }) => by === undefined,
    learn(known, view, { binding }) {
      const role = kind.roleOf(view, binding)
      if (role === 'remove') {
        if (view.accepted) known.by = { exchange: view.id, at: view.exchange._end }
      } else if (role === 'read' ? view.accepted && showsThing(view, '', '') !== false : !leftAlone(view)) {
        known.by = undefined
      }
    },
  }
}
