import { decide, held, type Judgement, unshown } from '../../core/judgement.ts'
import { unshownField } from '../../core/misfit.ts'
import { carries, fieldEdge, idIn, listedName, mayBeDisconnected, readerOf } from '../../core/reads.ts'
import { isSecretName, mayBeHidden, resembles } from '../../core/resembles.ts'
import type { Oracle, Rule } from '../../core/rule.ts'
import { isLeftOpen, isNeedless, losesWithin, NONE_SHOWN } from '../../core/shown-fields.ts'
import type { ExchangeView } from '../../core/view.ts'
import { faultAt } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import {
  claimOf,
  compareParts,
  type Fields,
  type KnownRecord,
  type RecordWrite,
  recordAfter,
  stands,
  type Write,
} from '../../known/fields.ts'
import { elementsOf, type KnownRecords } from '../../known/listed-fields.ts'
import { followsRefusals } from '../../known/refusals.ts'

const NONE: readonly Judgement[] = []

/**
 * A later read shows the sent values: TRANSFORM-UPDATE-REPLACES, SOURCE-UPDATE-REPLACES, PLACEMENT-PLACES,
 * REVISION-MOVES (operation rules 1, 2, 5 and 6), PRESET-UPDATE-APPLIES, EXCLUSION-READ and the updates of the section
 * 'What the service does'. Fields that no read of the same thing has shown are not judged. Nor are values that the
 * target keeps in a form of its own, as the binding says.
 */
export function updatedFieldsReadBack(rule: RecordWrite): Rule<KnownRecord> {
  return {
    operations: (binding) => [readerOf(binding, rule.resource, 'read')],
    judge(view, known, oracle) {
      const { write } = known
      if (write?.operation !== rule.id || !write.sent || followsRefusals(view)) return NONE
      const record = recordAfter(write, view)
      if (!record) return rule.verb === 'update' ? judgeMissing(known, write, view, rule, oracle) : NONE
      const reading = { known, write, record, view, rule, oracle }
      const seen = rule.values === undefined ? undefined : judgeSeen(reading)
      if (seen && seen.outcome !== 'held') return [seen]
      const judged = [...(seen ? [seen] : []), ...judgeFields(reading)]
      return [...judged, ...judgeUnshown(reading, judged)]
    },
  }
}

/** A record that is read after a write. */
interface Reading {
  readonly known: KnownRecord
  readonly write: Write
  readonly record: Fields
  readonly view: ExchangeView
  readonly rule: RecordWrite
  readonly oracle: Oracle
}

function judgeFields({ known, write, record, view, rule, oracle }: Reading): Judgement[] {
  const judgements: Judgement[] = []
  const { sent = {}, at } = write
  // Which values an update keeps as they were sent is not stated; those that reads have shown may not vanish.
  const isUpdate = rule.verb === 'update'
  const { label, normalises } = oracle.binding.resources.get(rule.resource) ?? {}
  const kindField = rule.kind === undefined ? undefined : oracle.binding.answers.get(rule.kind.gap)?.value
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    const read = record[name]
    const exact = !(isUpdate || rule.open) || name === label
    const isOpen = exact || isUpdate ? isLeftOpen(record, name, value, known.shown) : read === undefined
    if (isOpen || mayBeDisconnected(name, view, read, value) || dependsOnKind(name, kindField, known, sent, record))
      continue
    const requirement = rule.fields?.[name] ?? rule.values ?? rule.applies
    if (normalises?.includes(name) && oracle.ledger.get(requirement)?.level === 'declared') continue
    const isLost = isUpdate && losesWithin(name, read, value, known.shown)
    const isSame = exact ? carries(read, value, mayBeHidden) : resembles(read, value)
    const claim = claimOf(write, view, requirement, fieldEdge(name))
    const how =
      read === undefined
        ? 'was shown before, but is not read back any more'
        : 'is read back with another value than was sent'
    if (isSame && !isLost) judgements.push(held(claim))
    else
      judgements.push(decide(claim, faultAt(name, `the field ${name} ${how}`, value, read), doubtOf(view, at, oracle)))
  }
  return judgements
}

/** Requirements of which nothing could be said, as no read has shown the fields that would tell. */
function judgeUnshown({ known, write, record, view, rule }: Reading, judged: readonly Judgement[]): Judgement[] {
  const fields = new Map<string, string>()
  const sent = Object.entries(write.sent ?? {})
  // One field that is shown tells whether an update is seen at all.
  if (rule.values !== undefined && sent.some(([name]) => record[name] !== undefined)) return []
  for (const [name, value] of sent) {
    if (record[name] !== undefined || known.shown.has(name) || isNeedless(value) || isSecretName(name)) continue
    const own = rule.fields?.[name]
    for (const requirement of own === undefined ? [rule.values ?? rule.applies, rule.applies] : [own])
      if (!fields.has(requirement)) fields.set(requirement, name)
  }
  return [...fields]
    .filter(([requirement]) => judged.every((one) => one.requirement !== requirement))
    .map(([requirement, name]) => unshown(claimOf(write, view, requirement), unshownField(view, name)))
}

