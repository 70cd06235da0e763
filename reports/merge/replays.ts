import { keyOf } from '../../fixtures/replay/compare/differences.ts'
import type { DifferenceGroup, ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { MergeError, requireAlike } from './fit.ts'

/** What came of one part of a recording, and where it was read from. */
export interface NamedReplay {
  readonly name: string
  readonly replay: ReplayReport
}

const MOST_GROUPS = 2_000
const MOST_LISTED = 500

/**
 * One outcome of several: of the shards of a replay, or of replays that were merged before. Counts add up, alike
 * differences become one group. The order makes no difference; a report that is given twice counts once. `report`: the
 * merged one, by the rules. Pure.
 * @throws MergeError where they are not parts of one recording
 */
export function mergeReplays(replays: readonly NamedReplay[], report: Report): ReplayReport {
  const once = new Map(replays.map((replay) => [timeOf(replay), replay]))
  const parts = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
  const [first, ...rest] = parts
  if (!first) throw new MergeError('', 'there is no replay to merge', 'name some')
  for (const other of rest) requireAlike(ALIKE, made(first), made(other))
  const all = parts.map(({ replay }) => replay)
  const { groups, more } = differencesOf(all)
  const shards = shardsOf(all)
  return {
    ...first.replay,
    ...(shards.length === 0 ? {} : { shards }),
    durationMs: sum(all, ({ durationMs }) => durationMs),
    concurrency: Math.max(...all.map(({ concurrency }) => concurrency)),
    broke: [...new Set(all.map(({ broke }) => broke).filter((reason) => reason !== ''))].sort().join('; '),
    counts: countsOf(all),
    differences: groups,
    moreDifferences: sum(all, ({ moreDifferences }) => moreDifferences) + more,
    notSent: together(
      all.flatMap(({ notSent }) => notSent),
      ({ reason }) => reason,
    ),
    notCarried: together(
      all.flatMap(({ notCarried }) => notCarried),
      ({ operation, pointer }) => `${operation} ${pointer}`,
    ).slice(0, MOST_LISTED),
    ignored: [...new Map(all.flatMap(({ ignored }) => ignored).map((entry) => [placeOf(entry), entry])).values()],
    stale: first.replay.stale.filter((entry) =>
      all.every(({ stale }) => stale.some((other) => placeOf(other) === placeOf(entry))),
    ),
    rules: {
      verdict: report.verdict,
      reason: report.reason,
      findings: together(
        all.flatMap(({ rules }) => rules.findings),
        ({ requirement }) => requirement,
      ),
    },
  }
}

function timeOf({ replay: { startedAt, shards = [] } }: NamedReplay): string {
  return `${startedAt} ${shards.map(({ index }) => String(index).padStart(3, '0')).join()}`
}

const ALIKE: readonly (readonly [string, (replay: ReplayReport) => string, string])[] = [
  [
    'recording',
    ({ recording: { exchanges, firstAt, lastAt } }) => `${exchanges} exchanges, ${firstAt} to ${lastAt}`,
    '',
  ],
  ['binding', ({ binding }) => binding, ''],
  ['number of shards', ({ shards = [] }) => String(shards[0]?.of ?? 'none'), ''],
]

function made({ name, replay }: NamedReplay): { readonly name: string; readonly made: ReplayReport } {
  return { name, made: replay }
}

function shardsOf(replays: readonly ReplayReport[]): NonNullable<ReplayReport['shards']> {
  const all = replays.flatMap(({ shards = [] }) => shards)
  return [...new Map(all.map((shard) => [shard.index, shard])).values()].sort((a, b) => a.index - b.index)
}

function sum(replays: readonly ReplayReport[], of: (replay: ReplayReport) => number): number {
  return replays.reduce((all, replay) => all + of(replay), 0)
}

function countsOf(replays: readonly ReplayReport[]): ReplayReport['counts'] {
  const add = (name: keyof ReplayReport['counts']): number => sum(replays, ({ counts }) => counts[name] ?? 0)
  return {
    sent: add('sent'),
    notSent: add('notSent'),
    compared: add('compared'),
    different: add('different'),
    raced: add('raced'),
    inconclusive: add('inconclusive'),
    notKept: add('notKept'),
    weather: add('weather'),
    ignored: add('ignored'),
  }
}

/** The most frequent first; of equal ones the order of their names, so that no order of the parts shows. */
function differencesOf(replays: readonly ReplayReport[]): {
  readonly groups: DifferenceGroup[]
  readonly more: number
} {
  const groups = new Map<string, DifferenceGroup>()
  for (const group of replays.flatMap(({ differences }) => differences)) {
    const key = keyOf(group)
    const known = groups.get(key)
    groups.set(key, known ? { ...known, count: known.count + group.count } : group)
  }
  const sorted = [...groups].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1)).map(([, group]) => group)
  return {
    groups: sorted.slice(0, MOST_GROUPS),
    more: sorted.slice(MOST_GROUPS).reduce((all, one) => all + one.count, 0),
  }
}

/** Entries of all of them, those of one name added up, in the order of their names. */
function together<Entry extends { readonly count: number }>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Entry[] {
  const byName = new Map<string, Entry>()
  for (const entry of entries) {
    const known = byName.get(nameOf(entry))
    byName.set(nameOf(entry), known ? { ...known, count: known.count + entry.count } : entry)
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}

function placeOf({ operation, pointer }: { readonly operation: string; readonly pointer: string }): string {
  return `${operation} ${pointer}`
}
