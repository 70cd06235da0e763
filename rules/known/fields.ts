import { isDeepStrictEqual } from 'node:util'
import { type Binding, operationsFor } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import type { OperationRow, RecordRow } from '../../schemas/types/service.ts'
import type { Claim } from '../core/judgement.ts'
import { carries, idIn, madeBy, mayBeDisconnected, recordIn } from '../core/reads.ts'
import { isRecord } from '../core/request-rules.ts'
import { resembles } from '../core/resembles.ts'
import type { Oracle } from '../core/rule.ts'
import {
  alsoShownWithin,
  isLeftOpen,
  isNeedless,
  NONE_SHOWN,
  type ShownFields,
  writtenFields,
} from '../core/shown-fields.ts'
import { type ExchangeView, isGood, jsonOf, leftAlone, toldAs } from '../core/view.ts'
import { doubtOf } from './doubt.ts'
import type { Part } from './part.ts'
import { followsRefusals, type Refused, refusedIn, withRefused } from './refusals.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Records of one kind, and what the store keeps of each beside its newest write. */
export interface RecordKind {
  readonly type: string
  /** type of the thing that it is a part of, and whose reads show it; left out: it has reads of its own */
  readonly shownBy?: string
  /** the id of the one that an exchange is about; left out: that of the thing */
  id?(view: ExchangeView, binding: Binding): string | undefined
  /** pointer to what is stored in the body of a write; left out: the whole body */
  readonly sent?: string | undefined
  /** clients choose all of its fields; left out: those that the specification or the binding names */
  readonly free?: true
  /** the operation that changes only the sent fields: values are kept field by field */
  readonly partial?: RecordWrite | undefined
  /** gap that names the field with the kind of the thing */
  readonly kind?: string | undefined
  /** keep what the write before the newest one sent */
  readonly before?: boolean
  /** it is one value, in words of the target: where answers show it, and the bodies that are known to set it */
  readonly value?: { readonly name: string; bodies(binding: Binding): readonly unknown[] }
  /** keep which fields were read as they were sent */
  readonly standing?: 'in runs' | 'always' | undefined
  /** there is one in an account */
  readonly single?: true
}

/** An operation that changes a record, and what the table says of it. */
export type RecordWrite = RecordRow & Pick<OperationRow, 'id' | 'resource' | 'verb' | 'path' | 'kind'>

/** An accepted request that changed a record. */
export interface Write {
  readonly operation: string
  readonly exchange: string
  /** milliseconds since the epoch when it was answered */
  readonly at: number
  /** undefined: nobody can know what is stored, or it was removed */
  readonly sent: Fields | undefined
}

/** What is stored of a record that is changed in parts, field by field. */
interface Parts {
  readonly values: Fields
  /** the newest change; undefined where there was none, or a read has contradicted what is known */
  readonly write: Write | undefined
  /**
   * fields that changes have sent since the newest read: after an earlier one, the reason for a missing field is
   * unknown
   */
  readonly unread: ReadonlySet<string>
}

/** What reads say of the fields that the newest write sent, one by one. */
interface Standing {
  /** fields that a read has ever shown as they were sent: only these tell whether something was carried out */
  readonly faithful: Set<string>
  /** those read so since the newest write -> the read that showed it first */
  readonly stood: Map<string, string>
  /** values that a settled read has shown in place of those that were sent */
  readonly other: Map<string, unknown>
  /** refused requests since the newest read */
  refused: readonly Refused[]
}

/** What reads have shown of a record that is one value. */
interface Values {
  /** body sent, as JSON -> what a settled read has shown after it, and the exchanges */
  readonly after: Map<string, { readonly value: unknown; readonly exchanges: readonly string[] }>
  /** each value that was ever read, as JSON -> the first exchange that showed it */
  readonly seen: Map<string, string>
}

/** What is known of one record. Changed in place. */
export class KnownRecord {
  /** the newest change; undefined if the stored value is unknown */
  write: Write | undefined = undefined
  before: Fields | undefined = undefined
  /** what it was made as, or first sent with */
  kind: unknown = undefined
  /** fields that reads have shown so far */
  shown: ShownFields = NONE_SHOWN
  parts: Parts | undefined = undefined
  standing: Standing | undefined = undefined
  values: Values | undefined = undefined
}

/** The part of the store that holds the fields of records of one kind, each by its id. */
export function fieldsOf(kind: RecordKind): Part<KnownRecord> {
  const { type, shownBy = type } = kind
  return {
    name: `fields of ${type}`,
    bound: 10_000,
    others: 'all',
    ...(kind.single && { single: true }),
    operations: (binding) => [
      ...operationsFor(binding, shownBy, 'read', 'remove'),
      ...operationsFor(binding, type, 'create', 'update', 'change', 'switch'),
    ],
    key(view, { binding }) {
      if (kind.id) return kind.id(view, binding)
      return view.operation?.verb === 'create' ? madeBy(view, binding, type) : idIn(view, binding, shownBy)
    },
    init: () => new KnownRecord(),
    knowsNothing: ({ write, before, shown, parts, values }) =>
      !write && !before && !parts && !values && shown === NONE_SHOWN,
    learn(known, view, oracle) {
      if (view.operation?.verb === 'read') learnRead(known, view, kind, oracle)
      else learnWrite(known, view, kind, oracle)
    },
  }
}

