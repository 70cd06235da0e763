import type { Mutant } from './core/fault.ts'
import { nodeMutants } from './node-updates.ts'
import { presetUpdateMutants } from './preset-updates.ts'
import { processingMutants } from './processing.ts'
import { routeMutants } from './route-updates.ts'
import { stateMutants } from './state-updates.ts'

/** Faults in what updates change and what they leave. */
export const updateMutants: readonly Mutant[] = [
  ...nodeMutants,
  ...presetUpdateMutants,
  ...routeMutants,
  ...stateMutants,
  ...processingMutants,
]
