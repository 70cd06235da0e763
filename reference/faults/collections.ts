import { accountFaults } from './account-collections.ts'
import type { Fault } from './core/fault.ts'
import { pipelinePartFaults } from './pipeline-collections.ts'
import { singularFaults } from './singular-collections.ts'

/** Faults of what is made, listed, changed and removed one by one. */
export const collectionFaults: readonly Fault[] = [...accountFaults, ...singularFaults, ...pipelinePartFaults]