/** What an accepted request without a flaw stores; undefined where nobody can know. */
export function storedBy(
  view: ExchangeView,
  oracle: Oracle,
  { sent = '', free }: Pick<RecordKind, 'sent' | 'free'>,
): Fields | undefined {
  if (!isGood(view)) return undefined
  const part = at(jsonOf(view.request), sent)
  if (!isRecord(part)) return undefined
  return free === true ? part : writtenFields(part, view.operation?.id, oracle)
}

/** What is judged of a write, by a read after it. */
export function claimOf({ operation, exchange }: Write, view: ExchangeView, requirement: string, edge?: string): Claim {
  const caseId = view.exchange._case ?? ''
  const exchanges = [exchange, view.id]
  // Each written field by field: there is one for every field of every read, and copies of objects are slow.
  return edge === undefined
    ? { operation, caseId, requirement, exchanges }
    : { operation, caseId, requirement, exchanges, edge }
}

/** What a read has shown that was asked for after a write was answered. */
export function recordAfter(write: Write | undefined, view: ExchangeView): Fields | undefined {
  const isLater = write !== undefined && view.accepted && view.exchange._start >= write.at
  return isLater && view.operation?.effect === 'read' ? recordIn(view) : undefined
}

function learnWrite(known: KnownRecord, view: ExchangeView, kind: RecordKind, oracle: Oracle): void {
  const refused = kind.standing === undefined ? undefined : refusedIn(view)
  if (refused) {
    if (!known.write?.sent || known.write.operation !== view.operation?.id) return
    const part = at(refused.sent, kind.sent ?? '')
    const standing = standingOf(known)
    standing.refused = withRefused(standing.refused, { ...refused, sent: isRecord(part) ? part : {} })
    return
  }
  if (leftAlone(view)) return
  const stored = storedBy(view, oracle, kind)
  const isKnown = kind.value?.bodies(oracle.binding).some((body) => isDeepStrictEqual(body, stored)) ?? true
  const { id = '' } = view.operation ?? {}
  const write: Write | undefined = view.accepted
    ? { operation: id, exchange: view.id, at: view.exchange._end, sent: isKnown ? stored : undefined }
    : undefined
  if (kind.kind !== undefined && view.accepted) known.kind ??= kindIn(view, kind.kind, oracle)
  if (kind.before === true) known.before = isGood(view) ? known.write?.sent : undefined
  if (kind.partial) known.parts = afterWrite(known.parts, write, kind.partial)
  known.write = write
  if (!known.standing) return
  known.standing.stood.clear()
  known.standing.other.clear()
  known.standing.refused = []
}

function kindIn(view: ExchangeView, gap: string, { binding }: Oracle): unknown {
  const field = binding.answers.get(gap)?.value
  const body = jsonOf(view.request)
  return typeof field === 'string' && isRecord(body) ? body[field] : undefined
}

function standingOf(known: KnownRecord): Standing {
  known.standing ??= { faithful: new Set(), stood: new Map(), other: new Map(), refused: [] }
  return known.standing
}

/** Names of fields of one record that are kept. */
const MOST_NAMES = 1_000

function learnRead(known: KnownRecord, view: ExchangeView, kind: RecordKind, oracle: Oracle): void {
  if (kind.value) learnValue(known, valueIn(view, kind.value.name), view, oracle)
  // If nothing is known to compare an answer with, only the first is read, for the fields that it shows.
  const isOfUse = known.write?.sent !== undefined || kind.partial !== undefined || known.shown === NONE_SHOWN
  const record = isOfUse && view.accepted ? recordIn(view) : undefined
  if (!record) return
  if (kind.standing === 'always' || (view.intent && kind.standing)) learnStanding(known, view, record, oracle)
  // A refused change may have been carried out: another rule reports that.
  if (followsRefusals(view)) return
  if (kind.partial) learnParts(known, record, view, kind.partial, kind.free === true, oracle)
  if (known.shown.size < MOST_NAMES) known.shown = alsoShownWithin(known.shown, record)
}

/** The single value that a read shows. An object may hold more than it, such as since when it is so. */
export function valueIn(view: ExchangeView, name: string): unknown {
  const value = view.accepted ? toldAs(view, name) : undefined
  // Nothing is no value.
  return isRecord(value) || value === null || value === '' ? undefined : value
}

