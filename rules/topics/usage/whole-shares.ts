import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { takenIn } from '../../known/batches.ts'
import { type UsageReport, usageKind, usageReport } from '../../known/usage.ts'
import { roundingOf } from './usage-values.ts'

/** Reports that are compared, each after more lines. */
export const REPORTS = 4

/** What one report tells. */
interface Told {
  readonly exchange: string
  /** lines that were sent before, under the name that is looked at, and its share */
  readonly lines: number
  readonly share: number
  /** of all rows */
  readonly sum: number
  /** what rounding may have done to one share, and to the sum */
  readonly rounding: number
  readonly grace: number
}

interface Whole {
  /** lines that were sent, by the names of their host and of their application */
  readonly sent: ReadonlyMap<string, number>
  /** the newest report after each sending */
  readonly told: readonly Told[]
}

/** Sums of binary fractions end a hair beside the number. */
const HAIR = 1e-9
/** A sum this far beside the whole is another one. */
const APART = 0.001
/** Where no line has come in that has no name, a sum has to differ by more than this many times what rounding may do. */
const CLEARLY = 4

/**
 * A share of usage v1 is that of all lines of the period (category 'Usage v1'). A line need not have a host or an
 * application, so that shares may sum to less than 100; but then each line that has one brings the sum nearer to it. Where
 * a sum stays as it is while lines come in again and again, the lines without a name would have to grow in step with those
 * that the run sends, to the line: the shares are of a number that is not the number of the lines.
 */
export const wholeSharesRule: HistoryRule<Whole> = {
  name: 'whole shares',
  intended: true,
  bound: 1_000,
  key: ({ intent }) => (intent?.probe === probes.wholeShares ? intent.group : undefined),
  init: () => ({ sent: new Map(), told: [] }),
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') return { state: withSent(state, view), judgements: [] }
    const report = usageReport(view, oracle)
    const now = report && toldBy(state, view, report)
    if (!now) return { state, judgements: [] }
    const told = [...state.told.filter(({ lines }) => lines !== now.lines), now]
    const judged = told.length === REPORTS && view.intent?.final === true
    return { state: { ...state, told }, judgements: judged ? judge(told, view) : [] }
  },
  end: () => [],
}

function withSent(state: Whole, view: ExchangeView): Whole {
  const sent = new Map(state.sent)
  for (const { sender } of takenIn(view)?.lines ?? []) {
    for (const name of sender ? [sender.app, sender.host] : []) sent.set(name, (sent.get(name) ?? 0) + 1)
  }
  return { ...state, sent }
}

function toldBy({ sent }: Whole, view: ExchangeView, { rows }: UsageReport): Told | undefined {
  const values = rows.flatMap(({ value }) => (typeof value === 'number' ? value : []))
  const own = rows.find(({ name }) => sent.has(name))
  const lines = sent.get(own?.name ?? '')
  if (values.length < rows.length || lines === undefined || typeof own?.value !== 'number' || own.value <= 0)
    return undefined
  // Half a unit where it is rounded as usual, up to a whole one where it is always rounded down or up.
  const half = roundingOf(values)
  return {
    exchange: view.id,
    lines,
    share: own.value,
    sum: values.reduce((sum, value) => sum + value, 0),
    rounding: 2 * half,
    grace: rows.length * half + HAIR,
  }
}

function judge(told: readonly Told[], view: ExchangeView): Judgement[] {
  const base = {
    ...about(view),
    requirement: 'USAGE-V1-SHARE',
    edge: 'all rows',
    exchanges: told.map(({ exchange }) => exchange),
  }
  if (told.every(({ sum, grace }) => Math.abs(sum - 100) <= 2 * grace + APART)) return [{ ...base, outcome: 'held' }]
  const pairs = told.slice(1).map((later, index): readonly [Told, Told] => [told[index] ?? later, later])
  const [{ sum } = { sum: 0 }] = told
  // Fractions of one are another rule's matter.
  if (sum < 2 || !pairs.every(([earlier, later]) => isStill(earlier, later))) return []
  const lines = (told.at(-1)?.lines ?? 0) - (told[0]?.lines ?? 0)
  const by = usageKind(view)?.by === 'app' ? 'an application' : 'a host'
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'shares are not those of all lines: their sum stays the same, whatever comes in',
      expected: `a sum that comes nearer to 100 with each of ${lines} lines, all of which have ${by}`,
      actual: `${sum.toFixed(3)} in each of ${told.length} reports`,
    },
  ]
}

/**
 * Whether a sum stayed as it was, though it could not have done so without new lines that have no name. How many lines there
 * are is only known from a share that was rounded: they are taken to be as many as they may be.
 */
function isStill(earlier: Told, later: Told): boolean {
  const grace = earlier.grace + later.grace
  if (earlier.share === later.share || Math.abs(earlier.sum - later.sum) > grace) return false
  const least = earlier.share - earlier.rounding
  if (least <= 0) return false
  const all = (100 * earlier.lines) / least
  const more = later.lines - earlier.lines
  const expected = (100 * ((all * earlier.sum) / 100 + more)) / (all + more)
  return expected - earlier.sum > CLEARLY * grace
}
