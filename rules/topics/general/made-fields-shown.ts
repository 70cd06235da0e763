import { broken, held, type Judgement, unclear, unshown } from '../../core/judgement.ts'
import { unshownField } from '../../core/misfit.ts'
import { carries, fieldEdge, idIn, listedName, mayBeDisconnected, readerOf } from '../../core/reads.ts'
import { resembles } from '../../core/resembles.ts'
import type { Oracle, Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { faultAt } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type Fields, type KnownRecord, recordAfter, type Write } from '../../known/fields.ts'
import { elementsOf, type KnownRecords } from '../../known/listed-fields.ts'

interface Showing {
  readonly type: string
  readonly requirement: string
  /** only these fields are compared; left out: all that were sent */
  readonly only?: readonly string[] | undefined
}

const NONE: readonly Judgement[] = []

/**
 * What was made is read as it was sent: PIPELINE-READ, TRANSFORM-READ, SOURCE-READ, ROUTE-READ, GROUP-READ (section
 * 'Pipelines') and the reads of collections. What an update sent is another rule's matter.
 */
export function madeFieldsShown(type: string, requirement: string, only?: readonly string[]): Rule<KnownRecord> {
  const rule = { type, requirement, only }
  return {
    name: `fields of a new ${type} are shown`,
    operations: (binding) => [readerOf(binding, type, 'read')],
    judge(view, { write }, oracle) {
      const isMade = write?.operation === oracle.binding.resources.get(type)?.create
      return isMade && write ? judgeRead(write, view, rule, oracle) : NONE
    },
  }
}

/**
 * The same of things whose lists show the whole of their elements, and whose creation does not tell the id: PRESET-READ
 * (section 'Preset alerts'). A list is held to what the newest update sent as well.
 */
export function listedFieldsShown(type: string, requirement: string): Rule<KnownRecords> {
  const rule = { type, requirement }
  return {
    name: `fields of each ${type} are shown`,
    judge(view, known, oracle) {
      const { create, read, list } = oracle.binding.resources.get(type) ?? {}
      const operation = view.operation?.id
      if (operation === list) {
        const found = elementsOf(view, known, type, oracle)
        return found.flatMap(({ write, element }) => judgeShown(write, element, view, rule, oracle))
      }
      if (operation !== read) return NONE
      const write = known.byId.get(idIn(view, oracle.binding, type) ?? '')
      return write?.operation === create && write ? judgeRead(write, view, rule, oracle) : NONE
    },
  }
}

function judgeRead(write: Write, view: ExchangeView, rule: Showing, oracle: Oracle): readonly Judgement[] {
  const record = recordAfter(write, view)
  return record ? judgeShown(write, record, view, rule, oracle) : NONE
}

function judgeShown(
  write: Write,
  record: Fields,
  view: ExchangeView,
  { type, requirement, only }: Showing,
  oracle: Oracle,
): readonly Judgement[] {
  const { sent = {}, at } = write
  const { label, normalises } = oracle.binding.resources.get(type) ?? {}
  const isOpen = (name: string): boolean =>
    record[name] === undefined ||
    normalises?.includes(name) === true ||
    only?.includes(name) === false ||
    mayBeDisconnected(name, view, record[name], sent[name])
  const isSame = (name: string): boolean =>
    name === label
      ? carries(listedName(record[name], view), listedName(sent[name], view))
      : resembles(record[name], sent[name])
  const compared = Object.keys(sent).filter((name) => !isOpen(name))
  if (compared.length === 0) {
    const hidden = Object.keys(sent).find((name) => record[name] === undefined && only?.includes(name) !== false)
    return hidden === undefined ? NONE : [unshown(claimOf(write, view, requirement), unshownField(view, hidden))]
  }
  const name = compared.find((one) => !isSame(one))
  if (name === undefined) return [held(claimOf(write, view, requirement))]
  const doubt = doubtOf(view, at, oracle)
  if (doubt !== undefined) return [unclear(claimOf(write, view, requirement), doubt)]
  const message = `the field ${name} is shown with another value than was written`
  return [broken(claimOf(write, view, requirement, fieldEdge(name)), faultAt(name, message, sent[name], record[name]))]
}
