import { features } from '../../schemas/features.ts'
import { readData } from '../../schemas/load.ts'
import type { Case, MeasuredCase } from '../case.ts'
import { walkCases } from '../walk/cases.ts'
import { archivingCases, archivingCredentialCases } from './configuration/archiving.ts'
import { enterpriseKeyCases, keyCases, longestNameCases } from './configuration/keys.ts'
import { oddIdCases, ownerCases, removalCases } from './configuration/removals.ts'
import { exportPeriodCases, exportV1Cases, exportV2Cases, preferCases, toNowCases } from './exports/exports.ts'
import { pagingCases } from './exports/paging.ts'
import { credentialCases, familyCases } from './general/credentials.ts'
import { contentTypeCases, fieldCases, leftAloneCases, malformedBodyCases, parameterCases } from './general/fields.ts'
import { openRequestCases } from './general/open-requests.ts'
import { parallelCases } from './general/parallel.ts'
import { worksCases } from './general/works.ts'
import { exclusionCases } from './ingestion/exclusions.ts'
import { ingestionCases, saidTwiceCases } from './ingestion/lines.ts'
import { suspensionCases, suspensionCredentialCases } from './ingestion/suspension.ts'
import { groupCases } from './pipelines/groups.ts'
import { tapCases } from './pipelines/taps.ts'
import { kindCases, kindsCases, leftoverCases, processingStatusCases } from './pipelines/updates.ts'
import { usageByTagCases, usageReportCases } from './usage/reports.ts'

let built: readonly MeasuredCase[] | undefined

/** Every case there is, the dearest first; last those that run alone, in the order of the list. */
export function allCases(): readonly MeasuredCase[] {
  built ??= withMeasured([
    ...walkCases,
    ...credentialCases,
    ...familyCases,
    // Before the others that suspend: a target may stay changed once it was suspended.
    ...suspensionCases,
    ...suspensionCredentialCases,
    ...archivingCredentialCases,
    ...malformedBodyCases,
    ...contentTypeCases,
    ...leftAloneCases,
    ...enterpriseKeyCases,
    ...removalCases,
    ...oddIdCases,
    ...openRequestCases,
    ...usageByTagCases,
    ...usageReportCases,
    ...exclusionCases,
    ...ingestionCases,
    ...saidTwiceCases,
    ...exportV1Cases,
    ...exportV2Cases,
    ...toNowCases,
    ...exportPeriodCases,
    ...preferCases,
    ...pagingCases,
    ...archivingCases,
    ...parallelCases,
    ...keyCases,
    ...longestNameCases,
    ...ownerCases,
    ...leftoverCases,
    ...groupCases,
    ...processingStatusCases,
    ...tapCases,
    ...kindCases,
    ...kindsCases,
    ...worksCases(),
    ...fieldCases(),
    ...parameterCases(),
  ])
  return built
}

/** What a case takes that was not measured yet. */
const UNMEASURED = { ms: 50, requirements: [] }

/** The same cases with their features and with what was measured of each, in the order in which they run. */
function withMeasured(cases: readonly Case[]): MeasuredCase[] {
  const measured = readData<Readonly<Record<string, Pick<MeasuredCase, 'ms' | 'requirements'>>>>('cases.json')
  const featuresOf = (operation: string): string[] =>
    features().flatMap((feature) => (feature.operations.includes(operation) ? [feature.id] : []))
  const all = cases.map((one) => {
    const { operation = one.id.replace(/\/.*/, '') } = one
    return { features: featuresOf(operation), ...one, operation, ...(measured[one.id] ?? UNMEASURED) }
  })
  const isAlone = ({ alone }: Case): boolean => alone === true
  const isWalk = ({ looksLast }: Case): number => (looksLast === true ? 1 : 0)
  const others = all.filter((one) => !isAlone(one)).sort((a, b) => isWalk(b) - isWalk(a) || b.ms - a.ms)
  return [...others, ...all.filter(isAlone)]
}
