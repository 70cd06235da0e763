import type { Overlay } from '../core/overlay.ts'
import { configurationFaults } from './configuration/configuration.ts'
import { type Fault, overlayOf } from './core/fault.ts'
import { type Coded, faultsIn } from './core/rows.ts'
import { derivedFromRequests, type Equivalent } from './derived/requests.ts'
import { absentFaults, derivedFromResponses } from './derived/responses.ts'
import { thingFaults } from './derived/things.ts'
import { exportFaults } from './exports/exports.ts'
import { accessFaults, authenticationFaults } from './general/authentication.ts'
import { bodyFaults, errorFaults } from './general/errors.ts'
import { parallelFaults } from './general/parallel.ts'
import { lengthFaults, storedFaults } from './general/stored.ts'
import { movedFaults, wholeFaults } from './general/whole.ts'
import { ingestionFaults } from './ingestion/ingestion.ts'
import { groupFaults } from './pipelines/groups.ts'
import { newNodeFaults, nodeFaults } from './pipelines/nodes.ts'
import { partFaults } from './pipelines/parts.ts'
import { reportFaults, usageFaults } from './usage/reports.ts'

/** The topics, as folders are called. */
type Topic = 'general' | 'configuration' | 'ingestion' | 'exports' | 'usage' | 'pipelines'

/** The faults of a topic that are made by rule, and the changes of its rows that are code. */
const TOPICS: Readonly<Record<Topic, { readonly made: readonly Fault[]; readonly coded: Coded }>> = {
  general: {
    made: [...absentFaults, ...accessFaults, ...bodyFaults, ...storedFaults, ...movedFaults],
    coded: { ...authenticationFaults, ...errorFaults, ...lengthFaults, ...parallelFaults, ...wholeFaults },
  },
  configuration: { made: [], coded: configurationFaults },
  ingestion: { made: [], coded: ingestionFaults },
  exports: { made: [], coded: exportFaults },
  usage: { made: reportFaults, coded: usageFaults },
  pipelines: { made: newNodeFaults, coded: { ...groupFaults, ...nodeFaults, ...partFaults } },
}

/** The faults of a topic, but for those of its constraints and its types of things. */
export function faultsOf(topic: Topic): readonly Fault[] {
  const { made, coded } = TOPICS[topic]
  return [...made, ...faultsIn(new URL(`./${topic}/rows.json`, import.meta.url), coded)]
}

let all: readonly Fault[] | undefined

/** Every deliberate fault of the reference: those by hand first, then those that are made by rule. */
export function allFaults(): readonly Fault[] {
  const topics = Object.keys(TOPICS) as Topic[]
  all ??= [...topics.flatMap(faultsOf), ...thingFaults, ...derivedFaults()]
  return all
}

/** @throws RangeError where there is no fault of that name */
export function faultOverlay(name: string): Overlay {
  const fault = allFaults().find((one) => one.name === name)
  if (!fault) throw new RangeError(`there is no fault ${name}`)
  return overlayOf(fault)
}

export type { Equivalent } from './derived/requests.ts'

/** A fault for every way to break every constraint of the specification's schemas, made by rule. */
export function derivedFaults(): readonly Fault[] {
  return [...derivedFromRequests().faults, ...derivedFromResponses()]
}

/** Changed rules that no client can tell from the proper ones: they are not tried. */
export function equivalentFaults(): readonly Equivalent[] {
  return derivedFromRequests().equivalents
}
