import type { ExchangeRule, HistoryRule } from './core/rule.ts'
import { type GroupRule, groupsWith } from './known/groups.ts'
import { historyOf } from './known/part.ts'
import { signingKeys } from './known/signing-keys.ts'
import { appearsRule } from './topics/configuration/appears.ts'
import { authenticatesRule } from './topics/configuration/authenticates.ts'
import { besideRule } from './topics/configuration/beside.ts'
import { besideListedRule } from './topics/configuration/beside-listed.ts'
import { collectionRules } from './topics/configuration/collection-rules.ts'
import { collections } from './topics/configuration/collections.ts'
import { createdRule } from './topics/configuration/created.ts'
import { deletedRule } from './topics/configuration/deleted.ts'
import { keysRule } from './topics/configuration/keys.ts'
import { listedNotFoundRule } from './topics/configuration/listed-not-found.ts'
import { madeOnceRule } from './topics/configuration/made-once.ts'
import { ownerRule } from './topics/configuration/owner.ts'
import { removesRule } from './topics/configuration/removes.ts'
import { capsRule } from './topics/exports/caps.ts'
import { exportRule } from './topics/exports/exports.ts'
import { likeV1Rule } from './topics/exports/like-v1.ts'
import { mailsRule } from './topics/exports/mails.ts'
import { pagesRule } from './topics/exports/pages.ts'
import { periodsRule } from './topics/exports/periods.ts'
import { prefersRule } from './topics/exports/prefers.ts'
import { toNowRule } from './topics/exports/to-now.ts'
import { codesRule } from './topics/general/codes.ts'
import { errorShapeRule } from './topics/general/errors.ts'
import { familiesRule } from './topics/general/families.ts'
import { formsRule } from './topics/general/forms.ts'
import { leavesRules } from './topics/general/leaves-rules.ts'
import { observedRule } from './topics/general/observed.ts'
import { offeredRule } from './topics/general/offered.ts'
import { recordRules } from './topics/general/record-rules.ts'
import { serialRule } from './topics/general/serial.ts'
import { successRule } from './topics/general/success.ts'
import { twinRule } from './topics/general/twin.ts'
import { worksRule } from './topics/general/works.ts'
import { comesOutRule } from './topics/ingestion/comes-out.ts'
import { confirmsRule } from './topics/ingestion/confirms.ts'
import { dropsRule } from './topics/ingestion/drops.ts'
import { saidTwiceRule } from './topics/ingestion/said-twice.ts'
import { suspendsRule } from './topics/ingestion/suspends.ts'
import { copiedContentRule } from './topics/pipelines/copied-content.ts'
import { copiesRule } from './topics/pipelines/copies.ts'
import { followsRule } from './topics/pipelines/follows.ts'
import { keepsRule } from './topics/pipelines/keeps.ts'
import { leftoversRule } from './topics/pipelines/leftovers.ts'
import { placeableRule } from './topics/pipelines/placeable.ts'
import { signingKeysAdded } from './topics/pipelines/signing-keys-added.ts'
import { tapSelectionRule } from './topics/pipelines/tap-selection.ts'
import { tapRule } from './topics/pipelines/taps.ts'
import { bytesRule } from './topics/usage/bytes.ts'
import { droppedUsageRule } from './topics/usage/dropped-usage.ts'
import { sameDayRule } from './topics/usage/same-day.ts'
import { sharesRule } from './topics/usage/shares.ts'
import { tagSharesRule } from './topics/usage/tag-shares.ts'
import { usageRule } from './topics/usage/usage.ts'
import { usageCountsRule } from './topics/usage/usage-counts.ts'
import { usageValuesRule } from './topics/usage/usage-values.ts'
import { wholeSharesRule } from './topics/usage/whole-shares.ts'
import { naturalRule } from './traffic/natural.ts'
import { naturalNamesRule } from './traffic/natural-names.ts'
import { removedTwiceRule } from './traffic/removed-twice.ts'
import { unguardedRule } from './traffic/unguarded.ts'

/** Rules that look at one exchange. */
export const exchangeRules: readonly ExchangeRule[] = [
  successRule,
  deletedRule,
  keysRule,
  usageRule,
  tapRule,
  exportRule,
  usageValuesRule,
  errorShapeRule,
  observedRule,
  offeredRule,
]

/** Rules that look at the requests of one group. */
const groupRules: readonly GroupRule[] = [likeV1Rule]

/** Rules that look at a history. */
export const historyRules: readonly HistoryRule<unknown>[] = [
  twinRule,
  familiesRule,
  naturalRule,
  naturalNamesRule,
  leftoversRule,
  removedTwiceRule,
  removesRule({
    type: 'exclusion',
    operation: 'delete-exclusion',
    requirement: 'EXCLUSION-DELETE-REMOVES',
    changes: ['update-exclusion'],
  }),
  appearsRule({
    type: 'preset-alert',
    operation: 'create-preset-alert',
    about: 'create-preset-alert',
    field: 'name',
    requirement: 'PRESET-CREATE-MAKES',
    changes: ['update-preset-alert'],
  }),
  appearsRule({
    type: 'enterprise-key',
    operation: 'create-enterprise-key',
    about: 'list-enterprise-keys',
    field: 'name',
    requirement: 'ENT-KEYS-LIST-ALL',
  }),
  ...collections.flatMap(collectionRules),
  besideRule,
  besideListedRule,
  followsRule,
  codesRule,
  createdRule,
  authenticatesRule,
  ownerRule,
  keepsRule,
  madeOnceRule,
  copiesRule,
  placeableRule,
  copiedContentRule,
  ...leavesRules,
  ...recordRules,
  historyOf(signingKeys, [signingKeysAdded]) as HistoryRule<unknown>,
  sameDayRule,
  tapSelectionRule,
  comesOutRule,
  saidTwiceRule,
  pagesRule,
  capsRule,
  toNowRule,
  periodsRule,
  prefersRule,
  mailsRule,
  formsRule,
  usageCountsRule,
  dropsRule,
  droppedUsageRule,
  suspendsRule,
  confirmsRule,
  appearsRule({
    type: 'exclusion',
    operation: 'create-exclusion',
    about: 'list-exclusions',
    field: 'title',
    requirement: 'EXCLUSION-LIST',
    changes: ['update-exclusion'],
  }),
  sharesRule,
  wholeSharesRule,
  tagSharesRule,
  bytesRule,
  serialRule,
  unguardedRule,
  worksRule,
  listedNotFoundRule,
  groupsWith(groupRules) as HistoryRule<unknown>,
]
