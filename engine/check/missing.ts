import { type Elsewhere, elsewhereInWords } from '../../fixtures/har/address.ts'
import type { RecordingProblem } from '../../fixtures/recording/read.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'

/** What a recording does not hold of what passed: said beside the verdict, since nothing can be concluded from it. */
export interface Missing {
  note(problem: RecordingProblem): void
  /** Entries of one HAR file that go to other addresses than the target's. */
  leftOut(elsewhere: Elsewhere, path: string): void
  add(exchange: Exchange): void
  /** name -> text, for the report; only what is missing */
  facts(): Record<string, string>
  /** one line for each thing that is amiss, bounded */
  notes(): string[]
}

const MOST_NOTES = 10

export function createMissing(): Missing {
  let lost = 0
  let cut = 0
  let incomplete = 0
  let entries = 0
  let open = 0
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  const notes: string[] = []
  /** entries that are no exchanges with the target: how a note and a report say it */
  const unjudged = new Map<string, string>()
  let more = 0
  const keys = new Set<string>()
  const underAnother = (): string =>
    `${keys.size} keys: nothing that one session wrote is compared with what another one read, as it is under another key`
  return {
    note({ message, kind, lost: count }) {
      lost += count
      if (kind === 'incomplete-entry') entries += 1
      if (kind === 'not-closed') open += 1
      if (kind === 'no-exchange') unjudged.set(message, message)
      else if (notes.length < MOST_NOTES) notes.push(message)
      else more += 1
    },
    leftOut(elsewhere, path) {
      const words = elsewhereInWords(elsewhere)
      unjudged.set(`${path}: ${words}: not judged`, words)
    },
    add({ _start, _end, _outcome, _digest, _key, request, response }) {
      if (_key !== undefined) keys.add(_key)
      first = Math.min(first, _start)
      last = Math.max(last, _end)
      if (_outcome !== 'complete') incomplete += 1
      if (request.postData?._cut === true && !_digest?.sent) cut += 1
      if (response.content._cut === true && !_digest?.received && _outcome === 'complete') cut += 1
    },
    facts: () => ({
      ...(first <= last ? { recorded: `${new Date(first).toISOString()} to ${new Date(last).toISOString()}` } : {}),
      ...(lost > 0 ? { 'exchanges missing': String(lost) } : {}),
      ...(cut > 0 ? { 'bodies cut': `${cut}: nothing that depends on them was judged` } : {}),
      ...(incomplete > 0 ? { 'exchanges without a whole answer': String(incomplete) } : {}),
      ...(open > 0 ? { 'segments that were not closed': `${open}: traffic before the end may be missing` } : {}),
      ...(entries > 0 ? { 'entries with something amiss': String(entries) } : {}),
      ...(keys.size > 1 ? { keys: underAnother() } : {}),
      ...(unjudged.size > 0 ? { 'entries that were not judged': [...unjudged.values()].join('; ') } : {}),
    }),
    notes: () => [
      ...unjudged.keys(),
      ...(keys.size > 1 ? [underAnother()] : []),
      ...notes,
      ...(more > 0 ? [`and ${more} more of the kind`] : []),
    ],
  }
}
