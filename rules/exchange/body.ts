import { type Constraint, constraintsOf, createResolver } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { at } from '../../schemas/pointer.ts'
import type { Judgement } from '../judgement.ts'
import { about, type Oracle } from '../rule.ts'
import { shown } from '../shown.ts'
import type { ExchangeView } from '../view.ts'

/** Judges an answer's body by a schema: every constraint that has something to look at in it is held or broken. */
export function judgeBody(
  view: ExchangeView,
  schema: string,
  bodyRequirement: string | undefined,
  oracle: Oracle,
): Judgement[] {
  const { response } = view
  const base = { ...about(view), exchanges: [view.id] }
  if (response.kind === 'cut') return []
  if (response.kind !== 'json') {
    if (bodyRequirement === undefined) return []
    const actual = response.kind === 'none' ? 'no body' : 'a body that is not JSON'
    return [
      {
        ...base,
        requirement: bodyRequirement,
        outcome: 'broken',
        message: `the answer has ${actual}`,
        expected: 'a JSON body',
        actual,
      },
    ]
  }
  const broken = oracle.validator.violations(schema, response.value).flatMap((violation): Judgement[] =>
    violation.requirement === undefined
      ? []
      : [
          {
            ...base,
            requirement: violation.requirement,
            outcome: 'broken',
            pointer: violation.pointer,
            message: `the answer's ${violation.pointer === '' ? 'body' : violation.pointer} ${violation.message}`,
            expected: violation.message,
            actual: violation.keyword === 'required' ? 'the field is missing' : shown(violation.value),
          },
        ],
  )
  const faults = new Set(broken.map(({ requirement }) => requirement))
  const held = new Set(bodyRequirement === undefined ? [] : [bodyRequirement])
  for (const constraint of constraintsIn(schema, oracle.schemas)) {
    if (constraint.requirement !== undefined && applies(constraint, response.value)) held.add(constraint.requirement)
  }
  for (const requirement of held) if (!faults.has(requirement)) broken.push({ ...base, requirement, outcome: 'held' })
  return broken
}

const known = new WeakMap<ReadonlyMap<string, JsonSchema>, Map<string, readonly Constraint[]>>()

/** The constraints of a schema, worked out once. */
export function constraintsIn(name: string, schemas: ReadonlyMap<string, JsonSchema>): readonly Constraint[] {
  const bySchema = known.get(schemas) ?? new Map<string, readonly Constraint[]>()
  known.set(schemas, bySchema)
  const constraints = bySchema.get(name)
  if (constraints) return constraints
  const schema = schemas.get(name)
  const found = schema ? constraintsOf(schema, createResolver(schemas)) : []
  bySchema.set(name, found)
  return found
}

/** Whether a value has a place that a constraint speaks of. */
export function applies(constraint: Constraint, value: unknown): boolean {
  const [head = '', ...tail] = constraint.pointer.split('/*')
  let places = [at(value, head)]
  for (const rest of tail) {
    places = places.flatMap((place) =>
      place !== null && typeof place === 'object' ? Object.values(place).map((child) => at(child, rest)) : [],
    )
  }
  return places.some((place) => place !== undefined)
}