/** Values of one record that are kept. */
const MOST_VALUES = 10

function learnValue(known: KnownRecord, value: unknown, view: ExchangeView, oracle: Oracle): void {
  if (value === undefined) return
  known.values ??= { after: new Map(), seen: new Map() }
  const { write, values } = known
  const name = JSON.stringify(value)
  if (values.seen.size < MOST_VALUES && !values.seen.has(name)) values.seen.set(name, view.id)
  if (write?.sent && doubtOf(view, write.at, oracle) === undefined)
    values.after.set(JSON.stringify(write.sent), { value, exchanges: [write.exchange, view.id] })
}

/** Whether a read shows a field as it is known. In traffic, the removal of a node may disconnect those behind it. */
export function stands(name: string, read: unknown, known: unknown, view: ExchangeView): boolean {
  return mayBeDisconnected(name, view, read, known) || carries(read, known)
}

/** What a field has now: as the newest write sent it, or as a read has shown it since. */
export function knownValue({ write, standing }: KnownRecord, name: string): unknown {
  return standing?.other.has(name) ? standing.other.get(name) : write?.sent?.[name]
}

function learnStanding(known: KnownRecord, view: ExchangeView, record: Fields, oracle: Oracle): void {
  const { write } = known
  if (!write?.sent) return
  const standing = standingOf(known)
  const { faithful, stood, other } = standing
  const since = standing.refused.at(-1)?.at ?? write.at
  if (view.exchange._start < since) return
  const isSettled = doubtOf(view, since, oracle) === undefined
  for (const name of Object.keys(write.sent)) {
    if (!stands(name, record[name], knownValue(known, name), view)) {
      if (!isSettled) continue
      other.set(name, record[name])
      stood.delete(name)
    } else if (!other.has(name)) {
      faithful.add(name)
      if (!stood.has(name)) stood.set(name, view.id)
    }
  }
  if (isSettled) standing.refused = []
}

const NO_NAMES: ReadonlySet<string> = new Set()

function afterWrite(parts: Parts | undefined, write: Write | undefined, partial: RecordWrite): Parts | undefined {
  if (!write?.sent || write.operation !== partial.id) return undefined
  const unread = new Set([...(parts?.unread ?? NO_NAMES), ...Object.keys(write.sent)])
  return { values: { ...parts?.values, ...kept(write.sent, partial) }, write, unread }
}

function kept(fields: Fields, { kept: only }: RecordWrite): Fields {
  return only ? Object.fromEntries(Object.entries(fields).filter(([name]) => only.includes(name))) : fields
}

/** How a read compares with what is known field by field, of the fields of which it says anything. */
export interface PartRead {
  readonly name: string
  /** whether the newest change sent it */
  readonly wasSent: boolean
  readonly value: unknown
  readonly isCarried: boolean
}

export function compareParts(
  known: KnownRecord,
  record: Fields,
  { kept: only, open }: RecordWrite,
): readonly PartRead[] {
  const { parts, shown } = known
  const sent = parts?.write?.sent
  if (!parts || !sent) return []
  const isWhole = only === undefined && !open
  const found: PartRead[] = []
  for (const [name, value] of Object.entries(parts.values)) {
    const read = record[name]
    if (!isWhole && isLeftOpen(record, name, value, shown)) continue
    // Answers may leave out what is false, 0 or nothing: that it was not set shows in what stands there still.
    if (only === undefined && read === undefined && isNeedless(value)) continue
    // Whether null is a value, or takes one away, is not shown. For a variable, any value but an empty one is another
    // one.
    const isCleared = value === null && read === undefined
    const isEmptied = isWhole && read === null && value !== null
    const isSame = (open ? resembles : carries)(read, value)
    const isCarried = isCleared || (!isEmptied && isSame)
    const wasSent = Object.hasOwn(sent, name)
    if (isCarried || wasSent || !parts.unread.has(name)) found.push({ name, wasSent, value, isCarried })
  }
  return found
}

/** The next change is compared with the last read: one fault is not found again under another requirement. */
function learnParts(
  known: KnownRecord,
  record: Fields,
  view: ExchangeView,
  partial: RecordWrite,
  isFree: boolean,
  oracle: Oracle,
): void {
  const { parts, write } = known
  const since = write?.at ?? 0
  if (view.exchange._start < since) return
  const differs = compareParts(known, record, partial).some(({ isCarried }) => !isCarried)
  // Where nothing is known to compare it with, it may show the state before a change as well.
  if ((differs || !parts) && doubtOf(view, since, oracle) !== undefined) return
  // Of a whole record, the fields that clients write: others, such as the time of a change, are the target's.
  const written = isFree ? record : writtenFields(record, partial.id, oracle)
  known.parts = { values: kept(written, partial), write: differs ? undefined : parts?.write, unread: NO_NAMES }
}
