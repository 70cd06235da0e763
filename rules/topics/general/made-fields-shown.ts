import { decide, type Judgement } from '../../core/judgement.ts'
import { carries, idIn, listedName, mayBeDisconnected, readerOf, recordIn } from '../../core/reads.ts'
import { resembles } from '../../core/resembles.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Fields, KnownRecord, Write } from '../../known/fields.ts'
import { elementsOf, type KnownRecords } from '../../known/listed-fields.ts'

export interface Showing {
  readonly type: string
  readonly requirement: string
  /** only these fields are compared; left out: all that were sent */
  readonly only?: readonly string[]
}

const NONE: readonly Judgement[] = []

/**
 * What was made is read as it was sent: PIPELINE-READ, TRANSFORM-READ, SOURCE-READ, ROUTE-READ, GROUP-READ (section
 * 'Pipelines') and the reads of collections. What an update sent is another rule's matter.
 */
export function madeFieldsShown(rule: Showing): Rule<KnownRecord> {
  return {
    name: `fields of a new ${rule.type} are shown`,
    operations: (binding) => [readerOf(binding, rule.type, 'read')],
    judge(view, { write }, oracle) {
      const isMade = write?.operation === oracle.binding.resources.get(rule.type)?.create
      return isMade && write ? judgeRead(write, view, rule, oracle) : NONE
    },
  }
}

/**
 * The same of things whose lists show the whole of their elements, and whose creation does not tell the id: PRESET-READ
 * (section 'Preset alerts'). A list is held to what the newest update sent as well.
 */
export function listedFieldsShown(rule: Showing): Rule<KnownRecords> {
  return {
    name: `fields of each ${rule.type} are shown`,
    judge(view, known, oracle) {
      const { create, read, list } = oracle.binding.resources.get(rule.type) ?? {}
      const operation = view.operation?.id
      if (operation === list) {
        const found = elementsOf(view, known, rule.type, oracle)
        return found.flatMap(({ write, element }) => judgeShown(write, element, view, rule, oracle))
      }
      if (operation !== read) return NONE
      const write = known.byId.get(idIn(view, oracle.binding, rule.type) ?? '')
      return write?.operation === create && write ? judgeRead(write, view, rule, oracle) : NONE
    },
  }
}

function judgeRead(write: Write, view: ExchangeView, rule: Showing, oracle: Oracle): readonly Judgement[] {
  const record = view.accepted && view.exchange._start >= write.at ? recordIn(view) : undefined
  return record ? judgeShown(write, record, view, rule, oracle) : NONE
}

function judgeShown(
  { sent = {}, operation, exchange, at }: Write,
  record: Fields,
  view: ExchangeView,
  { type, requirement, only }: Showing,
  oracle: Oracle,
): readonly Judgement[] {
  const { label, normalises } = oracle.binding.resources.get(type) ?? {}
  const compared = Object.keys(sent).filter(
    (name) =>
      record[name] !== undefined &&
      !normalises?.includes(name) &&
      (only?.includes(name) ?? true) &&
      !mayBeDisconnected(name, view, record[name], sent[name]),
  )
  if (compared.length === 0) return NONE
  const name = compared.find(
    (field) =>
      !(field === label
        ? carries(listedName(record[field], view), listedName(sent[field], view))
        : resembles(record[field], sent[field])),
  )
  const claim = { ...about(view), operation, requirement, exchanges: [exchange, view.id] }
  if (name === undefined) return [decide(claim, undefined, undefined)]
  const doubt = doubtOf(view, at, oracle)
  const message = `the field ${name} is shown with another value than was written`
  const fault = { pointer: `/${name}`, message, expected: shown(sent[name]), actual: shown(record[name]) }
  return [decide(doubt === undefined ? { ...claim, edge: `field ${name}` } : claim, fault, doubt)]
}
