import { constraintsOf } from '../constraints.ts'
import { type Feature, features, GENERAL, isClaimed } from '../features.ts'
import { isGap, ledger, type Requirement } from '../ledger.ts'
import { type JsonSchema, loadResourceSchemas } from '../load.ts'
import { type Operation, specifiedOperations } from '../operations.ts'
import { loadSpecimens, ownConstraints, type Specimen } from '../specimens.ts'
import { createResolver, schemaNamed } from '../walk.ts'
import { checkSpecimens } from './check-specimens.ts'
import { checkOutline, loadOutline, type Outline } from './outline.ts'

/** For the text of a requirement, which reports show in full. */
const MOST_WORDS = 25

/** The specification as data, whole. */
export interface Specification {
  readonly requirements: readonly Requirement[]
  readonly operations: readonly Operation[]
  readonly features: readonly Feature[]
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly specimens: ReadonlyMap<string, readonly Specimen[]>
  readonly outline: Outline
}

/** What a case says about itself. */
export interface CaseClaim {
  readonly id: string
  readonly requirements: readonly string[]
}

/** The specification that ships with assay. */
export function loadSpecification(): Specification {
  return {
    requirements: [...ledger().values()],
    operations: specifiedOperations(),
    features: features(),
    schemas: loadResourceSchemas(),
    specimens: loadSpecimens(),
    outline: loadOutline(),
  }
}

/** Whether ledger, schemas, specimens, operations, features and outline agree. Returns what does not hold; empty: all does. */
export function checkLedger(specification: Specification): string[] {
  return [
    ...checkEntries(specification),
    ...checkFeatures(specification),
    ...checkOperations(specification),
    ...checkCitations(specification),
    ...checkAcceptance(specification),
    ...checkSpecimens(specification.schemas, specification.specimens),
    ...checkOutline(specification.outline, specification.requirements),
  ]
}

/**
 * Whether cases and ledger agree. A case names only what exists. Every entry that a run can always provoke, of a
 * feature that has cases, is named by a case.
 */
export function checkCases(
  cases: readonly CaseClaim[],
  specification: Pick<Specification, 'requirements' | 'features'> = loadSpecification(),
): string[] {
  const known = new Set(specification.requirements.map(({ id }) => id))
  const problems = cases.flatMap(({ id, requirements }) =>
    requirements.filter((named) => !known.has(named)).map((named) => `${id}: there is no requirement ${named}`),
  )
  const available = new Set(specification.features.filter((feature) => feature.available).map(({ id }) => id))
  const named = new Set(cases.flatMap(({ requirements }) => requirements))
  for (const requirement of specification.requirements) {
    const due = requirement.provoke === 'always' && !named.has(requirement.id)
    if (due && isClaimed(requirement, available, specification.features)) {
      problems.push(`${requirement.id}: can always be provoked, but no case names it`)
    }
  }
  return problems
}

function checkEntries({ requirements, features: all }: Specification): string[] {
  const ids = new Set(requirements.map(({ id }) => id))
  const gaps = new Set(requirements.filter(isGap).map(({ id }) => id))
  const featureIds = new Set(all.map(({ id }) => id))
  const operations = new Set(all.flatMap((feature) => feature.operations))
  const problems = repeated(requirements.map(({ id }) => id)).map((id) => `${id}: stands in the ledger twice`)
  for (const entry of requirements) {
    const complain = (problem: string): unknown => problems.push(`${entry.id}: ${problem}`)
    if (!featureIds.has(entry.feature)) complain(`there is no feature ${entry.feature}`)
    for (const id of entry.operations) if (!operations.has(id)) complain(`there is no operation ${id}`)
    for (const id of repeated(entry.operations)) complain(`names the operation ${id} twice`)
    for (const id of entry.needs ?? []) {
      if (!ids.has(id)) complain(`needs ${id}, which does not exist`)
      else if (!gaps.has(id)) complain(`needs ${id}, which is no gap`)
    }
    if (entry.needs?.includes(entry.id)) complain('needs itself')
    if (entry.provoke !== 'always' && !entry.why) complain(`is provoked '${entry.provoke}' without saying why`)
    if (isGap(entry) && entry.level !== 'open') complain(`is a gap, but ${entry.level}`)
    if (entry.answer && !isGap(entry)) complain('has an answer, but is no gap')
    for (const text of [entry.text, entry.why].filter((words) => words !== undefined)) {
      if (/\bshould\b/i.test(text)) complain(`'${text}' is a wish, not a statement`)
      if (!/^\S.*\.$/.test(text)) complain(`'${text}' does not end with a full stop`)
    }
    if (entry.text.split(/\s+/).length > MOST_WORDS) complain(`'${entry.text}' has more than ${MOST_WORDS} words`)
  }
  return problems
}

function checkFeatures({ features: all, operations }: Specification): string[] {
  const problems = repeated(all.map(({ id }) => id)).map((id) => `${id}: stands in the features twice`)
  const homes = all.flatMap((feature) => feature.operations)
  for (const id of repeated(homes)) problems.push(`${id}: belongs to two features`)
  if (!all.some(({ id }) => id === GENERAL)) problems.push(`there is no feature ${GENERAL}`)
  for (const { id, feature } of operations) {
    if (!all.find((candidate) => candidate.id === feature)?.operations.includes(id)) {
      problems.push(`${id}: the feature ${feature} does not list it`)
    }
  }
  return problems
}

/** Those parts of the specification that cite the ledger, and the ledger. */
export interface Cited {
  readonly requirements: readonly Requirement[]
  readonly operations: readonly Operation[]
  readonly schemas: ReadonlyMap<string, JsonSchema>
}

/** Whether each operation fits together: its schemas exist, its path is of its family and has its parameters. */
function checkOperations({ operations, schemas }: Cited): string[] {
  const problems = repeated(operations.map(({ id }) => id)).map((id) => `${id}: stands in the operations twice`)
  for (const operation of operations) {
    const complain = (problem: string): unknown => problems.push(`${operation.id}: ${problem}`)
    for (const ref of schemaRefs(operation)) if (!schemaNamed(ref, schemas)) complain(`there is no schema ${ref}`)
    const { family, path, response } = operation
    if (!path.startsWith(family === 'v3' ? '/v3/' : '/v1/')) complain(`${path} is not a path of the family ${family}`)
    const placeholders = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    if (placeholders.join() !== declared.join()) complain('its path and its parameters differ')
    if ((response.body === 'schema') !== (response.schema !== undefined)) complain('its response body is not clear')
  }
  return problems
}

/**
 * Both ways: every citation in schemas and operations exists, and every entry about a field is cited where it applies.
 */
function checkCitations({ requirements, operations, schemas }: Cited): string[] {
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
function checkAcceptance({ schemas }: Cited): string[] {
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
    const found = schemaNamed(ref, schemas)
    if (found) ids.push(...constraintsOf(found.schema, resolve, found.root).map(({ requirement }) => requirement))
  }
  return new Set(ids.filter((id) => id !== undefined))
}

/** What stands in a list more than once. */
function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}
