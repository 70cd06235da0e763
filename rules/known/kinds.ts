import type { Binding } from '../../schemas/binding.ts'
import { scopeOf, scopeWithin } from '../core/reads.ts'
import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/** What an operation does with the things of one kind. 'beside': something else, which says more about them. */
export type Role = 'create' | 'read' | 'list' | 'change' | 'remove' | 'parent' | 'beside'

/** Resources of one type, as operations make, show, change and remove them. */
export interface Kind {
  readonly type: string
  /** operations that make and remove one, as judgements name them */
  readonly create: string
  readonly remove: string
  /** the field that names one, where the binding does not say */
  readonly label: string
  /** whether requests that make one give it a name to be known by */
  readonly named: boolean
  roleOf(view: ExchangeView, binding: Binding): Role | undefined
  /** all operations that have a role; of `only` these, where it is given */
  operations(binding: Binding, ...only: readonly Role[]): readonly string[]
  /** the collection that an exchange is about: parents tell several of one type apart */
  key(view: ExchangeView, oracle: Oracle): string | undefined
}

interface KindData {
  readonly type: string
  readonly create: string
  readonly remove?: string | undefined
  /** operations that change one, its name as well */
  readonly changes?: readonly string[]
  readonly label?: string
  readonly named?: boolean
  /** operation -> the collection that it says something about */
  readonly beside?: Readonly<Record<string, (view: ExchangeView) => string | undefined>>
}

export function kindOf({
  type,
  create,
  remove = '',
  changes = [],
  label = '',
  named = true,
  beside = {},
}: KindData): Kind {
  const known = new WeakMap<Binding, ReadonlyMap<string, Role>>()

  function roles(binding: Binding): ReadonlyMap<string, Role> {
    const before = known.get(binding)
    if (before) return before
    const resource = binding.resources.get(type)
    const own: readonly (readonly [Role, readonly (string | undefined)[]])[] = [
      ['parent', parentsOf(type, binding)],
      ['beside', Object.keys(beside)],
      ['change', changes],
      ['remove', [remove, resource?.delete]],
      ['list', [resource?.list]],
      ['read', [resource?.read]],
      ['create', [create, resource?.create]],
    ]
    const made = new Map(own.flatMap(([role, ids]) => ids.flatMap((id) => (id ? [[id, role] as const] : []))))
    known.set(binding, made)
    return made
  }

  return {
    type,
    create,
    remove,
    label,
    named,
    roleOf: ({ operation }, binding) => (operation ? roles(binding).get(operation.id) : undefined),
    operations: (binding, ...only) =>
      [...roles(binding)].flatMap(([id, role]) => (only.length === 0 || only.includes(role) ? [id] : [])),
    key(view, { binding }) {
      const id = view.operation?.id ?? ''
      switch (roles(binding).get(id)) {
        case undefined:
          return undefined
        case 'parent':
          return scopeWithin(view)
        case 'beside':
          return beside[id]?.(view)
        default:
          return scopeOf(view, binding, type)
      }
    },
  }
}

/** The operations that remove what the things of a type stand in: what their paths name. */
function parentsOf(type: string, { resources, operations }: Binding): (string | undefined)[] {
  const { create, list, read, needs = [] } = resources.get(type) ?? {}
  const paths = [create, list, read].map((id) => operations.get(id ?? '')?.path ?? '')
  return needs.flatMap((parent) => {
    const { id, delete: remove } = resources.get(parent) ?? {}
    return paths.some((path) => path.includes(`{${id}}`)) ? [remove] : []
  })
}

/** What a map keeps of each kind: the newest. */
const MOST = 1_000

/** Adds to a map, and forgets its oldest entry where there are too many. */
export function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  if (map.size <= MOST) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/** Adds to a map that has room for it: what came first stays. */
export function keepFirst<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size < MOST || map.has(key)) map.set(key, value)
}
