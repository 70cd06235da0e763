import { type Collection, collections } from '../schemas/service.ts'
import { pipelineOfState } from './core/reads.ts'
import type { HistoryRule, Rule } from './core/rule.ts'
import { fieldsOf, type KnownRecord, kindOf, type RecordKind } from './known/fields.ts'
import { listedFieldsOf } from './known/listed-fields.ts'
import { historyOf } from './known/part.ts'
import { archiving, archivingReadBack } from './topics/configuration/archiving-read-back.ts'
import {
  listedFieldsShown,
  madeFieldsShown,
  readFieldsStay,
  unsentFieldsStay,
  updatedFieldsReadBack,
} from './topics/general/fields-read-back.ts'
import { refusedIsNotCarriedOut } from './topics/general/refused-is-not-carried-out.ts'
import { processingStatus, statesAreTwo, switchShows } from './topics/pipelines/switch-shows.ts'

/** A kind of records, and the questions that are asked about their fields. */
type Records = readonly [kind: RecordKind, ...rules: Rule<KnownRecord>[]]

function nodes(type: 'transform' | 'source', requirement: string, kind: string): Records {
  const operation = `update-${type}`
  return [
    kindOf(type, [operation], { kind, standing: 'in runs' }),
    updatedFieldsReadBack(type, operation, requirement, { kind }),
    refusedIsNotCarriedOut(operation, requirement),
    ...shownWhenMade(type),
  ]
}

const route = { operation: 'update-gateway-route', fields: ['title', 'description', 'legacy_routing'] }
const variables = { operation: 'update-state-variables', changesItself: true } as const
const exclusion = { operation: 'update-exclusion', normalised: true } as const
const loosely = { normalised: true, stays: true } as const

/** Kinds of which the text says more than that they are made, read and updated. */
const special: readonly Records[] = [
  nodes('transform', 'TRANSFORM-UPDATE-REPLACES', 'GAP-TRANSFORM-KIND-FIELD'),
  nodes('source', 'SOURCE-UPDATE-REPLACES', 'GAP-SOURCE-KIND-FIELD'),
  [
    kindOf('preset-alert', ['update-preset-alert'], { before: true, standing: 'in runs' }),
    updatedFieldsReadBack('preset-alert', 'update-preset-alert', 'PRESET-UPDATE-APPLIES', {
      ...loosely,
      fields: { name: 'PRESET-UPDATE-APPLIES' },
      values: 'PRESET-READ',
    }),
    refusedIsNotCarriedOut('update-preset-alert', 'PRESET-UPDATE-APPLIES', { channels: 'PRESET-READ' }),
  ],
  [
    kindOf('placed-group', ['switch-group-revision'], { standing: 'always' }),
    updatedFieldsReadBack('placed-group', 'add-group-to-pipeline', 'PLACEMENT-PLACES', {
      fields: { deploy_type: 'PLACEMENT-READ' },
    }),
    updatedFieldsReadBack('placed-group', 'switch-group-revision', 'REVISION-MOVES', {
      fields: { inputs: 'REVISION-INPUTS-SET' },
    }),
    readFieldsStay({ operation: 'add-group-to-pipeline', fields: ['inputs'] }, 'PLACEMENT-READ'),
    refusedIsNotCarriedOut('switch-group-revision', 'REVISION-MOVES'),
  ],
  [
    kindOf('gateway-route', [route.operation, 'replace-gateway-route'], { partial: route, standing: 'in runs' }),
    unsentFieldsStay(route, 'ROUTE-PATCH-APPLIES', 'ROUTE-PATCH-PARTIAL'),
    refusedIsNotCarriedOut(route.operation, 'ROUTE-PATCH-APPLIES'),
    ...shownWhenMade('gateway-route'),
  ],
  [
    kindOf('exclusion', [exclusion.operation], { partial: exclusion }),
    updatedFieldsReadBack('exclusion', 'create-exclusion', 'EXCLUSION-READ', { normalised: true }),
    unsentFieldsStay(exclusion, 'EXCLUSION-UPDATE', 'EXCLUSION-UPDATE'),
  ],
  [
    {
      name: 'state variables',
      reader: () => 'get-state-variables',
      writers: () => [variables.operation],
      id: pipelineOfState,
      sent: '/state',
      free: true,
      partial: variables,
      standing: 'always',
    },
    unsentFieldsStay(variables, 'STATEVAR-APPLIES', 'STATEVAR-PARTIAL'),
    readFieldsStay(variables, 'STATEVAR-READ'),
    refusedIsNotCarriedOut(variables.operation, 'STATEVAR-APPLIES'),
  ],
  [
    processingStatus,
    switchShows,
    statesAreTwo,
    refusedIsNotCarriedOut('update-processing-status', 'PROCESSING-STATUS-SWITCHES'),
  ],
  [archiving, archivingReadBack],
]

function shownWhenMade(type: string): Rule<KnownRecord>[] {
  const { read, readFields } = collections.find((one) => one.type === type) ?? {}
  return read === undefined ? [] : [madeFieldsShown(type, read, readFields)]
}

/** A new thing is read as it was sent, and so is an update. */
function plain({ type, update, others, updated, values }: Collection): Records {
  const changes = update === undefined ? others : [update, ...others]
  const kind = kindOf(type, changes, values === undefined ? {} : { before: true })
  if (update === undefined || updated === undefined) return [kind, ...shownWhenMade(type)]
  return [kind, ...shownWhenMade(type), updatedFieldsReadBack(type, update, updated, { ...loosely, values })]
}

const isSpecial = new Set(special.map(([{ name }]) => name))

/** Judgements about the fields of records. */
export const recordRules: readonly HistoryRule<unknown>[] = [
  ...[...special, ...collections.filter(({ type }) => !isSpecial.has(type)).map(plain)].flatMap(([kind, ...rules]) =>
    rules.length === 0 ? [] : [historyOf(fieldsOf(kind), rules) as HistoryRule<unknown>],
  ),
  historyOf(listedFieldsOf('preset-alert', 'update-preset-alert'), [
    listedFieldsShown('preset-alert', 'PRESET-READ'),
  ]) as HistoryRule<unknown>,
]
