import { constraintsOf } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { service } from '../../schemas/service.ts'
import { createResolver, schemaNamed } from '../../schemas/walk.ts'

/** What has to be seen before a requirement about inputs passes for an operation: accepted, refused, or `accepted <edge>`. */
export type Side = string

/** Between the bounds of a range, or below the longest text, targets have bounds of their own. */
export function sizesOf(schema: JsonSchema, keyword: string): readonly number[] {
  const { minimum, maximum, minLength = 0, maxLength } = schema
  const [least, most] =
    keyword === 'maximum' ? [minimum, maximum] : keyword === 'maxLength' ? [minLength, maxLength] : []
  return least === undefined || most === undefined ? [] : [most, Math.floor((least + most) / 2)]
}

/** The name of a good text of letters that are often not thought of. */
export const FOREIGN = 'letters outside ASCII'

/** The names of the good values of a keyword, each of which has to be taken: none speaks for another. */
function edgesOf(schema: JsonSchema, keyword: string): readonly string[] {
  if (keyword === 'pattern') return /^\^\[\^[^\]]+\]/.test(schema.pattern ?? '') ? [FOREIGN] : []
  if (keyword === 'enum') return (schema.enum ?? []).map((value) => `enum ${value}`)
  return sizesOf(schema, keyword).map((size) => `${keyword === 'maximum' ? 'value' : 'length'} ${size}`)
}

/** requirement -> operation -> sides that have to be seen there. Requirements that are not about inputs are not in it. */
export type SideIndex = ReadonlyMap<string, ReadonlyMap<string, readonly Side[]>>

/**
 * Computed from the schemas. Every constraint on a request has to be seen refusing. Where its good values must be
 * accepted (`x-accept`), it has to be seen accepting each of them too.
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
        const good = accepts ? ['accepted', ...edgesOf(node, keyword).map((edge) => `accepted ${edge}`)] : []
        operations.set(operation.id, [...new Set([...(operations.get(operation.id) ?? ['refused']), ...good])])
        index.set(requirement, operations)
      }
    }
  }
  return index
}
