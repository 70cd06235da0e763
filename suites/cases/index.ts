import type { Case } from '../kit/case.ts'
import { archivingCases } from './configuration/archiving.ts'
import { archivingCredentialCases } from './configuration/archiving-credentials.ts'
import { enterpriseKeyCases } from './configuration/enterprise-keys.ts'
import { keyCases } from './configuration/keys.ts'
import { lifeCases } from './configuration/lives.ts'
import { longestNameCases } from './configuration/longest-name.ts'
import { oddIdCases } from './configuration/odd-ids.ts'
import { ownerCases } from './configuration/owner.ts'
import { presetAlertCases } from './configuration/preset-alerts.ts'
import { removalCases } from './configuration/removals.ts'
import { pagingCases } from './exports/paging.ts'
import { exportPeriodCases } from './exports/periods.ts'
import { toNowCases } from './exports/to-now.ts'
import { exportV1Cases } from './exports/v1.ts'
import { exportV2Cases } from './exports/v2.ts'
import { malformedBodyCases } from './general/bodies.ts'
import { contentTypeCases } from './general/content-types.ts'
import { creationCredentialCases } from './general/creations.ts'
import { credentialCases } from './general/credentials.ts'
import { familyCases } from './general/families.ts'
import { fieldCases } from './general/fields.ts'
import { leftAloneCases } from './general/left-alone.ts'
import { neighbourCases } from './general/neighbours.ts'
import { openRequestCases } from './general/open-requests.ts'
import { parallelCases } from './general/parallel.ts'
import { parameterCases } from './general/parameters.ts'
import { readCredentialCases } from './general/reads.ts'
import { thingCredentialCases } from './general/things.ts'
import { v2CredentialCases } from './general/v2.ts'
import { worksCases } from './general/works.ts'
import { exclusionCases } from './ingestion/exclusions.ts'
import { ingestionCases } from './ingestion/lines.ts'
import { saidTwiceCases } from './ingestion/said-twice.ts'
import { suspensionCases } from './ingestion/suspension.ts'
import { suspensionCredentialCases } from './ingestion/suspension-credentials.ts'
import { groupCases } from './pipelines/groups.ts'
import { kindCases } from './pipelines/kinds.ts'
import { leftoverCases } from './pipelines/leftovers.ts'
import { partialUpdateCases } from './pipelines/partial-updates.ts'
import { processingStatusCases } from './pipelines/processing-status.ts'
import { pipelineReadCases } from './pipelines/reads.ts'
import { signingKeyCases } from './pipelines/signing-keys.ts'
import { tapCases } from './pipelines/taps.ts'
import { updateCases } from './pipelines/updates.ts'
import { usageBytesCases } from './usage/bytes.ts'
import { usageReportCases } from './usage/reports.ts'
import { tagShareCases } from './usage/shares.ts'
import { usageByTagCases } from './usage/tags.ts'
import { wholeShareCases } from './usage/whole.ts'

let built: readonly Case[] | undefined

/** Every case there is, the dearest first. */
export function allCases(): readonly Case[] {
  built ??= [
    ...credentialCases,
    ...familyCases,
    ...v2CredentialCases,
    ...readCredentialCases,
    ...creationCredentialCases,
    ...thingCredentialCases,
    ...suspensionCredentialCases,
    ...archivingCredentialCases,
    ...malformedBodyCases,
    ...contentTypeCases,
    ...leftAloneCases,
    ...neighbourCases,
    ...enterpriseKeyCases,
    ...presetAlertCases,
    ...removalCases,
    ...oddIdCases,
    ...openRequestCases,
    ...usageByTagCases,
    ...usageReportCases,
    ...wholeShareCases,
    ...tagShareCases,
    ...usageBytesCases,
    ...exclusionCases,
    ...suspensionCases,
    ...ingestionCases,
    ...saidTwiceCases,
    ...exportV1Cases,
    ...exportV2Cases,
    ...toNowCases,
    ...exportPeriodCases,
    ...pagingCases,
    ...lifeCases,
    ...archivingCases,
    ...parallelCases,
    ...keyCases,
    ...longestNameCases,
    ...ownerCases,
    ...pipelineReadCases,
    ...updateCases,
    ...leftoverCases,
    ...partialUpdateCases,
    ...groupCases,
    ...processingStatusCases,
    ...signingKeyCases,
    ...tapCases,
    ...kindCases,
    ...worksCases(),
    ...fieldCases(),
    ...parameterCases(),
  ].sort((a, b) => b.cost - a.cost)
  return built
}
