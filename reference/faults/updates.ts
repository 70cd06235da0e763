import type { Fault } from './core/fault.ts'
import { nodeFaults } from './node-updates.ts'
import { presetUpdateFaults } from './preset-updates.ts'
import { processingFaults } from './processing.ts'
import { routeFaults } from './route-updates.ts'
import { stateFaults } from './state-updates.ts'

/** Faults in what updates change and what they leave. */
export const updateFaults: readonly Fault[] = [
  ...nodeFaults,
  ...presetUpdateFaults,
  ...routeFaults,
  ...stateFaults,
  ...processingFaults,
]
