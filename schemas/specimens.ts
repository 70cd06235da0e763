import { type Constraint, constraintsOf } from './constraints.ts'
import { type JsonSchema, listData, readData } from './load.ts'
import { createValidator, type Validator } from './validator.ts'

/**
 * Good and bad values of one constraint, written by hand from the text: they keep a wrong schema from being always green.
 * A value stands for the constrained place; of `required` and `additionalProperties` that is the object.
 * `{"repeat": [text, n]}` stands for the text n times, `{"elements": [value, n]}` for an array of n such values.
 */
export interface Specimen {
  /** id of the requirement that the constraint stands for */
  readonly constraint: string
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

/** The specimens that ship with assay, by the name of the schema that they belong to. */
export function loadSpecimens(): Map<string, readonly Specimen[]> {
  return new Map(
    listData('specimens', '.json').map((name) => [name, readData<readonly Specimen[]>(`specimens/${name}.json`)]),
  )
}

/** The value that a specimen stands for. */
export function expandSpecimen(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { repeat, elements } = value as { repeat?: [string, number]; elements?: [unknown, number] }
  if (repeat !== undefined) return repeat[0].repeat(repeat[1])
  if (elements !== undefined) return Array.from({ length: elements[1] }, () => elements[0])
  return value
}

/** The constraints that stand in a schema file itself, its definitions included, references not followed. */
export function ownConstraints(schema: JsonSchema): Constraint[] {
  const roots = [schema, ...Object.values(schema.$defs ?? {})]
  return roots.flatMap((root) => constraintsOf(root, () => ({})))
}

/**
 * Contradictions between schemas and specimens: a constraint without a requirement or without specimens, or a specimen
 * of nothing. Also a good value that is refused, or a bad one that is accepted or breaks something else.
 */
export function checkSpecimens(
  schemas: ReadonlyMap<string, JsonSchema>,
  specimens: ReadonlyMap<string, readonly Specimen[]>,
): string[] {
  const problems: string[] = []
  const places = new Map<string, JsonSchema>()
  const found: { file: string; constraint: Constraint; requirement: string }[] = []
  for (const [file, schema] of schemas) {
    for (const constraint of ownConstraints(schema)) {
      const { requirement } = constraint
      if (requirement === undefined) {
        problems.push(`${file}${constraint.pointer}: ${constraint.keyword} names no requirement`)
      } else if (places.has(requirement)) {
        problems.push(`${file}${constraint.pointer}: ${requirement} stands for a second constraint`)
      } else {
        places.set(requirement, { ...constraint.schema, $id: `https://assay.invalid/resources/${requirement}` })
        found.push({ file, constraint, requirement })
      }
    }
  }
  const validator = createValidator(new Map([...schemas, ...places]))
  for (const { file, constraint, requirement } of found) {
    const specimen = specimens.get(file)?.find((candidate) => candidate.constraint === requirement)
    if (specimen) problems.push(...checkSpecimen(file, constraint, specimen, validator))
    else problems.push(`${file}: ${requirement} has no specimens`)
  }
  for (const [file, list] of specimens) {
    for (const { constraint } of list) {
      const known = found.some((place) => place.file === file && place.requirement === constraint)
      if (!known) problems.push(`${file}: specimens of ${constraint}, which is no constraint there`)
    }
  }
  return problems
}

function checkSpecimen(file: string, constraint: Constraint, specimen: Specimen, validator: Validator): string[] {
  const id = specimen.constraint
  const problems: string[] = []
  if (specimen.valid.length === 0) problems.push(`${file}: ${id} has no valid specimen`)
  if (specimen.invalid.length === 0) problems.push(`${file}: ${id} has no invalid specimen`)
  for (const value of specimen.valid) {
    const [violation] = validator.violations(id, expandSpecimen(value))
    if (violation) problems.push(`${file}: ${id} refuses the valid ${JSON.stringify(value)}: ${violation.message}`)
  }
  for (const value of specimen.invalid) {
    const broken = validator.violations(id, expandSpecimen(value)).map(({ requirement }) => requirement ?? '')
    if (!broken.includes(id)) problems.push(`${file}: ${id} accepts the invalid ${JSON.stringify(value)}`)
    const others = broken.filter((other) => other !== id && !shadows(constraint).includes(other))
    if (others.length > 0) {
      problems.push(`${file}: the invalid ${JSON.stringify(value)} of ${id} breaks ${others.join(', ')} too`)
    }
  }
  return problems
}

/** A wrong type cannot be tried without breaking `enum` and `const` of the same place. */
function shadows({ keyword, schema }: Constraint): string[] {
  if (keyword !== 'type') return []
  const cited = schema['x-requirement']
  return [cited?.enum, cited?.const].filter((id) => typeof id === 'string')
}
