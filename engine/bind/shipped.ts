import { type Binding, resolveBinding, shippedBinding, type TargetOperation } from '../../schemas/binding.ts'
import { operationsOn } from '../../schemas/service.ts'

let known: readonly [reference: Binding, plain: Binding] | undefined

/** The two shipped bindings laid out: the one with the fuller samples first, which has every operation. */
export function shipped(): readonly [reference: Binding, plain: Binding] {
  known ??= [laidOut('reference', 'default'), laidOut('default')]
  return known
}

/** An operation of the interface, as it ships. */
export function operationOf(id: string): TargetOperation {
  const found = shipped()[0].operations.get(id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
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
export type Kind = Readonly<Record<'type' | 'id' | 'create' | 'read' | 'list' | 'update' | 'delete', string>>

export function kindOf(type: string): Kind {
  const { id = '', create = '', read = '', list = '', delete: remove = '' } = shipped()[0].resources.get(type) ?? {}
  const [update = ''] = operationsOn(type, 'update', 'change')
  return { type, id, create, read, list, delete: remove, update }
}