/** Whether a field is open because the kind that was sent with it is not, or may not be, the kind of the thing. */
function dependsOnKind(name: string, field: unknown, { kind }: KnownRecord, sent: Fields, record: Fields): boolean {
  if (typeof field !== 'string') return false
  if (name === field) return true
  return name === 'user_config' && sent[field] !== undefined && sent[field] !== (record[field] ?? kind)
}

/**
 * What reads have shown, and was changed with success and nothing else, is not there any more. A thing inside another
 * one may have gone with that. In traffic the recording may lack its removal.
 */
function judgeMissing(
  { shown }: KnownRecord,
  write: Write,
  view: ExchangeView,
  { applies }: RecordWrite,
  oracle: Oracle,
): readonly Judgement[] {
  const isMissing = view.conclusive && (view.status === 404 || view.status === 410)
  const isAlone = view.exchange._case !== undefined && Object.keys(view.params).length === 1
  if (!isMissing || !isAlone || shown === NONE_SHOWN || view.exchange._start < write.at) return NONE
  const message = 'the updated resource is gone'
  const fault = { message, expected: 'what the update sent', actual: `status ${view.status}` }
  return [decide(claimOf(write, view, applies, 'there'), fault, doubtOf(view, write.at, oracle))]
}

/**
 * That an update is seen in a later read. The target may choose the later value of a field. But if every different
 * field is read just as the write before had sent it, the update was not carried out. A third value says neither,
 * unless the binding says that the target keeps the field in a form of its own.
 */
function judgeSeen({ known, write, record, view, rule, oracle }: Reading): Judgement | undefined {
  const { before = {} } = known
  const { sent = {}, at } = write
  const { normalises } = oracle.binding.resources.get(rule.resource) ?? {}
  const isSame = (name: string): boolean => before[name] !== undefined && resembles(before[name], sent[name])
  const isAsBefore = (name: string): boolean => before[name] !== undefined && carries(record[name], before[name])
  const isSeen = (name: string): boolean =>
    resembles(record[name], sent[name]) ||
    (normalises?.includes(name) === true && before[name] !== undefined && !isAsBefore(name))
  const comparable = Object.keys(sent).filter(
    (name) => record[name] !== undefined && !mayBeHidden(name) && !isSame(name),
  )
  const [first] = comparable
  if (first === undefined) return undefined
  const claim = claimOf(write, view, rule.applies, 'seen')
  if (comparable.some(isSeen)) return held(claim)
  if (!comparable.every(isAsBefore)) return undefined
  const message = 'an update was accepted, but a later read shows nothing of it'
  const fault = faultAt(first, message, sent[first], record[first])
  return decide(claim, { ...fault, actual: `${fault.actual}, as it was sent before` }, doubtOf(view, at, oracle))
}

/** A thing that runs may change itself. In recorded traffic another value is undecided. */
function doubtOfPart(view: ExchangeView, write: Write, part: RecordWrite, oracle: Oracle): string | undefined {
  const isFree = part.runs === true && view.exchange._case === undefined
  return isFree ? 'not judged: what runs may have changed it meanwhile' : doubtOf(view, write.at, oracle)
}

/**
 * A partial update changes what it sends, and leaves the rest as `leaves` says: ROUTE-PATCH-APPLIES and
 * ROUTE-PATCH-PARTIAL (operation rule 7), STATEVAR-APPLIES and STATEVAR-PARTIAL (operation rule 9), EXCLUSION-UPDATE.
 */
export function unsentFieldsStay(partial: RecordWrite, leaves: string): Rule<KnownRecord> {
  return {
    judge(view, known, oracle) {
      const write = known.parts?.write
      const record = followsRefusals(view) ? undefined : recordAfter(write, view)
      if (!write || !record) return NONE
      // A PUT may replace: whether it does is open.
      const replaces = oracle.binding.operations.get(partial.id)?.method === 'PUT'
      const parts = compareParts(known, record, partial).filter(({ wasSent }) => wasSent || !replaces)
      return parts.map(({ name, wasSent, value, isCarried }) => {
        const claim = wasSent
          ? claimOf(write, view, partial.applies, `sent ${name}`)
          : claimOf(write, view, leaves, `not sent ${name}`)
        if (isCarried) return decide(claim, undefined, undefined)
        const message = wasSent ? `${name} was sent and is not read back` : `${name} was not sent and did not stay`
        return decide(claim, faultAt(name, message, value, record[name]), doubtOfPart(view, write, partial, oracle))
      })
    },
  }
}

