import { decide, held, type Judgement, unshown } from '../../core/judgement.ts'
import { unshownField } from '../../core/misfit.ts'
import { carries, fieldEdge, mayBeDisconnected, readerOf } from '../../core/reads.ts'
import { isSecretName, mayBeHidden, resembles } from '../../core/resembles.ts'
import type { Oracle, Rule } from '../../core/rule.ts'
import { isLeftOpen, isNeedless, losesWithin, NONE_SHOWN } from '../../core/shown-fields.ts'
import type { ExchangeView } from '../../core/view.ts'
import { faultAt } from '../../core/words.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type Fields, type KnownRecord, recordAfter, type Write } from '../../known/fields.ts'
import { followsRefusals } from '../../known/refusals.ts'

interface Update {
  /** operation that replaces one, or makes it */
  readonly operation: string
  readonly type: string
  readonly requirement: string
}

/** What differs between updates. */
export interface Reading {
  /** field -> requirement, where it has one of its own */
  readonly fields?: Readonly<Record<string, string>>
  /** what all other values are held to, where the text names no more than the verb: then the requirement of the update says that it shows at all */
  readonly values?: string | undefined
  /** the text leaves open how values are kept: only the field that names the resource has to come back as it was sent */
  readonly normalised?: true
  /** what reads have shown may not vanish all the same */
  readonly stays?: true
  /** gap that names the field with the kind of the thing: whether an update may change it is open, and what it is configured with depends on it */
  readonly kind?: string
}

const NONE: readonly Judgement[] = []

/**
 * What was sent is what a later read shows: TRANSFORM-UPDATE-REPLACES, SOURCE-UPDATE-REPLACES, PLACEMENT-PLACES,
 * REVISION-MOVES (operation rules 1, 2, 5 and 6), PRESET-UPDATE-APPLIES, EXCLUSION-READ and the updates of the section
 * 'What the service does'. Nothing is said of fields that no read of the same thing has shown, nor of values that the
 * binding says are kept in a form of their own.
 */
export function updatedFieldsReadBack(
  type: string,
  operation: string,
  requirement: string,
  reading: Reading = {},
): Rule<KnownRecord> {
  const rule = { ...reading, type, operation, requirement }
  return {
    name: `fields of ${rule.operation} read back`,
    operations: (binding) => [readerOf(binding, rule.type, 'read')],
    judge(view, known, oracle) {
      const { write } = known
      if (write?.operation !== rule.operation || !write.sent || followsRefusals(view)) return NONE
      const record = recordAfter(write, view)
      if (!record) return rule.stays ? judgeMissing(known, write, view, rule, oracle) : NONE
      const seen = rule.values === undefined ? undefined : judgeSeen(known, write, record, view, rule, oracle)
      if (seen && seen.outcome !== 'held') return [seen]
      const judged = [...(seen ? [seen] : []), ...judgeFields(known, write, record, view, rule, oracle)]
      return [...judged, ...judgeUnshown(known, write, record, view, rule, judged)]
    },
  }
}

function judgeFields(
  known: KnownRecord,
  write: Write,
  record: Fields,
  view: ExchangeView,
  rule: Update & Reading,
  oracle: Oracle,
): Judgement[] {
  const judgements: Judgement[] = []
  const { sent = {}, at } = write
  const { label, normalises } = oracle.binding.resources.get(rule.type) ?? {}
  const kindField = rule.kind === undefined ? undefined : oracle.binding.answers.get(rule.kind)?.value
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
function judgeUnshown(
  { shown: known }: KnownRecord,
  write: Write,
  record: Fields,
  view: ExchangeView,
  rule: Update & Reading,
  judged: readonly Judgement[],
): Judgement[] {
  const fields = new Map<string, string>()
  const sent = Object.entries(write.sent ?? {})
  // One field that is shown tells whether an update is seen at all.
  if (rule.values !== undefined && sent.some(([name]) => record[name] !== undefined)) return []
  for (const [name, value] of sent) {
    if (record[name] !== undefined || known.has(name) || isNeedless(value) || isSecretName(name)) continue
    const own = rule.fields?.[name]
    for (const requirement of own === undefined ? [rule.values ?? rule.requirement, rule.requirement] : [own])
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
 * What reads have shown, and was changed with success and nothing else, is not there any more. What lies in another thing
 * may have gone with that; in traffic a removal may be what the recording lacks.
 */
function judgeMissing(
  { shown }: KnownRecord,
  write: Write,
  view: ExchangeView,
  { requirement }: Update,
  oracle: Oracle,
): readonly Judgement[] {
  const isMissing = view.conclusive && (view.status === 404 || view.status === 410)
  const isAlone = view.exchange._case !== undefined && Object.keys(view.params).length === 1
  if (!isMissing || !isAlone || shown === NONE_SHOWN || view.exchange._start < write.at) return NONE
  const message = 'the updated resource is gone'
  const fault = { message, expected: 'what the update sent', actual: `status ${view.status}` }
  return [decide(claimOf(write, view, requirement, 'there'), fault, doubtOf(view, write.at, oracle))]
}

/**
 * That an update is seen in a later read. Which value a field has afterwards may be the target's choice; but where every
 * field that differs is read just as the write before had sent it, the update has not been carried out. What is read with
 * a third value says neither, unless the binding says that the target keeps the field in a form of its own.
 */
function judgeSeen(
  { before = {} }: KnownRecord,
  write: Write,
  record: Fields,
  view: ExchangeView,
  { requirement, type }: Update,
  oracle: Oracle,
): Judgement | undefined {
  const { sent = {}, at } = write
  const { normalises } = oracle.binding.resources.get(type) ?? {}
  const isSame = (name: string): boolean => before[name] !== undefined && resembles(before[name], sent[name])
  const isAsBefore = (name: string): boolean => before[name] !== undefined && carries(record[name], before[name])
  const isSeen = (name: string): boolean =>
    resembles(record[name], sent[name]) ||
    (normalises?.includes(name) === true && before[name] !== undefined && !isAsBefore(name))
  const telling = Object.keys(sent).filter((name) => record[name] !== undefined && !mayBeHidden(name) && !isSame(name))
  const [first] = telling
  if (first === undefined) return undefined
  const claim = claimOf(write, view, requirement, 'seen')
  if (telling.some(isSeen)) return held(claim)
  if (!telling.every(isAsBefore)) return undefined
  const message = 'an update was accepted, but a later read shows nothing of it'
  const fault = faultAt(first, message, sent[first], record[first])
  return decide(claim, { ...fault, actual: `${fault.actual}, as it was sent before` }, doubtOf(view, at, oracle))
}
