import { constraintsOf } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { service } from '../../schemas/service.ts'
import { createResolver, schemaNamed } from '../../schemas/walk.ts'

/** What has to be seen before a requirement about inputs passes for an operation. */
export type Side = 'accepted' | 'refused'

/** requirement -> operation -> sides that have to be seen there. Requirements that are not about inputs are not in it. */
export type SideIndex = ReadonlyMap<string, ReadonlyMap<string, readonly Side[]>>

/**
 * Computed from the schemas. Every constraint on a request has to be seen refusing. Where its good values must be
 * accepted (`x-accept`), it has to be seen accepting too.
 */
export function inputSides(schemas: ReadonlyMap<string, JsonSchema>): SideIndex {
  const index = new Map<string, Map<string, readonly Side[]>>()
  const resolve = createResolver(schemas)
  for (const operation of service().operations) {
    const refs = (operation.parameters ?? []).map(({ schema }) => schema)
    if (operation.request) refs.push(operation.request.schema)
    for (const ref of refs) {
      const named = schemaNamed(ref, schemas)
      if (!named) throw new Error(`no schema named ${ref}`)
      for (const { requirement, keyword, schema: node } of constraintsOf(named.schema, resolve, named.root)) {
        if (requirement === undefined) continue
        const accepts = node['x-accept']?.includes(keyword) ?? false
        const operations = index.get(requirement) ?? new Map<string, readonly Side[]>()
        const before = operations.get(operation.id)?.includes('accepted') ?? false
        operations.set(operation.id, accepts || before ? ['accepted', 'refused'] : ['refused'])
        index.set(requirement, operations)
      }
    }
  }
  return index
}
