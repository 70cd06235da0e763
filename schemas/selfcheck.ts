import { checkAcceptance, checkCitations, checkOperations, repeated } from './citations.ts'
import { type Feature, features, GENERAL, isClaimed } from './features.ts'
import { isGap, ledger, type Requirement } from './ledger.ts'
import { type JsonSchema, loadResourceSchemas } from './load.ts'
import { type Operation, specifiedOperations } from './operations.ts'
import { checkOutline, loadOutline, type Outline } from './outline.ts'
import { checkSpecimens, loadSpecimens, type Specimen } from './specimens.ts'

/** Of the text of a requirement, which reports show in full. */
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
 * Whether the cases and the ledger hold each other: a case names only what exists, and every entry that a run can always
 * provoke, of a feature that has cases, is named by one.
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
