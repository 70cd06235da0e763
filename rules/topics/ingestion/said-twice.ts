import { probes } from '../../../schemas/records/intents.ts'
import { broken, held, type Judgement, observed, unclear } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { batchesIn, claimOf, type GroupRule, ownLinesIn, sendsLines } from '../../known/groups.ts'
import { isSameTime, type Line } from '../../known/lines.ts'

/**
 * LINES-COME-OUT: a line that was sent comes out, whatever an earlier one says (category 'Ingestion'): two that say the same
 * at different times are two lines. Only where the target shows the times that they were sent with, else it may take them
 * for one. What becomes of two that are the same in everything is not stated.
 */
export const saidTwiceRule: GroupRule = {
  name: 'lines that say the same come out',
  sees: ({ intent }) => intent?.probe === probes.saidTwice,
  judge(view, before, oracle) {
    const lines = sendsLines(view) ? undefined : ownLinesIn(view)
    if (!lines) return []
    const batches = batchesIn(before)
    const exchanges = [...batches.map(({ exchange }) => exchange), view.id]
    const doubt = doubtOf(view, Math.max(0, ...batches.map(({ end }) => end)), oracle)
    const shown = grouped(lines)
    return [...grouped(batches.flatMap((batch) => batch.lines))].flatMap(([id, sent]) =>
      // That none comes out is another rule's matter.
      sent.length < 2 || !shown.has(id) ? [] : judge(view, exchanges, sent, shown.get(id) ?? [], doubt),
    )
  },
}

/** What is said of lines with one mark: those that were sent, and those that are shown. */
function judge(
  view: ExchangeView,
  exchanges: readonly string[],
  sent: readonly Line[],
  shown: readonly Line[],
  doubt: string | undefined,
): Judgement[] {
  const times = new Set(sent.map(({ time }) => time)).size
  const about = { edge: probes.saidTwice, exchanges }
  if (times === 1) {
    const what = `lines that are the same in everything: ${shown.length} of ${sent.length} come out of ${view.operation?.id}`
    return doubt === undefined ? [observed(claimOf('GAP-LINES-ALIKE', [view], about), what)] : []
  }
  const claim = claimOf('LINES-COME-OUT', [view], about)
  if (shown.length >= times) return [held(claim)]
  if (!shown.every((line) => sent.some((one) => isSameTime(line.time, one.time) === true))) return []
  if (doubt !== undefined) return [unclear(claim, doubt)]
  return [
    broken(claim, {
      message: 'of equal lines with different times, some do not come out',
      expected: `${times} lines that say what ${sent[0]?.id} says`,
      actual: `${shown.length} of them`,
    }),
  ]
}

function grouped(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>()
  for (const line of lines) {
    const same = found.get(line.id)
    if (same) same.push(line)
    else found.set(line.id, [line])
  }
  return found
}
