import type { SchemaSet } from '../values/schema-set.ts'

/** Every ref of the set: the schemas that say something themselves, and all definitions. */
export function schemaRefs(set: SchemaSet): string[] {
  const refs: string[] = []
  for (const [name, schema] of set.schemas) {
    const definitions = Object.keys(schema.$defs ?? {})
    const speaks = Object.keys(schema).some(
      (keyword) => !['$schema', '$id', '$defs', 'title', 'description', '$comment'].includes(keyword),
    )
    if (speaks || definitions.length === 0) refs.push(name)
    for (const definition of definitions) refs.push(`${name}#${definition}`)
  }
  return refs
}
