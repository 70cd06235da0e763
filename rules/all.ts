import { idIn, madeIn, pipelineOfState } from './core/reads.ts'
import type { ExchangeRule, HistoryRule } from './core/rule.ts'
import { controlsWith } from './known/controls.ts'
import { type GroupRule, groupsWith } from './known/groups.ts'
import { archivingRule } from './topics/configuration/archiving.ts'
import { authenticatesRule } from './topics/configuration/authenticates.ts'
import { collectionRules } from './topics/configuration/collection-rules.ts'
import { collections } from './topics/configuration/collections.ts'
import { deletedRule } from './topics/configuration/deleted.ts'
import { existenceRules } from './topics/configuration/existence-rules.ts'
import { keysRule } from './topics/configuration/keys.ts'
import { neighbourRule } from './topics/configuration/neighbour-unchanged.ts'
import { removedTwiceRules } from './topics/configuration/removed-twice.ts'
import { showsRule } from './topics/configuration/shows.ts'
import { capsRule } from './topics/exports/caps.ts'
import { periodRule, toNowRule } from './topics/exports/ends-of-period.ts'
import { exportRule } from './topics/exports/exports.ts'
import { likeV1Rule } from './topics/exports/like-v1.ts'
import { mailsRule } from './topics/exports/mails.ts'
import { pagesRule } from './topics/exports/pages.ts'
import { prefersRule } from './topics/exports/prefers.ts'
import { judgeInput } from './topics/general/control.ts'
import { errorShapeRule } from './topics/general/errors.ts'
import { familiesRule } from './topics/general/families.ts'
import { formsRule } from './topics/general/forms.ts'
import { leavesRules } from './topics/general/leaves-rules.ts'
import { observedRule } from './topics/general/observed.ts'
import { offeredRule } from './topics/general/offered.ts'
import { codesRule } from './topics/general/provoked.ts'
import { serialRule } from './topics/general/serial.ts'
import { successRule } from './topics/general/success.ts'
import { worksRule } from './topics/general/works.ts'
import { comesOutRule } from './topics/ingestion/comes-out.ts'
import { confirmsRule } from './topics/ingestion/confirms.ts'
import { dropsRule } from './topics/ingestion/drops.ts'
import { saidTwiceRule } from './topics/ingestion/said-twice.ts'
import { suspendsRule } from './topics/ingestion/suspends.ts'
import { addsRule } from './topics/pipelines/adds.ts'
import { copiedContentRule } from './topics/pipelines/copied-content.ts'
import { copiesFollowRule } from './topics/pipelines/copies-follow.ts'
import { leftoversRule } from './topics/pipelines/leftovers.ts'
import { mergesRule } from './topics/pipelines/merges.ts'
import { replacesRule } from './topics/pipelines/replaces.ts'
import { staysRule } from './topics/pipelines/stays.ts'
import { switchesRule } from './topics/pipelines/switches.ts'
import { tapRule, tapSelectionRule } from './topics/pipelines/taps.ts'
import { bytesRule, droppedUsageRule } from './topics/usage/bytes-of-lines.ts'
import { sameDayRule } from './topics/usage/same-day.ts'
import { sharesRule, tagSharesRule, wholeSharesRule } from './topics/usage/shares-of-all-lines.ts'
import { usageRule } from './topics/usage/usage.ts'
import { usageCountsRule } from './topics/usage/usage-counts.ts'
import { usageValuesRule } from './topics/usage/usage-values.ts'
import { naturalRule } from './traffic/natural.ts'
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
const groupRules: readonly GroupRule[] = [
  likeV1Rule,
  mailsRule,
  formsRule,
  authenticatesRule,
  confirmsRule,
  codesRule,
  tapSelectionRule,
  neighbourRule,
  sameDayRule,
  sharesRule,
  wholeSharesRule,
  tagSharesRule,
  bytesRule,
  droppedUsageRule,
  periodRule,
  toNowRule,
  saidTwiceRule,
  leftoversRule,
  serialRule,
  worksRule,
]

