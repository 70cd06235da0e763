import { constraintsOf, createResolver } from './constraints.ts'
import type { Requirement } from './ledger.ts'
import type { JsonSchema } from './load.ts'
import type { Operation } from './operations.ts'
import { ownConstraints } from './specimens.ts'

/** Those parts of the specification that cite the ledger, and the ledger. */
export interface Cited {
  readonly requirements: readonly Requirement[]
  readonly operations: readonly Operation[]
  readonly schemas: ReadonlyMap<string, JsonSchema>
}

/** Whether each operation fits together: its schemas exist, its path is of its family and has its parameters. */
export function checkOperations({ operations, schemas }: Cited): string[] {
  const problems = repeated(operations.map(({ id }) => id)).map((id) => `${id}: stands in the operations twice`)
  for (const operation of operations) {
    const complain = (problem: string): unknown => problems.push(`${operation.id}: ${problem}`)
    for (const ref of schemaRefs(operation)) if (!schemaOf(ref, schemas)) complain(`there is no schema ${ref}`)
    const { family, path, response } = operation
    if (!path.startsWith(family === 'v3' ? '/v3/' : '/v1/')) complain(`${path} is not a path of the family ${family}`)
    const placeholders = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    if (placeholders.join() !== declared.join()) complain('its path and its parameters differ')
    if ((response.body === 'schema') !== (response.schema !== undefined)) complain('its response body is not clear')
  }
  return problems
}

/** Both ways: what schemas and operations cite exists, and what the ledger says of a field is cited where it applies. */
export function checkCitations({ requirements, operations, schemas }: Cited): string[] {
  const entries = new Map(requirements.map((entry) => [entry.id, entry]))
  const problems: string[] = []
  const users = new Map<string, Set<string>>()
  for (const [file, schema] of schemas) {
    for (const { requirement } of ownConstraints(schema)) {
      if (requirement === undefined) continue
      users.set(requirement, new Set())
      if (!entries.has(requirement)) problems.push(`${file}: cites ${requirement}, which is not in the ledger`)
    }
  }
  for (const operation of operations) {
    for (const id of citedBy(operation, schemas)) {
      users.set(id, (users.get(id) ?? new Set()).add(operation.id))
      if (!entries.has(id)) problems.push(`${operation.id}: cites ${id}, which is not in the ledger`)
    }
  }
  const specified = new Set(operations.map(({ id }) => id))
  for (const [id, at] of users) {
    const entry = entries.get(id)
    if (!entry || at.size === 0) continue
    for (const operation of at) {
      if (!entry.operations.includes(operation)) problems.push(`${id}: does not name ${operation}, which cites it`)
    }
    for (const operation of entry.operations) {
      if (specified.has(operation) && !at.has(operation))
        problems.push(`${id}: names ${operation}, which does not cite it`)
    }
  }
  for (const entry of requirements) {
    const ofField = FIELD_RULE.test(entry.id) && entry.level !== 'open' && entry.provoke === 'always'
    if (ofField && !users.has(entry.id)) problems.push(`${entry.id}: no schema cites it`)
  }
  return problems
}

/** Endings of the ids that stand for a keyword of a schema. A content type is one of a header field. */
const FIELD_RULE = /(?<!CONTENT)-(TYPE|OBJECT|MIN|MAX|PATTERN|FORMAT|FORM|VALUES|VALUE|PRESENT|ONLY|KIND)$/

/** `x-accept` names keywords that are there, and never a wrong type's. */
export function checkAcceptance({ schemas }: Cited): string[] {
  return [...schemas].flatMap(([file, schema]) => {
    const nodes = new Set(ownConstraints(schema).map((constraint) => constraint.schema))
    return [...nodes].flatMap((node) =>
      (node['x-accept'] ?? [])
        .filter((keyword) => keyword === 'type' || !Object.hasOwn(node, keyword))
        .map((keyword) => `${file}: x-accept names ${keyword}, which is no bound there`),
    )
  })
}

function schemaRefs({ parameters, request, response, errors }: Operation): string[] {
  const refs = [...parameters.map(({ schema }) => schema), ...errors.map(({ schema }) => schema)]
  for (const schema of [request?.schema, response.schema]) if (schema !== undefined) refs.push(schema)
  return refs
}

function citedBy(operation: Operation, schemas: ReadonlyMap<string, JsonSchema>): Set<string> {
  const { parameters, response, errors } = operation
  const ids: (string | undefined)[] = [response.statusRequirement, response.bodyRequirement]
  for (const { gap } of parameters) ids.push(gap)
  for (const error of errors) {
    ids.push(error.refusedRequirement, error.statusRequirement, error.codeRequirement)
    ids.push(error.bodyStatusRequirement, error.bodyRequirement)
  }
  const resolve = createResolver(schemas)
  for (const ref of schemaRefs(operation)) {
    const found = schemaOf(ref, schemas)
    if (found) ids.push(...constraintsOf(found.schema, resolve, found.root).map(({ requirement }) => requirement))
  }
  return new Set(ids.filter((id) => id !== undefined))
}

function schemaOf(
  ref: string,
  schemas: ReadonlyMap<string, JsonSchema>,
): { schema: JsonSchema; root: JsonSchema } | undefined {
  const [name = '', definition] = ref.split('#')
  const root = schemas.get(name)
  const schema = definition === undefined ? root : root?.$defs?.[definition]
  return root && schema ? { root, schema } : undefined
}

/** What stands in a list more than once. */
export function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}
