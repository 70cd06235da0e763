import { type Binding, operationsFor } from '../../schemas/binding.ts'
import { oncePer } from '../../schemas/once.ts'
import type { Verb } from '../../schemas/types/service.ts'
import { scopeOf, scopeWithin } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/** What an operation does with the things of one type. 'beside': something else, which says more about them. */
export type Role = 'create' | 'read' | 'list' | 'change' | 'remove' | 'parent' | 'beside'

const ROLES: Readonly<Partial<Record<Verb, Role>>> = {
  create: 'create',
  read: 'read',
  list: 'list',
  update: 'change',
  change: 'change',
  remove: 'remove',
}

interface KindData {
  readonly type: string
  /** operations that make and remove one, as judgements name them */
  readonly create: string
  readonly remove: string
  /** operation -> the collection that it says something about */
  readonly beside?: Readonly<Record<string, (view: ExchangeView) => string | undefined>>
}

/** Resources of one type, as operations make, show, change and remove them. */
export interface Kind extends Pick<KindData, 'type' | 'create' | 'remove'> {
  roleOf(view: ExchangeView, binding: Binding): Role | undefined
  /** the operations that have one of these roles; any, where none is named */
  operations(binding: Binding, ...roles: readonly Role[]): readonly string[]
  /** the collection that an exchange is about: parents tell several of one type apart */
  key(view: ExchangeView, oracle: Oracle): string | undefined
}

export function kindOf({ type, create, remove, beside = {} }: KindData): Kind {
  const rolesIn = oncePer((binding: Binding): ReadonlyMap<string, Role> => {
    const parents = parentsOf(type, binding)
    return new Map(
      [...binding.operations.values()].flatMap(({ id, verb, type: about }) => {
        const own = about === type && verb ? ROLES[verb] : undefined
        const role = own ?? (beside[id] ? 'beside' : parents.has(id) ? 'parent' : undefined)
        return role ? [[id, role] as const] : []
      }),
    )
  })
  return {
    type,
    create,
    remove,
    roleOf: ({ operation }, binding) => (operation ? rolesIn(binding).get(operation.id) : undefined),
    operations: (binding, ...roles) =>
      [...rolesIn(binding)].flatMap(([id, role]) => (roles.length === 0 || roles.includes(role) ? [id] : [])),
    key(view, { binding }) {
      const role = rolesIn(binding).get(view.operation?.id ?? '')
      if (role === 'beside') return beside[view.operation?.id ?? '']?.(view)
      return role === 'parent' ? scopeWithin(view) : scopeOf(view, binding, type)
    },
  }
}

/** The operations that remove what the things of a type stand in: what their paths name. */
function parentsOf(type: string, binding: Binding): ReadonlySet<string> {
  const paths = operationsFor(binding, type, 'create', 'list', 'read').map(
    (id) => binding.operations.get(id)?.path ?? '',
  )
  const needs = binding.resources.get(type)?.needs ?? []
  return new Set(
    needs.flatMap((parent) => {
      const { id } = binding.resources.get(parent) ?? {}
      return paths.some((path) => path.includes(`{${id}}`)) ? operationsFor(binding, parent, 'remove') : []
    }),
  )
}
