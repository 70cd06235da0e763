import { operationsOn, operationsWhere } from '../../schemas/service.ts'
import { EXPORTING, type ExchangeView, exportOf, SENDING } from '../core/view.ts'
import { type Batch, Batches, MOST_LINES, takenIn } from './batches.ts'
import { EXCLUSIONS, Exclusion, learnExclusion } from './exclusions.ts'
import { Exports, learnPage } from './exports.ts'
import { isMarked, type Line, sentLines } from './lines.ts'
import type { Part } from './part.ts'
import { type Selection, selects, shownIn } from './selection.ts'
import { usageOperations } from './usage.ts'

/** Lines that the target took in one request. */
export interface Sent extends Batch {
  readonly taken: readonly Taken[]
  /** something that may drop new lines was done before: whether they are stored is the matter of rules about that */
  readonly mayBeDropped: boolean
}

/** A line that was taken. */
export interface Taken {
  readonly line: Line
  readonly batch: Sent
  /** it was taken before as well */
  readonly again: boolean
  /** export v2 has shown it since */
  paged: boolean
  /** an export of a period with two ends has shown it since */
  closed: boolean
}

/** What is known of the lines of an account. */
export class LinesKnown {
  readonly sent: Batches<Sent> = new Batches()
  /** by the ids of lines, as far as their batches are kept */
  readonly taken: Map<string, Taken> = new Map()
  /** marks of lines whose request was not answered with success: they may be stored all the same, and were sent again */
  readonly unsure: Set<string> = new Set()
  /** when the newest lines were taken, milliseconds since the epoch */
  newest: number = 0
  /** something was forgotten: a line may have been sent before */
  forgetful: boolean = false
  /** something was done that may drop new lines */
  mayDrop: boolean = false
  /** tags that exports have shown at lines of a run that have several: how many a target keeps of each is not stated */
  readonly tags: Set<string> = new Set()
  readonly exclusion: Exclusion = new Exclusion()
  readonly exports: Exports = new Exports()
}

/** Operations after which new lines may be dropped. */
const DROPPING = [
  ...operationsOn('exclusion', 'create', 'update'),
  ...operationsWhere(({ call }) => call !== undefined && call !== 'resume'),
]
const OPERATIONS = new Set([...SENDING, ...EXPORTING, ...DROPPING, ...EXCLUSIONS, ...usageOperations])

/** The lines that were sent, what exports have shown of them, and what may have kept them from being stored. */
export const linesPart: Part<LinesKnown> = {
  name: 'lines',
  bound: 1_000,
  // Lines are added and never changed: the times show overlaps.
  overlap: 'own',
  others: [
    ...['LINES-COME-OUT', 'EXPORT-V2-FROM-ZERO', 'EXPORT-V2-TO-ZERO', 'EXPORT-V2-COMPLETE', 'EXPORT-V2-ONCE'],
    ...['EXPORT-V1-PREFER', 'EXPORT-V2-PREFER'],
    ...['EXCLUSION-DROPS', 'EXCLUSION-OTHERS-STAY', 'EXCLUSION-STORED-STAY', 'EXCLUSION-DELETE-STORES'],
    ...['USAGE-V1-BY-APP', 'USAGE-V1-BY-HOST', 'USAGE-V1-PERIOD', 'USAGE-TAGS-AGGREGATES', 'USAGE-TAGS-PERIOD'],
    ...['USAGE-V2-BY-APP', 'USAGE-V2-BY-HOST', 'USAGE-V2-BY-TAG', 'USAGE-V2-STORED'],
  ],
  operations: () => [...OPERATIONS],
  key: () => 'lines',
  init: () => new LinesKnown(),
  learn(known, view, { binding }) {
    const { id = '', verb, type } = view.operation ?? {}
    if (verb === 'send') learnSent(known, view)
    else if (verb === 'export') learnShown(known, view)
    else if (DROPPING.includes(id)) known.mayDrop = true
    if (type === 'exclusion') learnExclusion(known.exclusion, view, binding)
  },
}

function learnSent(known: LinesKnown, view: ExchangeView): void {
  const batch = takenIn(view)
  if (batch) {
    const taken: Taken[] = []
    const sent: Sent = { ...batch, taken, mayBeDropped: known.mayDrop }
    known.newest = batch.end
    for (const line of batch.lines) {
      const { paged = false, closed = false } = known.taken.get(line.id) ?? {}
      const one: Taken = { line, batch: sent, again: known.taken.has(line.id), paged, closed }
      taken.push(one)
      known.taken.set(line.id, one)
    }
    for (const old of known.sent.add(sent)) {
      known.forgetful = true
      for (const one of old.taken) if (known.taken.get(one.line.id) === one) known.taken.delete(one.line.id)
    }
  } else if (!view.accepted && view.status !== 400 && view.exchange._case !== undefined) {
    for (const line of sentLines(view) ?? []) if (isMarked(line)) known.unsure.add(line.id)
    if (known.unsure.size > MOST_LINES) known.forgetful = true
    if (known.forgetful) known.unsure.clear()
  }
}

function learnShown(known: LinesKnown, view: ExchangeView): void {
  const { marked, selection } = shownIn(view) ?? {}
  const paged = exportOf(view) === 2
  const closed = selection?.token === undefined && selection?.from !== 0 && selection?.to !== 0
  marked?.forEach(({ id, sender }) => {
    const taken = known.taken.get(id)
    if (taken && paged) taken.paged = true
    if (taken && closed) taken.closed = true
    if (sender && sender.tags.length > 1 && view.exchange._case !== undefined)
      for (const tag of sender.tags) known.tags.add(tag)
  })
  if (paged) learnPage(known.exports, view)
}

/** The lines that were taken before an export was asked for and belong to it, unless something may have dropped them. */
export function expectedIn({ sent }: LinesKnown, selection: Selection, view: ExchangeView): Taken[] {
  const found: Taken[] = []
  for (const batch of sent.all) {
    if (batch.mayBeDropped || batch.end > view.exchange._start) continue
    for (const one of batch.taken) if (selects(selection, one.line)) found.push(one)
  }
  return found
}

/** When the newest of some lines were taken, milliseconds since the epoch. */
export function newestOf(lines: readonly Taken[]): number {
  return lines.reduce((newest, { batch }) => Math.max(newest, batch.end), 0)
}
