import type { Binding } from '../../schemas/binding.ts'
import { idIn, madeBy, showsThing } from '../core/reads.ts'
import { leftAlone } from '../core/view.ts'
import type { Part } from './part.ts'
import type { Fact } from './things.ts'

/** Of one thing: the removal that was accepted; undefined: it may be there. */
export interface Removal {
  by: Fact | undefined
}

/**
 * What clients removed, by its id in any letter case, since an address is one in all of them. One history for each thing and
 * not for each collection: so a creation by one client makes unknown what others know. `types`: removal -> what it removes.
 */
export function removalsWith(types: Readonly<Record<string, string>>): Part<Removal> {
  const typeOf = (id: string | undefined, { resources }: Binding): string | undefined =>
    types[id ?? ''] ??
    Object.values(types).find((type) => {
      const { create, read } = resources.get(type) ?? {}
      return id !== undefined && (id === create || id === read)
    })
  return {
    name: 'removals',
    bound: 10_000,
    others: 'all',
    operations: ({ resources }) =>
      Object.entries(types).flatMap(([removal, type]) => [
        removal,
        resources.get(type)?.create,
        resources.get(type)?.read,
      ]),
    key(view, { binding }) {
      if (view.exchange._case !== undefined) return undefined
      const type = typeOf(view.operation?.id, binding)
      if (type === undefined) return undefined
      const makes = binding.resources.get(type)?.create === view.operation?.id
      const id = makes ? madeBy(view, binding, type) : idIn(view, binding, type)
      return id === undefined ? undefined : `${type} ${id.toLowerCase()}`
    },
    init: () => ({ by: undefined }),
    knowsNothing: ({ by }) => by === undefined,
    learn(known, view) {
      if (types[view.operation?.id ?? ''] !== undefined) {
        if (view.accepted) known.by = { exchange: view.id, at: view.exchange._end }
      } else if (
        view.operation?.effect === 'read' ? view.accepted && showsThing(view, '', '') !== false : !leftAlone(view)
      ) {
        known.by = undefined
      }
    },
  }
}
