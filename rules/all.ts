import { at } from '../schemas/pointer.ts'
import { deletedRule } from './exchange/deleted.ts'
import { keysRule } from './exchange/keys.ts'
import { observedRule } from './exchange/observed.ts'
import { successRule } from './exchange/success.ts'
import { tapRule } from './exchange/taps.ts'
import { usageRule } from './exchange/usage.ts'
import { appearsRule } from './history/appears.ts'
import { copiesRule } from './history/copies.ts'
import { mergesRule } from './history/merges.ts'
import { removesRule } from './history/removes.ts'
import { replacesRule } from './history/replaces.ts'
import { sameDayRule } from './history/same-day.ts'
import { switchesRule } from './history/switches.ts'
import { tapSelectionRule } from './history/tap-selection.ts'
import { twinRule } from './history/twin.ts'
import type { ExchangeRule, HistoryRule } from './rule.ts'
import { jsonOf } from './view.ts'

/** Rules that look at one exchange. */
export const exchangeRules: readonly ExchangeRule[] = [
  successRule,
  deletedRule,
  keysRule,
  usageRule,
  tapRule,
  observedRule,
]

/** Rules that look at a history. */
export const historyRules: readonly HistoryRule<unknown>[] = [
  twinRule,
  replacesRule({
    operation: 'update-transform',
    type: 'transform',
    requirement: 'TRANSFORM-UPDATE-REPLACES',
    makes: false,
    others: [],
    ignored: ['generation_id'],
  }),
  replacesRule({
    operation: 'update-source',
    type: 'source',
    requirement: 'SOURCE-UPDATE-REPLACES',
    makes: false,
    others: [],
    ignored: ['generation_id'],
  }),
  replacesRule({
    operation: 'update-preset-alert',
    type: 'preset-alert',
    requirement: 'PRESET-UPDATE-APPLIES',
    makes: false,
    others: [],
    ignored: [],
  }),
  replacesRule({
    operation: 'add-group-to-pipeline',
    type: 'placed-group',
    requirement: 'PLACEMENT-PLACES',
    makes: true,
    others: ['switch-group-revision'],
    ignored: [],
  }),
  replacesRule({
    operation: 'switch-group-revision',
    type: 'placed-group',
    requirement: 'REVISION-MOVES',
    fields: { inputs: 'REVISION-INPUTS-SET' },
    makes: false,
    others: [],
    ignored: [],
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
    id: (view) =>
      view.exchange.request.queryString.find(({ name }) => name === 'pipeline_id')?.value ??
      view.params.pipeline_id ??
      stringAt(jsonOf(view.request), '/pipeline_id'),
    sent: '/state',
    fields: undefined,
    applies: 'STATEVAR-APPLIES',
    partial: 'STATEVAR-PARTIAL',
  }),
  removesRule({ type: 'member', operation: 'delete-member', requirement: 'MEMBER-DELETE-REMOVES' }),
  removesRule({ type: 'screen', operation: 'delete-screen', requirement: 'SCREEN-DELETE-REMOVES' }),
  removesRule({ type: 'preset-alert', operation: 'delete-preset-alert', requirement: 'PRESET-DELETE-REMOVES' }),
  removesRule({ type: 'exclusion', operation: 'delete-exclusion', requirement: 'EXCLUSION-DELETE-REMOVES' }),
  appearsRule({
    type: 'preset-alert',
    operation: 'create-preset-alert',
    about: 'create-preset-alert',
    field: 'name',
    requirement: 'PRESET-CREATE-MAKES',
  }),
  appearsRule({
    type: 'enterprise-key',
    operation: 'create-enterprise-key',
    about: 'list-enterprise-keys',
    field: 'name',
    requirement: 'ENT-KEYS-LIST-ALL',
  }),
  copiesRule,
  sameDayRule,
  switchesRule,
  tapSelectionRule,
]

function stringAt(value: unknown, pointer: string): string | undefined {
  const found = at(value, pointer)
  return typeof found === 'string' ? found : undefined
}
