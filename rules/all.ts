import { collections } from './collections.ts'
import { deletedRule } from './exchange/deleted.ts'
import { errorShapeRule } from './exchange/errors.ts'
import { exportRule } from './exchange/exports.ts'
import { keysRule } from './exchange/keys.ts'
import { observedRule } from './exchange/observed.ts'
import { offeredRule } from './exchange/offered.ts'
import { successRule } from './exchange/success.ts'
import { tapRule } from './exchange/taps.ts'
import { usageRule } from './exchange/usage.ts'
import { usageValuesRule } from './exchange/usage-values.ts'
import { addsRule } from './history/adds.ts'
import { appearsRule } from './history/appears.ts'
import { archivingRule } from './history/archiving.ts'
import { authenticatesRule } from './history/authenticates.ts'
import { besideRule } from './history/beside.ts'
import { besideListedRule } from './history/beside-listed.ts'
import { bytesRule } from './history/bytes.ts'
import { capsRule } from './history/caps.ts'
import { codesRule } from './history/codes.ts'
import { collectionRules } from './history/collection-rules.ts'
import { comesOutRule } from './history/comes-out.ts'
import { confirmsRule } from './history/confirms.ts'
import { copiedContentRule } from './history/copied-content.ts'
import { copiesRule } from './history/copies.ts'
import { copiesFollowRule } from './history/copies-follow.ts'
import { createdRule } from './history/created.ts'
import { droppedUsageRule } from './history/dropped-usage.ts'
import { dropsRule } from './history/drops.ts'
import { familiesRule } from './history/families.ts'
import { followsRule } from './history/follows.ts'
import { formsRule } from './history/forms.ts'
import { keepsRule } from './history/keeps.ts'
import { leavesRules } from './history/leaves-rules.ts'
import { leftoversRule } from './history/leftovers.ts'
import { likeV1Rule } from './history/like-v1.ts'
import { listedNotFoundRule } from './history/listed-not-found.ts'
import { madeOnceRule } from './history/made-once.ts'
import { mailsRule } from './history/mails.ts'
import { mergesRule } from './history/merges.ts'
import { naturalRule } from './history/natural.ts'
import { naturalNamesRule } from './history/natural-names.ts'
import { ownerRule } from './history/owner.ts'
import { pagesRule } from './history/pages.ts'
import { periodsRule } from './history/periods.ts'
import { placeableRule } from './history/placeable.ts'
import { prefersRule } from './history/prefers.ts'
import { idIn, madeIn, pipelineOfState } from './history/reads.ts'
import { removedTwiceRule } from './history/removed-twice.ts'
import { removesRule } from './history/removes.ts'
import { replacesRule } from './history/replaces.ts'
import { saidTwiceRule } from './history/said-twice.ts'
import { sameDayRule } from './history/same-day.ts'
import { serialRule } from './history/serial.ts'
import { sharesRule } from './history/shares.ts'
import { showsRule } from './history/shows.ts'
import { staysRule } from './history/stays.ts'
import { suspendsRule } from './history/suspends.ts'
import { switchesRule } from './history/switches.ts'
import { tagSharesRule } from './history/tag-shares.ts'
import { tapSelectionRule } from './history/tap-selection.ts'
import { toNowRule } from './history/to-now.ts'
import { twinRule } from './history/twin.ts'
import { unguardedRule } from './history/unguarded.ts'
import { usageCountsRule } from './history/usage-counts.ts'
import { wholeSharesRule } from './history/whole-shares.ts'
import { worksRule } from './history/works.ts'
import type { ExchangeRule, HistoryRule } from './rule.ts'

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

/** Rules that look at a history. */
export const historyRules: readonly HistoryRule<unknown>[] = [
  twinRule,
  familiesRule,
  naturalRule,
  naturalNamesRule,
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
  copiesFollowRule,
  ...leavesRules,
  sameDayRule,
  switchesRule,
  tapSelectionRule,
  comesOutRule,
  saidTwiceRule,
  likeV1Rule,
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
]
