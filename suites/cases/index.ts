import { features } from '../../schemas/features.ts'
import { readData } from '../../schemas/load.ts'
import type { Case, Measured, MeasuredCase } from '../case.ts'
import { walkCases } from '../walk/cases.ts'
import { archivingCases } from './configuration/archiving.ts'
import { keyCases } from './configuration/keys.ts'
import { removalCases } from './configuration/removals.ts'
import { exportCases } from './exports/exports.ts'
import { pagingCases } from './exports/paging.ts'
import { credentialCases } from './general/credentials.ts'
import { bodyCases, fieldCases } from './general/fields.ts'
import { openRequestCases } from './general/open-requests.ts'
import { parallelCases } from './general/parallel.ts'
import { worksCases } from './general/works.ts'
import { exclusionCases } from './ingestion/exclusions.ts'
import { lineCases } from './ingestion/lines.ts'
import { suspensionCases } from './ingestion/suspension.ts'
import { groupCases } from './pipelines/groups.ts'
import { tapCases } from './pipelines/taps.ts'
import { updateCases } from './pipelines/updates.ts'
import { usageCases } from './usage/reports.ts'

let built: readonly MeasuredCase[] | undefined

/** Every case there is, the dearest first; last those that run alone, in the order of the list. */
export function allCases(): readonly MeasuredCase[] {
  built ??= withMeasured([
    ...walkCases,
    ...credentialCases,
    // Before the others that suspend: a target may stay changed once it was suspended.
    ...suspensionCases,
    ...archivingCases,
    ...bodyCases,
    ...removalCases,
    ...openRequestCases,
    ...usageCases,
    ...exclusionCases,
    ...lineCases,
    ...exportCases,
    ...pagingCases,
    ...parallelCases,
    ...keyCases,
    ...groupCases,
    ...updateCases,
    ...tapCases,
    ...worksCases(),
    ...fieldCases(),
  ])
  return built
}

/** What a case sends that was not measured yet. */
const UNMEASURED: Measured['requests'] = [20, 20, 20]

/** The same cases with their features and with what was measured of each, in the order in which they run. */
function withMeasured(cases: readonly Case[]): MeasuredCase[] {
  const measured = readData<Readonly<Record<string, Measured>>>('cases.json')
  const featuresOf = (operation: string): string[] =>
    features().flatMap((feature) => (feature.operations.includes(operation) ? [feature.id] : []))
  const all = cases.map((one) => {
    const { operation = one.id.replace(/\/.*/, '') } = one
    // Further walks are like the first one.
    const like = one.looksLast === true ? walkCases[0]?.id : undefined
    const known = measured[one.id] ?? measured[like ?? ''] ?? { requests: UNMEASURED, requirements: one.about ?? [] }
    return { features: featuresOf(operation), ...one, operation, ...known }
  })
  const isAlone = ({ alone }: Case): boolean => alone === true
  const walks = all.filter(({ looksLast }) => looksLast === true)
  const others = all.filter((one) => !isAlone(one) && !walks.includes(one))
  return [...walks, ...others.sort((a, b) => b.requests[1] - a.requests[1]), ...all.filter(isAlone)]
}
