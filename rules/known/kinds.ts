import type { Binding } from '../../schemas/binding.ts'
import { scopeOf, scopeWithin } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/** What an operation does with the things of one type. 'beside': something else, which says more about them. */
export type Role = 'create' | 'read' | 'list' | 'change' | 'remove' | 'parent' | 'beside'

interface KindData {
  readonly type: string
  /** operations that make and remove one, as judgements name them */
  readonly create: string
  readonly remove: string
  /** operations that change one, its name as well */
  readonly changes?: readonly string[]
  /** operation -> the collection that it says something about */
  readonly beside?: Readonly<Record<string, (view: ExchangeView) => string | undefined>>
}

/** Resources of one type, as operations make, show, change and remove them. */
export interface Kind extends Pick<KindData, 'type' | 'create' | 'remove'> {
  roleOf(view: ExchangeView, binding: Binding): Role | undefined
  /** the operations that have one of these roles */
  operations(binding: Binding, ...roles: readonly Role[]): readonly string[]
  /** the collection that an exchange is about: parents tell several of one type apart */
  key(view: ExchangeView, oracle: Oracle): string | undefined
}

export function kindOf({ type, create, remove, changes = [], beside = {} }: KindData): Kind {
  // There is one binding, but in tests; each exchange asks for its role.
  let last: { readonly binding: Binding; readonly roles: ReadonlyMap<string, Role> } | undefined
  const rolesIn = (binding: Binding): ReadonlyMap<string, Role> => {
    if (last?.binding === binding) return last.roles
    const resource = binding.resources.get(type)
    const own: Readonly<Record<Role, readonly (string | undefined)[]>> = {
      parent: parentsOf(type, binding),
      beside: Object.keys(beside),
      change: changes,
      remove: [remove, resource?.delete],
      list: [resource?.list],
      read: [resource?.read],
      create: [create, resource?.create],
    }
    const roles = new Map<string, Role>()
    for (const role of ROLES) for (const id of own[role]) if (id) roles.set(id, role)
    last = { binding, roles }
    return roles
  }
  return {
    type,
    create,
    remove,
    roleOf: ({ operation }, binding) => (operation ? rolesIn(binding).get(operation.id) : undefined),
    operations: (binding, ...roles) =>
      [...rolesIn(binding)].flatMap(([id, role]) => (roles.includes(role) ? [id] : [])),
    key(view, { binding }) {
      const role = rolesIn(binding).get(view.operation?.id ?? '')
      if (role === undefined) return undefined
      if (role === 'beside') return beside[view.operation?.id ?? '']?.(view)
      return role === 'parent' ? scopeWithin(view) : scopeOf(view, binding, type)
    },
  }
}

/** Where an operation has two roles, the later one counts. */
export const ROLES: readonly Role[] = ['parent', 'beside', 'change', 'remove', 'list', 'read', 'create']

/** The operations that remove what the things of a type stand in: what their paths name. */
function parentsOf(type: string, { resources, operations }: Binding): (string | undefined)[] {
  const { create, list, read, needs = [] } = resources.get(type) ?? {}
  const paths = [create, list, read].map((id) => operations.get(id ?? '')?.path ?? '')
  return needs.flatMap((parent) => {
    const { id, delete: remove } = resources.get(parent) ?? {}
    return paths.some((path) => path.includes(`{${id}}`)) ? [remove] : []
  })
}
