import type { ExchangeView } from '../core/view.ts'
import { type Batch, Batches, MOST_LINES, takenIn } from './batches.ts'
import { EXCLUSIONS, type Exclusion, learnExclusion, noExclusion } from './exclusions.ts'
import { type Exports, learnPage, noExports } from './exports.ts'
import { isMarked, type Line, sentLines } from './lines.ts'
import type { Part } from './part.ts'
import { type Selection, selects, shownIn } from './selection.ts'
import { usageOperations } from './usage.ts'

/** Lines that the target took in one request. */
export interface Sent extends Batch {
  /** something that may drop new lines was done before: whether they are stored is the matter of rules about that */
  readonly mayBeDropped: boolean
}

/** A line that was taken. */
export interface Taken {
  readonly line: Line
  readonly batch: Sent
  /** it was taken before as well */
  readonly again: boolean
}

/** What is known of the lines of an account. */
export interface LinesKnown {
  readonly sent: Batches<Sent>
  /** by the ids of lines, as far as their batches are kept */
  readonly taken: Map<string, Taken>
  /** when the newest lines were taken, milliseconds since the epoch */
  newest: number
  /** mark of a line -> what else is known of it: a sum of `NOTED` */
  readonly noted: Map<string, number>
  /** something was forgotten: what is known of a line may not be all */
  forgetful: boolean
  /** something was done that may drop new lines */
  mayDrop: boolean
  /** tags that exports have shown at lines of a run that have several: how many a target keeps of each is not stated */
  readonly tags: Set<string>
  readonly exclusion: Exclusion
  readonly exports: Exports
}

/**
 * paged: export v2 has shown it. closed: an export has shown it whose period has two ends. unsure: a request with it was
 * not answered with success; it may be stored all the same, and was sent again.
 */
const NOTED = { paged: 1, closed: 2, unsure: 4 } as const

const INGEST = 'ingest-lines'
const EXPORTS: readonly string[] = ['export-v1', 'export-v2']
/** Operations after which new lines may be dropped. */
const DROPPING = new Set(['create-exclusion', 'update-exclusion', 'suspend-ingestion', 'confirm-suspension'])
const OPERATIONS = new Set([INGEST, ...EXPORTS, ...DROPPING, ...EXCLUSIONS, ...usageOperations])

/** The lines that were sent, what exports have shown of them, and what may have kept them from being stored. */
export const linesPart: Part<LinesKnown> = {
  name: 'lines',
  bound: 1_000,
  // Lines are added and never changed: what overlaps is told by the times.
  overlap: 'own',
  others: [
    ...['LINES-COME-OUT', 'EXPORT-V2-FROM-ZERO', 'EXPORT-V2-TO-ZERO', 'EXPORT-V2-COMPLETE', 'EXPORT-V2-ONCE'],
    ...['EXPORT-V1-PREFER', 'EXPORT-V2-PREFER'],
    ...['EXCLUSION-DROPS', 'EXCLUSION-OTHERS-STAY', 'EXCLUSION-STORED-STAY', 'EXCLUSION-DELETE-STORES'],
    ...['USAGE-V1-BY-APP', 'USAGE-V1-BY-HOST', 'USAGE-V1-PERIOD', 'USAGE-TAGS-AGGREGATES', 'USAGE-TAGS-PERIOD'],
    ...['USAGE-V2-BY-APP', 'USAGE-V2-BY-HOST', 'USAGE-V2-BY-TAG', 'USAGE-V2-STORED'],
  ],
  operations: () => [...OPERATIONS],
  key: ({ operation }) => (OPERATIONS.has(operation?.id ?? '') ? 'lines' : undefined),
  init: () => ({
    sent: new Batches(),
    taken: new Map(),
    newest: 0,
    noted: new Map(),
    forgetful: false,
    mayDrop: false,
    tags: new Set(),
    exclusion: noExclusion(),
    exports: noExports(),
  }),
  learn(known, view) {
    const id = view.operation?.id ?? ''
    if (id === INGEST) learnSent(known, view)
    else if (EXPORTS.includes(id)) learnShown(known, view)
    if (DROPPING.has(id)) known.mayDrop = true
    if (EXCLUSIONS.has(id)) learnExclusion(known.exclusion, view)
  },
}

function learnSent(known: LinesKnown, view: ExchangeView): void {
  const taken = takenIn(view)
  if (taken) {
    known.newest = taken.end
    const batch = { ...taken, mayBeDropped: known.mayDrop }
    for (const line of batch.lines) known.taken.set(line.id, { line, batch, again: known.taken.has(line.id) })
    for (const old of known.sent.add(batch)) {
      known.forgetful = true
      for (const { id } of old.lines) if (known.taken.get(id)?.batch === old) known.taken.delete(id)
    }
  } else if (!view.accepted && view.status !== 400 && view.exchange._case !== undefined) {
    for (const line of sentLines(view) ?? []) if (isMarked(line)) note(known, line.id, NOTED.unsure)
  }
}

function learnShown(known: LinesKnown, view: ExchangeView): void {
  const shown = shownIn(view)
  if (shown) {
    const { marked, selection } = shown
    const closed = selection.token === undefined && selection.from !== 0 && selection.to !== 0
    const facts =
      (view.operation?.id === 'export-v2' ? NOTED.paged : 0) |
      (closed && view.intent?.kind !== 'observe' ? NOTED.closed : 0)
    for (const [id, { sender }] of marked) {
      if (facts !== 0) note(known, id, facts)
      if (sender && sender.tags.length > 1 && view.exchange._case !== undefined)
        for (const tag of sender.tags) known.tags.add(tag)
    }
  }
  if (view.operation?.id === 'export-v2') learnPage(known.exports, view)
}

function note(known: LinesKnown, id: string, facts: number): void {
  const before = known.noted.get(id)
  if (before !== undefined || known.noted.size < MOST_LINES) known.noted.set(id, (before ?? 0) | facts)
  else known.forgetful = true
}

/** Whether something is known of the line with a mark. */
export function isNoted({ noted }: LinesKnown, mark: string, fact: keyof typeof NOTED): boolean {
  return ((noted.get(mark) ?? 0) & NOTED[fact]) !== 0
}

export interface Expected {
  readonly line: Line
  readonly batch: Sent
}

/** The lines that were taken before an export was asked for and belong to it, unless something may have dropped them. */
export function expectedIn({ sent }: LinesKnown, selection: Selection, view: ExchangeView): Expected[] {
  const found: Expected[] = []
  for (const batch of sent.all) {
    if (batch.mayBeDropped || batch.end > view.exchange._start) continue
    for (const line of batch.lines) if (selects(selection, line)) found.push({ line, batch })
  }
  return found
}

/** When the newest of some lines were taken, milliseconds since the epoch. */
export function newestOf(lines: readonly Expected[]): number {
  return lines.reduce((newest, { batch }) => Math.max(newest, batch.end), 0)
}
