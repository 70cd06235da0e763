import { type Claim, decide, held, type Judgement } from '../../core/judgement.ts'
import { carries, fieldEdge, mayBeDisconnected, readerOf, recordIn } from '../../core/reads.ts'
import { mayBeHidden, resembles } from '../../core/resembles.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import { shown as inWords } from '../../core/shown.ts'
import { isLeftOpen, losesWithin, NONE_SHOWN } from '../../core/shown-fields.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import type { Fields, KnownRecord, Write } from '../../known/fields.ts'
import { followsRefusals } from '../../known/refusals.ts'

export interface Update {
  /** operation that replaces one, or makes it */
  readonly operation: string
  readonly type: string
  readonly requirement: string
  /** field -> requirement, where it has one of its own */
  readonly fields?: Readonly<Record<string, string>>
  /** what the values of all other fields are held to, where the text names no more than the verb: then `requirement` says that the update shows at all */
  readonly values?: string
  /** the text leaves open how values are kept: only the field that names the resource has to come back as it was sent */
  readonly normalised?: true
  /** what reads have shown may not vanish all the same */
  readonly stays?: true
  /** gap that names the field with the kind of the thing: whether an update may change it is open, and what it is configured with depends on it */
  readonly kind?: string
}

const NONE: readonly Judgement[] = []

/** The newest write, where its fields are known. */
type Sent = Write & { readonly sent: Fields }

/**
 * What was sent is what a later read shows: TRANSFORM-UPDATE-REPLACES, SOURCE-UPDATE-REPLACES, PLACEMENT-PLACES,
 * REVISION-MOVES (operation rules 1, 2, 5 and 6), PRESET-UPDATE-APPLIES, EXCLUSION-READ and the updates of the section
 * 'What the service does'. Nothing is said of fields that no read of the same thing has shown, nor of values that the
 * binding says are kept in a form of their own.
 */
export function updatedFieldsReadBack(rule: Update): Rule<KnownRecord> {
  return {
    name: `fields of ${rule.operation} read back`,
    operations: (binding) => [readerOf(binding, rule.type, 'read')],
    judge(view, known, oracle) {
      const { write } = known
      if (write?.operation !== rule.operation || !write.sent || view.exchange._start < write.at) return NONE
      if (followsRefusals(view)) return NONE
      const record = view.accepted ? recordIn(view) : undefined
      if (!record) return rule.stays ? judgeMissing(known, write, view, rule, oracle) : NONE
      const seen = rule.values === undefined ? undefined : judgeSeen(known, write as Sent, record, view, rule, oracle)
      if (seen && seen.outcome !== 'held') return [seen]
      const fields = judgeFields(known, write as Sent, record, view, rule, oracle)
      return seen ? [seen, ...fields] : fields
    },
  }
}

function judgeFields(
  known: KnownRecord,
  { sent, exchange, at }: Sent,
  record: Fields,
  view: ExchangeView,
  rule: Update,
  oracle: Oracle,
): Judgement[] {
  const judgements: Judgement[] = []
  const { label, normalises } = oracle.binding.resources.get(rule.type) ?? {}
  const kindField = rule.kind === undefined ? undefined : oracle.binding.answers.get(rule.kind)?.value
  const { caseId } = about(view)
  const exchanges = [exchange, view.id]
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    const read = record[name]
    const exact = rule.normalised !== true || name === label
    const isOpen = exact || rule.stays ? isLeftOpen(record, name, value, known.shown) : read === undefined
    if (isOpen || mayBeDisconnected(name, view, read, value) || dependsOnKind(name, kindField, known, sent, record))
      continue
    const requirement = rule.fields?.[name] ?? rule.values ?? rule.requirement
    if (normalises?.includes(name) && oracle.ledger.get(requirement)?.level === 'declared') continue
    const isLost = rule.stays === true && losesWithin(name, read, value, known.shown)
    const isSame = exact ? carries(read, value, mayBeHidden) : resembles(read, value)
    const claim = { operation: rule.operation, caseId, requirement, edge: fieldEdge(name), exchanges }
    if (isSame && !isLost) {
      judgements.push(held(claim))
      continue
    }
    const message =
      read === undefined
        ? `the field ${name} was shown before, and is not read back any more`
        : `the field ${name} is read back with another value than was sent`
    const fault = { pointer: `/${name}`, message, expected: inWords(value), actual: inWords(read) }
    judgements.push(decide(claim, fault, doubtOf(view, at, oracle)))
  }
  return judgements
}

/** Whether a field is open because the kind that was sent with it is not, or may not be, the kind of the thing. */
function dependsOnKind(name: string, field: unknown, { kind }: KnownRecord, sent: Fields, record: Fields): boolean {
  if (typeof field !== 'string') return false
  if (name === field) return true
  return name === 'user_config' && sent[field] !== undefined && sent[field] !== (record[field] ?? kind)
}

/**
 * What reads have shown, and was changed with success and nothing else, is not there any more. What lies in another thing
 * may have gone with that; in traffic a removal may be what the recording lacks.
 */
function judgeMissing(
  { shown }: KnownRecord,
  { exchange, at }: Write,
  view: ExchangeView,
  { operation, requirement }: Update,
  oracle: Oracle,
): readonly Judgement[] {
  const isMissing = view.conclusive && (view.status === 404 || view.status === 410)
  const isAlone = view.exchange._case !== undefined && Object.keys(view.params).length === 1
  if (!isMissing || !isAlone || shown === NONE_SHOWN) return NONE
  const claim = { ...about(view), operation, requirement, edge: 'there', exchanges: [exchange, view.id] }
  const message = 'what was updated is not there any more'
  const fault = { message, expected: 'what the update sent', actual: `status ${view.status}` }
  return [decide(claim, fault, doubtOf(view, at, oracle))]
}

/**
 * That an update is seen in a later read. Which value a field has afterwards may be the target's choice; but where every
 * field that differs is read just as the write before had sent it, the update has not been carried out. What is read with
 * a third value says neither, unless the binding says that the target keeps the field in a form of its own.
 */
function judgeSeen(
  { before = {} }: KnownRecord,
  { sent, exchange, at }: Sent,
  record: Fields,
  view: ExchangeView,
  { operation, requirement, type }: Update,
  oracle: Oracle,
): Judgement | undefined {
  const isSame = (name: string): boolean => before[name] !== undefined && resembles(before[name], sent[name])
  const telling = Object.keys(sent).filter((name) => record[name] !== undefined && !mayBeHidden(name) && !isSame(name))
  const [first] = telling
  if (first === undefined) return undefined
  const isAsBefore = (name: string): boolean => before[name] !== undefined && carries(record[name], before[name])
  const { normalises } = oracle.binding.resources.get(type) ?? {}
  const isSeen = (name: string): boolean =>
    resembles(record[name], sent[name]) ||
    (normalises?.includes(name) === true && before[name] !== undefined && !isAsBefore(name))
  const claim: Claim = { ...about(view), operation, requirement, edge: 'seen', exchanges: [exchange, view.id] }
  if (telling.some(isSeen)) return held(claim)
  if (!telling.every(isAsBefore)) return undefined
  return decide(
    claim,
    {
      pointer: `/${first}`,
      message: 'an update was accepted, and a later read shows nothing of it',
      expected: inWords(sent[first]),
      actual: `${inWords(record[first])}, as it was sent before`,
    },
    doubtOf(view, at, oracle),
  )
}