/**
 * What was written and has been read once is what every later read shows, until it is written again: STATEVAR-READ and
 * PLACEMENT-READ (section 'Pipelines'). Whether the first read shows it is another rule's matter.
 */
export function readFieldsStay(part: RecordWrite, requirement: string): Rule<KnownRecord> {
  const { id: operation, kept } = part
  return {
    judge(view, { write, standing }, oracle) {
      if (write?.operation !== operation || !write.sent || !standing || followsRefusals(view)) return NONE
      const { sent } = write
      const { stood } = standing
      const names = Object.keys(sent).filter((name) => kept?.includes(name) ?? true)
      const [first] = names
      if (first === undefined || !names.every((name) => stood.has(name))) return NONE
      const record = recordAfter(write, view)
      if (!record) return NONE
      const strange = names.find((name) => !stands(name, record[name], sent[name], view))
      const name = strange ?? first
      const claim = {
        ...claimOf(write, view, requirement),
        exchanges: [write.exchange, stood.get(name) ?? '', view.id],
      }
      const message = `${name} is read with the value that was written, and with another one later`
      const fault = strange === undefined ? undefined : faultAt(name, message, sent[name], record[name])
      return [decide(claim, fault, doubtOfPart(view, write, part, oracle))]
    },
  }
}

interface Showing {
  readonly type: string
  readonly requirement: string
  /** only these fields are compared; left out: all that were sent */
  readonly only?: readonly string[] | undefined
}

/**
 * A new thing is read as it was sent: PIPELINE-READ, TRANSFORM-READ, SOURCE-READ, ROUTE-READ, GROUP-READ (section
 * 'Pipelines') and the reads of collections. What an update sent is another rule's matter.
 */
export function madeFieldsShown(type: string, requirement: string, only?: readonly string[]): Rule<KnownRecord> {
  const rule = { type, requirement, only }
  return {
    operations: (binding) => [readerOf(binding, type, 'read')],
    judge(view, { write }, oracle) {
      const isMade = write?.operation === oracle.binding.resources.get(type)?.create
      return isMade && write ? judgeRead(write, view, rule, oracle) : NONE
    },
  }
}

/**
 * The same of things whose lists show the whole of their elements, and whose creation does not tell the id: PRESET-READ
 * (section 'Preset alerts'). A list has to show the newest update as well. `update`: of other things an update alone is
 * seen in the list, where the target has no read of one thing.
 */
export function listedFieldsShown(type: string, requirement: string, update?: string): Rule<KnownRecords> {
  const rule = { type, requirement }
  return {
    judge(view, known, oracle) {
      const { create, read = '', list } = oracle.binding.resources.get(type) ?? {}
      const operation = view.operation?.id
      if (update !== undefined && (operation !== list || oracle.binding.operations.get(read)?.offered)) return NONE
      if (operation === list) {
        const found = elementsOf(view, known, type, oracle)
        return found.flatMap(({ write, element }) =>
          (update ?? write.operation) === write.operation ? judgeShown(write, element, view, rule, oracle) : [],
        )
      }
      const write = operation === read ? known.byId.get(idIn(view, oracle.binding, type) ?? '') : undefined
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
  // Whether the letter case of an address matters is open (GAP-MEMBER-CASE).
  const asShown = (value: unknown): unknown => {
    const name = listedName(value, view)
    return type === 'member' && typeof name === 'string' ? name.toLowerCase() : name
  }
  const isSame = (name: string): boolean =>
    name === label ? carries(asShown(record[name]), asShown(sent[name])) : resembles(record[name], sent[name])
  const compared = Object.keys(sent).filter((name) => !isOpen(name))
  if (compared.length === 0) {
    const hidden = Object.keys(sent).find((name) => record[name] === undefined && only?.includes(name) !== false)
    return hidden === undefined ? NONE : [unshown(claimOf(write, view, requirement), unshownField(view, hidden))]
  }
  const name = compared.find((one) => !isSame(one))
  if (name === undefined) return [held(claimOf(write, view, requirement))]
  const message = `the field ${name} is shown with another value than was written`
  const fault = faultAt(name, message, sent[name], record[name])
  return [decide(claimOf(write, view, requirement, fieldEdge(name)), fault, doubtOf(view, at, oracle))]
}
