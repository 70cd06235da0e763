import type { Case } from '../kit/case.ts'
import { archivingCases } from './archiving/configuration.ts'
import { archivingCredentialCases } from './archiving/credentials.ts'
import { creationCredentialCases } from './authentication/creations.ts'
import { credentialCases } from './authentication/credentials.ts'
import { familyCases } from './authentication/families.ts'
import { readCredentialCases } from './authentication/reads.ts'
import { thingCredentialCases } from './authentication/things.ts'
import { v2CredentialCases } from './authentication/v2.ts'
import { neighbourCases } from './beside/neighbours.ts'
import { lifeCases } from './collections/lives.ts'
import { parallelCases } from './concurrency/parallel.ts'
import { oddIdCases } from './configuration/odd-ids.ts'
import { presetAlertCases } from './configuration/preset-alerts.ts'
import { removalCases } from './configuration/removals.ts'
import { enterpriseKeyCases } from './enterprise/keys.ts'
import { exclusionCases } from './exclusions/dropping.ts'
import { pagingCases } from './export/paging.ts'
import { exportPeriodCases } from './export/periods.ts'
import { toNowCases } from './export/to-now.ts'
import { exportV1Cases } from './export/v1.ts'
import { exportV2Cases } from './export/v2.ts'
import { fieldCases } from './fields.ts'
import { contentTypeCases } from './general/content-types.ts'
import { malformedBodyCases } from './general/malformed-bodies.ts'
import { worksCases } from './general/works.ts'
import { ingestionCases } from './ingestion/lines.ts'
import { saidTwiceCases } from './ingestion/said-twice.ts'
import { longestNameCases } from './keys/longest-name.ts'
import { keyCases } from './keys/refusals.ts'
import { ownerCases } from './members/owner.ts'
import { openRequestCases } from './open/requests.ts'
import { parameterCases } from './parameters.ts'
import { groupCases } from './pipelines/groups.ts'
import { kindCases } from './pipelines/kinds.ts'
import { leftoverCases } from './pipelines/leftovers.ts'
import { partialUpdateCases } from './pipelines/partial-updates.ts'
import { processingStatusCases } from './pipelines/processing-status.ts'
import { pipelineReadCases } from './pipelines/reads.ts'
import { signingKeyCases } from './pipelines/signing-keys.ts'
import { tapCases } from './pipelines/taps.ts'
import { updateCases } from './pipelines/updates.ts'
import { leftAloneCases } from './refusals/left-alone.ts'
import { suspensionCredentialCases } from './suspension/credentials.ts'
import { suspensionCases } from './suspension/suspending.ts'
import { usageBytesCases } from './usage/bytes.ts'
import { usageReportCases } from './usage/reports.ts'
import { tagShareCases } from './usage/tag-shares.ts'
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
