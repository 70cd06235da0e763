import { type Constraint, constraintsOf, createResolver } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { Operation } from '../../schemas/operations.ts'

/** A keyword of a schema that stands for a requirement. */
export interface Citation {
  /** path in schemas/resources/ */
  readonly file: string
  /** JSON pointer of the node in that file */
  readonly pointer: string
  readonly keyword: string
  /** what the keyword asks for; of `required`, the property */
  readonly value: unknown
  /** whether good values have to be accepted too */
  readonly accepted: boolean
  readonly uses: readonly Use[]
}

/** Where an operation is held to it. */
export interface Use {
  readonly operation: string
  readonly part: 'request' | 'answer' | 'error' | 'parameter'
  /** JSON pointer of the value in the body, `*` for each element; the name of a parameter */
  readonly pointer: string
}

/** Every place in the schemas that cites a requirement, and the operations that use it there. */
export function citationsOf(
  id: string,
  schemas: ReadonlyMap<string, JsonSchema>,
  operations: readonly Operation[],
): Citation[] {
  const uses = usesOf(id, schemas, operations)
  return [...schemas].flatMap(([name, schema]) =>
    nodesOf(schema, '').flatMap(({ node, pointer }) =>
      citedIn(node, id).map(
        (found): Citation => ({
          file: `${name}.schema.json`,
          pointer,
          ...found,
          uses: uses.filter(({ constraint }) => same(constraint, node, found)).map(({ use }) => use),
        }),
      ),
    ),
  )
}

type Cited = Pick<Citation, 'keyword' | 'value' | 'accepted'>

function citedIn(node: JsonSchema, id: string): Cited[] {
  return Object.entries(node['x-requirement'] ?? {}).flatMap(([keyword, cited]): Cited[] => {
    const accepted = node['x-accept']?.includes(keyword) ?? false
    const value = (node as Record<string, unknown>)[keyword]
    if (typeof cited === 'string') return cited === id ? [{ keyword, value, accepted }] : []
    const properties = Object.keys(cited).filter((property) => cited[property] === id)
    return properties.map((property) => ({ keyword, value: property, accepted }))
  })
}

function same(constraint: Constraint, node: JsonSchema, { keyword, value }: Cited): boolean {
  if (constraint.schema !== node || constraint.keyword !== keyword) return false
  return constraint.property === undefined || constraint.property === value
}

interface Found {
  readonly constraint: Constraint
  readonly use: Use
}

function usesOf(id: string, schemas: ReadonlyMap<string, JsonSchema>, operations: readonly Operation[]): Found[] {
  const resolve = createResolver(schemas)
  const constraints = (ref: string): Constraint[] => {
    const [name = '', definition] = ref.split('#')
    const root = schemas.get(name)
    const schema = definition === undefined ? root : root?.$defs?.[definition]
    return root && schema ? constraintsOf(schema, resolve, root).filter(({ requirement }) => requirement === id) : []
  }
  return operations.flatMap(({ id: operation, request, response, errors, parameters }) => {
    const body = (part: Use['part'], ref: string | undefined): Found[] =>
      ref === undefined
        ? []
        : constraints(ref).map((constraint) => ({ constraint, use: { operation, part, pointer: constraint.pointer } }))
    return [
      ...body('request', request?.schema),
      ...body('answer', response.schema),
      ...[...new Set(errors.map(({ schema }) => schema))].flatMap((schema) => body('error', schema)),
      ...parameters.flatMap(({ name, schema }) =>
        constraints(schema).map(
          (constraint): Found => ({ constraint, use: { operation, part: 'parameter', pointer: name } }),
        ),
      ),
    ]
  })
}

/** Every schema node of a file, references not followed. */
function nodesOf(value: unknown, pointer: string): { node: JsonSchema; pointer: string }[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  const children = Object.entries(value)
    .filter(([name]) => !name.startsWith('x-'))
    .flatMap(([name, child]) => nodesOf(child, `${pointer}/${name}`))
  return [{ node: value as JsonSchema, pointer }, ...children]
}
