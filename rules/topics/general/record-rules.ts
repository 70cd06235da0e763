import { pipelineOfState } from '../../core/reads.ts'
import type { HistoryRule, Rule } from '../../core/rule.ts'
import { fieldsOf, type KnownRecord, kindOf, type RecordKind } from '../../known/fields.ts'
import { listedFieldsOf } from '../../known/listed-fields.ts'
import { historyOf } from '../../known/part.ts'
import { archiving, archivingReadBack } from '../configuration/archiving-read-back.ts'
import { type Collection, collections } from '../configuration/collections.ts'
import { listedFieldsShown, madeFieldsShown } from './made-fields-shown.ts'
import { refusedIsNotCarriedOut } from './refused-is-not-carried-out.ts'
import { readFieldsStay, unsentFieldsStay } from './unsent-fields-stay.ts'
import { type Update, updatedFieldsReadBack } from './updated-fields-read-back.ts'

/** A kind of records, and the questions that are asked about their fields. */
interface Records {
  readonly kind: RecordKind
  readonly rules: readonly Rule<KnownRecord>[]
}

function nodes(type: 'transform' | 'source', requirement: string, kind: string): Records {
  const operation = `update-${type}`
  return {
    kind: kindOf(type, [operation], { kind, standing: 'in runs' }),
    rules: [
      updatedFieldsReadBack({ operation, type, requirement, kind }),
      refusedIsNotCarriedOut({ operation, applies: requirement }),
      ...shownWhenMade(type),
    ],
  }
}

const route = {
  operation: 'update-gateway-route',
  fields: ['title', 'description', 'legacy_routing'],
  applies: 'ROUTE-PATCH-APPLIES',
  partial: 'ROUTE-PATCH-PARTIAL',
}

const variables = {
  operation: 'update-state-variables',
  applies: 'STATEVAR-APPLIES',
  partial: 'STATEVAR-PARTIAL',
}

const exclusion = {
  operation: 'update-exclusion',
  applies: 'EXCLUSION-UPDATE',
  partial: 'EXCLUSION-UPDATE',
  normalised: true,
} as const

/** Kinds of which the text says more than that they are made, read and updated. */
const special: readonly Records[] = [
  nodes('transform', 'TRANSFORM-UPDATE-REPLACES', 'GAP-TRANSFORM-KIND-FIELD'),
  nodes('source', 'SOURCE-UPDATE-REPLACES', 'GAP-SOURCE-KIND-FIELD'),
  {
    kind: kindOf('preset-alert', ['update-preset-alert'], { before: true, within: true, standing: 'in runs' }),
    rules: [
      updatedFieldsReadBack({
        operation: 'update-preset-alert',
        type: 'preset-alert',
        requirement: 'PRESET-UPDATE-APPLIES',
        fields: { name: 'PRESET-UPDATE-APPLIES' },
        values: 'PRESET-READ',
        normalised: true,
        stays: true,
      }),
      refusedIsNotCarriedOut({
        operation: 'update-preset-alert',
        applies: 'PRESET-UPDATE-APPLIES',
        fields: { channels: 'PRESET-READ' },
      }),
    ],
  },
  {
    kind: kindOf('placed-group', ['switch-group-revision'], { standing: 'always' }),
    rules: [
      updatedFieldsReadBack({
        operation: 'add-group-to-pipeline',
        type: 'placed-group',
        requirement: 'PLACEMENT-PLACES',
        fields: { deploy_type: 'PLACEMENT-READ' },
      }),
      updatedFieldsReadBack({
        operation: 'switch-group-revision',
        type: 'placed-group',
        requirement: 'REVISION-MOVES',
        fields: { inputs: 'REVISION-INPUTS-SET' },
      }),
      readFieldsStay({ operation: 'add-group-to-pipeline', requirement: 'PLACEMENT-READ', fields: ['inputs'] }),
      refusedIsNotCarriedOut({ operation: 'switch-group-revision', applies: 'REVISION-MOVES' }),
    ],
  },
  {
    kind: kindOf('gateway-route', ['update-gateway-route', 'replace-gateway-route'], {
      partial: route,
      standing: 'in runs',
    }),
    rules: [
      unsentFieldsStay(route),
      refusedIsNotCarriedOut({ operation: 'update-gateway-route', applies: 'ROUTE-PATCH-APPLIES' }),
      ...shownWhenMade('gateway-route'),
    ],
  },
  {
    kind: kindOf('exclusion', ['update-exclusion'], { partial: exclusion }),
    rules: [
      updatedFieldsReadBack({
        operation: 'create-exclusion',
        type: 'exclusion',
        requirement: 'EXCLUSION-READ',
        normalised: true,
      }),
      unsentFieldsStay(exclusion),
    ],
  },
  {
    kind: {
      name: 'state variables',
      reader: () => 'get-state-variables',
      writers: () => ['update-state-variables'],
      id: pipelineOfState,
      sent: '/state',
      free: true,
      partial: variables,
      standing: 'always',
    },
    rules: [
      unsentFieldsStay(variables),
      readFieldsStay({ operation: 'update-state-variables', requirement: 'STATEVAR-READ' }),
      refusedIsNotCarriedOut({ operation: 'update-state-variables', applies: 'STATEVAR-APPLIES' }),
    ],
  },
  {
    kind: {
      name: 'processing status',
      reader: ({ resources }) => resources.get('pipeline')?.read,
      writers: ({ resources }) => ['update-processing-status', resources.get('pipeline')?.delete],
      id: ({ params }) => params.pipeline_id,
      free: true,
      standing: 'in runs',
    },
    rules: [refusedIsNotCarriedOut({ operation: 'update-processing-status', applies: 'PROCESSING-STATUS-SWITCHES' })],
  },
  { kind: archiving, rules: [archivingReadBack] },
]

function shownWhenMade(type: string): Rule<KnownRecord>[] {
  const { read, readFields } = collections.find((one) => one.type === type) ?? {}
  if (read === undefined) return []
  return [madeFieldsShown({ type, requirement: read, ...(readFields && { only: readFields }) })]
}

/** What was made is read as it was sent, and so is what an update sent. */
function plain({ type, update, others = [], updated, values }: Collection): Records {
  const changes = update === undefined ? others : [update, ...others]
  const kind = kindOf(type, changes, { within: true, ...(values !== undefined && { before: true }) })
  if (update === undefined || updated === undefined) return { kind, rules: shownWhenMade(type) }
  const given: Update = { type, operation: update, requirement: updated, normalised: true, stays: true }
  const rule = updatedFieldsReadBack(values === undefined ? given : { ...given, values })
  return { kind, rules: [...shownWhenMade(type), rule] }
}

const isSpecial = new Set(special.map(({ kind }) => kind.name))

/** What is said of the fields of records. */
export const recordRules: readonly HistoryRule<unknown>[] = [
  ...[...special, ...collections.filter(({ type }) => !isSpecial.has(type)).map(plain)].flatMap(({ kind, rules }) =>
    rules.length === 0 ? [] : [historyOf(fieldsOf(kind), rules) as HistoryRule<unknown>],
  ),
  historyOf(listedFieldsOf('preset-alert', 'update-preset-alert'), [
    listedFieldsShown({ type: 'preset-alert', requirement: 'PRESET-READ' }),
  ]) as HistoryRule<unknown>,
]
