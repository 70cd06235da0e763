import type { Constraint } from '../constraints.ts'
import type { JsonSchema } from '../load.ts'
import { expandSpecimen, ownConstraints, type Specimen } from '../specimens.ts'
import { createValidator, type Validator } from '../validator.ts'

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
