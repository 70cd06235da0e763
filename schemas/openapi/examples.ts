import type { JsonSchema } from '../load.ts'
import { expandSpecimen, loadSpecimens, ownConstraints } from '../specimens.ts'
import { createValidator } from '../validator.ts'

/** Good values of the places of our schemas. */
export interface Examples {
  /** of the node itself, which has to be one of those that were loaded; empty where there are none that are short */
  of(node: JsonSchema): readonly unknown[]
}

const MOST = 3
/** characters of JSON: an example is there to be read */
const LONGEST = 120

/** The good specimens of every constraint, by the node that it stands in, but for those that break another of its constraints. */
export function loadExamples(schemas: ReadonlyMap<string, JsonSchema>): Examples {
  const specimens = loadSpecimens()
  const nodes = new Map<JsonSchema, { readonly name: string; readonly requirements: string[]; readonly file: string }>()
  const places = new Map<string, JsonSchema>()
  for (const [file, schema] of schemas) {
    for (const { schema: node, requirement } of ownConstraints(schema)) {
      if (requirement === undefined) continue
      const known = nodes.get(node)
      if (known) {
        known.requirements.push(requirement)
        continue
      }
      const name = `example-${places.size}`
      nodes.set(node, { name, requirements: [requirement], file })
      places.set(name, { ...node, $id: `https://assay.invalid/resources/${name}` })
    }
  }
  const validator = createValidator(new Map([...schemas, ...places]))
  return {
    of(node) {
      const place = nodes.get(node)
      if (!place) return []
      const good = (specimens.get(place.file) ?? [])
        .filter(({ constraint }) => place.requirements.includes(constraint))
        .flatMap(({ valid }) => valid.map(expandSpecimen))
        .filter((value) => JSON.stringify(value).length <= LONGEST)
        .filter((value) => validator.violations(place.name, value).length === 0)
      const texts = [...new Set(good.map((value) => JSON.stringify(value)))]
      return texts.slice(0, MOST).map((text) => JSON.parse(text) as unknown)
    },
  }
}
