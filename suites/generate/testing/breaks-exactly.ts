import type { Validator } from '../../../schemas/validator.ts'
import { serialise } from '../values/body.ts'

/**
 * Whether `body`, as it is serialised, breaks `requirement` and nothing else. `also`: requirements that shadow it, so that
 * they are broken as well.
 */
export function breaksExactly(
  validator: Validator,
  ref: string,
  body: unknown,
  requirement: string | undefined,
  also: readonly (string | undefined)[] = [],
): boolean {
  const text = serialise(body)
  if (text === undefined) return false
  const violations = validator.violations(ref, JSON.parse(text))
  return (
    violations.some((violation) => violation.requirement === requirement) &&
    violations.every((violation) => violation.requirement === requirement || also.includes(violation.requirement))
  )
}