/** Rules that look at a history. */
export const historyRules: readonly HistoryRule<unknown>[] = [
  controlsWith(judgeInput),
  familiesRule,
  naturalRule,
  replacesRule({
    operation: 'update-transform',
    type: 'transform',
    requirement: 'TRANSFORM-UPDATE-REPLACES',
    makes: false,
    others: [],
    kind: 'GAP-TRANSFORM-KIND-FIELD',
  }),
  replacesRule({
    operation: 'update-source',
    type: 'source',
    requirement: 'SOURCE-UPDATE-REPLACES',
    makes: false,
    others: [],
    kind: 'GAP-SOURCE-KIND-FIELD',
  }),
  replacesRule({
    operation: 'update-preset-alert',
    type: 'preset-alert',
    requirement: 'PRESET-UPDATE-APPLIES',
    fields: { name: 'PRESET-UPDATE-APPLIES' },
    values: 'PRESET-READ',
    makes: false,
    others: [],
    normalised: true,
    stays: true,
  }),
  replacesRule({
    operation: 'add-group-to-pipeline',
    type: 'placed-group',
    requirement: 'PLACEMENT-PLACES',
    fields: { deploy_type: 'PLACEMENT-READ' },
    makes: true,
    others: ['switch-group-revision'],
  }),
  replacesRule({
    operation: 'switch-group-revision',
    type: 'placed-group',
    requirement: 'REVISION-MOVES',
    fields: { inputs: 'REVISION-INPUTS-SET' },
    makes: false,
    others: [],
  }),
  mergesRule({
    name: 'merges gateway route',
    operation: 'update-gateway-route',
    reader: 'get-gateway-route',
    others: ['replace-gateway-route', 'delete-gateway-route'],
    id: (view) => view.params.gateway_route_id,
    sent: '',
    fields: ['title', 'description', 'legacy_routing'],
    applies: 'ROUTE-PATCH-APPLIES',
    partial: 'ROUTE-PATCH-PARTIAL',
  }),
  mergesRule({
    name: 'merges state variables',
    operation: 'update-state-variables',
    reader: 'get-state-variables',
    others: [],
    id: pipelineOfState,
    sent: '/state',
    fields: undefined,
    applies: 'STATEVAR-APPLIES',
    partial: 'STATEVAR-PARTIAL',
  }),
  ...removedTwiceRules,
  ...existenceRules,
  ...collections.flatMap(collectionRules),
  showsRule({
    type: 'preset-alert',
    requirement: 'PRESET-READ',
    changes: ['update-preset-alert'],
    update: 'update-preset-alert',
    lists: true,
  }),
  staysRule({
    name: 'stays state variables',
    operation: 'update-state-variables',
    reader: 'get-state-variables',
    others: [],
    id: pipelineOfState,
    sent: '/state',
    fields: undefined,
    requirement: 'STATEVAR-READ',
  }),
  staysRule({
    name: 'stays placed group',
    operation: 'add-group-to-pipeline',
    reader: 'get-placed-group',
    others: ['switch-group-revision', 'delete-placed-group'],
    id: (view, { binding }) =>
      view.operation?.id === 'add-group-to-pipeline' ? madeIn(view) : idIn(view, binding, 'placed-group'),
    sent: '',
    fields: ['inputs'],
    requirement: 'PLACEMENT-READ',
  }),
  addsRule,
  archivingRule,
  copiedContentRule,
  copiesFollowRule,
  ...leavesRules,
  switchesRule,
  comesOutRule,
  pagesRule,
  capsRule,
  prefersRule,
  usageCountsRule,
  dropsRule,
  suspendsRule,
  replacesRule({
    operation: 'create-exclusion',
    type: 'exclusion',
    requirement: 'EXCLUSION-READ',
    makes: true,
    others: ['update-exclusion'],
    normalised: true,
  }),
  mergesRule({
    name: 'merges exclusion',
    operation: 'update-exclusion',
    reader: 'get-exclusion',
    others: ['create-exclusion', 'delete-exclusion'],
    id: (view) => view.params.exclusion_id ?? view.params.id,
    sent: '',
    fields: undefined,
    applies: 'EXCLUSION-UPDATE',
    partial: 'EXCLUSION-UPDATE',
    normalised: true,
  }),
  unguardedRule,
  groupsWith(groupRules) as HistoryRule<unknown>,
]
