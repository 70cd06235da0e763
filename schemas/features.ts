import type { Requirement } from './ledger.ts'
import { readData } from './load.ts'
import { service } from './service.ts'

/** A part of the service that a target can claim. */
export interface Feature {
  readonly id: string
  readonly title: string
  /** true: there are cases for it */
  readonly available: boolean
  /** operations that belong to it, those that only a binding gives a path for included */
  readonly operations: readonly string[]
}

/** The feature of what holds across operations. It is not claimed by itself: it goes with whatever is claimed. */
export const GENERAL = 'general'

let loaded: readonly Feature[] | undefined

/** Every feature, in the order in which they are listed to users. */
export function features(): readonly Feature[] {
  loaded ??= readData<readonly Omit<Feature, 'operations'>[]>('features.json').map((one) => ({
    ...one,
    operations: service().operations.flatMap(({ id, feature }) => (feature === one.id ? [id] : [])),
  }))
  return loaded
}

/**
 * Whether a target that claims the features in `claimed` has to fulfil the requirement. A general requirement holds
 * where it names no operation, or one of a claimed feature.
 */
export function isClaimed(
  requirement: Requirement,
  claimed: ReadonlySet<string>,
  all: readonly Feature[] = features(),
): boolean {
  if (requirement.feature !== GENERAL) return claimed.has(requirement.feature)
  if (requirement.operations.length === 0) return true
  return all.some(
    (feature) => claimed.has(feature.id) && feature.operations.some((id) => requirement.operations.includes(id)),
  )
}
