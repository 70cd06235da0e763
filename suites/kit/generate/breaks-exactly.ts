import type { Validator } from '../../../schemas/validator.ts'
import { serialise } from './serialise.ts'

/**
 * Whether `body`, as it is serialised, breaks `requirement` and nothing else: the check that a sender makes before it
 * sends. `also`: requirements that the probe cannot help breaking as well (those that shadow its own).
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
