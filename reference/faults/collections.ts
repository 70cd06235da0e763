import { accountMutants } from './account-collections.ts'
import type { Mutant } from './core/fault.ts'
import { pipelinePartMutants } from './pipeline-collections.ts'
import { singularMutants } from './singular-collections.ts'

/** Faults of what is made, listed, changed and removed one by one. */
export const collectionMutants: readonly Mutant[] = [...accountMutants, ...singularMutants, ...pipelinePartMutants]
