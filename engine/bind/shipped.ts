import { type Binding, resolveBinding, shippedBinding } from '../../schemas/binding.ts'

let known: readonly [reference: Binding, plain: Binding] | undefined

/** The two shipped bindings laid out: the one with the fuller samples first, which has every operation. */
export function shipped(): readonly [reference: Binding, plain: Binding] {
  known ??= [laidOut('reference', 'default'), laidOut('default')]
  return known
}

/** The shipped binding that a file extends. */
export function resolved(base: string | undefined): Binding {
  const [reference, plain] = shipped()
  return base === 'reference' ? reference : plain
}

function laidOut(...chain: [string, ...string[]]): Binding {
  return resolveBinding({ name: chain[0], chain, files: chain.map(shippedBinding) })
}

/** A kind of resource: the placeholder of its id, and the operations of it; '' for one that there is not. */
export interface Kind {
  readonly type: string
  readonly id: string
  readonly create: string
  readonly read: string
  readonly list: string
  readonly update: string
  readonly delete: string
}

export function kindOf(type: string): Kind {
  const [{ resources, operations }] = shipped()
  const { id = '', create = '', read = '', list = '', delete: remove = '' } = resources.get(type) ?? {}
  const own = { group: '', 'placed-group': 'switch-group-revision', 'group-revision': '' }[type]
  const update = own ?? `update-${type}`
  return { type, id, create, read, list, delete: remove, update: operations.has(update) ? update : '' }
}
