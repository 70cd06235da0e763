import { operationsOn, type ResourceRow, service } from '../schemas/service.ts'
import { pipelineOfState } from './core/reads.ts'
import type { HistoryRule, Rule } from './core/rule.ts'
import { fieldsOf, type KnownRecord, type RecordKind, type RecordWrite } from './known/fields.ts'
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

/** Records of which the store has to know more than the table says, and what is asked about them alone. */
const KINDS: Readonly<Record<string, readonly [kind: RecordKind, ...rules: Rule<KnownRecord>[]]>> = {
  archiving: [archiving, archivingReadBack],
  'state-variables': [{ type: 'state-variables', id: pipelineOfState, free: true }],
  'processing-status': [processingStatus, switchShows, statesAreTwo],
}

/** What the table says of the requests that change the things of a type. */
function writesOf({ type, relations: { updated, values } = {} }: ResourceRow): readonly RecordWrite[] {
  return service().operations.flatMap(({ record, ...row }): RecordWrite[] => {
    if (row.resource !== type) return []
    if (record) return [{ ...row, ...record }]
    const isUpdate = row.verb === 'update' && updated !== undefined
    return isUpdate ? [{ ...row, applies: updated, ...(values !== undefined && { values }) }] : []
  })
}

/** Of the others the text gives no path, and no case has one refused. */
function mayBeRefused({ path, verb }: RecordWrite): boolean {
  return path !== undefined && verb !== 'create'
}

/** What later reads have to show of what one operation sends. */
function rulesOf(write: RecordWrite): readonly Rule<KnownRecord>[] {
  const { verb, leaves, stays } = write
  return [
    ...(leaves === undefined && verb !== 'switch' ? [updatedFieldsReadBack(write)] : []),
    ...(leaves === undefined ? [] : [unsentFieldsStay(write, leaves)]),
    ...(stays === undefined ? [] : [readFieldsStay(write, stays)]),
    ...(mayBeRefused(write) ? [refusedIsNotCarriedOut(write)] : []),
  ]
}

function recordRulesOf(row: ResourceRow): readonly HistoryRule<unknown>[] {
  const { type, relations: { read } = {}, readFields, sent } = row
  const [special, ...more] = KINDS[type] ?? [{ type }]
  const writes = writesOf(row)
  const rules = [
    ...writes.flatMap(rulesOf),
    ...(read === undefined ? [] : [madeFieldsShown(type, read, readFields)]),
    ...more,
  ]
  const keepsAll = writes.some(({ stays }) => stays !== undefined)
  const kind: RecordKind = {
    before: writes.some(({ values }) => values !== undefined),
    ...special,
    sent,
    kind: writes.find((one) => one.kind)?.kind?.gap,
    standing: keepsAll ? 'always' : writes.some(mayBeRefused) ? 'in runs' : undefined,
    partial: writes.find(({ leaves }) => leaves !== undefined),
  }
  return rules.length === 0 ? [] : [historyOf(fieldsOf(kind), rules) as HistoryRule<unknown>]
}

/** Things whose lists show the whole of their elements, and whose creation does not tell the id. */
const LISTED = 'preset-alert'

function listedRules({ type, relations: { updated } = {} }: ResourceRow): readonly HistoryRule<unknown>[] {
  const [update] = operationsOn(type, 'update')
  if (update === undefined || (updated === undefined && type !== LISTED)) return []
  const rule = updated === undefined ? listedFieldsShown(type, 'PRESET-READ') : listedFieldsShown(type, updated, update)
  return [historyOf(listedFieldsOf(type, update), [rule]) as HistoryRule<unknown>]
}

/** Judgements about the fields of records. */
export const recordRules: readonly HistoryRule<unknown>[] = [
  ...service().resources.flatMap(recordRulesOf),
  ...service().resources.flatMap(listedRules),
]
