import { LEFT_OUT, leavesOpen } from '../../rules/core/not-run.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Report, RequirementResult, RunInfo } from '../../schemas/types/report.ts'
import { listed, missingOf } from '../counted.ts'

/**
 * Which parts of runs that were split by `--shard` are not there, in one sentence; undefined where none is missing.
 * Runs of one verb, seed and profile that were split into as many parts belong together.
 */
export function missingShards(runs: readonly RunInfo[]): string | undefined {
  const splits = new Map<string, { readonly of: number; readonly seed: number; readonly there: Set<number> }>()
  for (const { verb, shard, seed, profile } of runs) {
    if (!shard) continue
    const key = `${verb} ${seed} ${profile} ${shard.of}`
    const split = splits.get(key) ?? { of: shard.of, seed, there: new Set<number>() }
    splits.set(key, split)
    split.there.add(shard.index)
  }
  const sentences = [...splits]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { of, seed, there }]) => {
      const missing = missingOf(of, there, splits.size > 1 ? ` (seed ${seed})` : '')
      return missing === undefined ? [] : [missing]
    })
  return sentences.length === 0 ? undefined : sentences.join('; ')
}

/** Different values of one note that are shown; the others stand with the runs in the report's basis. */
const MOST_VALUES = 8

const PERIOD = /^(\S+Z) to (\S+Z)$/

/**
 * What was noted about each run, by name, in the order of the names. A note that all runs share appears once; any other
 * one appears with its runs. Periods become the one from the earliest beginning to the latest end.
 */
export function mergeEnvironments(runs: readonly RunInfo[]): Record<string, string> {
  const names = [...new Set(runs.flatMap(({ environment }) => Object.keys(environment)))].sort()
  return Object.fromEntries(names.map((name) => [name, together(name, runs)]))
}

function together(name: string, runs: readonly RunInfo[]): string {
  const by = new Map<string, RunInfo[]>()
  for (const run of runs) {
    const value = run.environment[name]
    if (value !== undefined) by.set(value, [...(by.get(value) ?? []), run])
  }
  const values = [...by.keys()].sort()
  if (values.length === 1 && by.get(values[0] ?? '')?.length === runs.length) return values[0] ?? ''
  const period = periodOf(values)
  if (period !== undefined) return period
  const said = values.slice(0, MOST_VALUES).map((value) => `${value} (${named(by.get(value) ?? [], runs)})`)
  const more = values.length - said.length
  return [...said, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function periodOf(values: readonly string[]): string | undefined {
  const periods = values.map((value) => PERIOD.exec(value))
  const [first] = periods.map((found) => found?.[1] ?? '').sort()
  const last = periods
    .map((found) => found?.[2] ?? '')
    .sort()
    .at(-1)
  return periods.every((found) => found !== null) ? `${first} to ${last}` : undefined
}

/** Shards by their numbers; other runs by their prefix, and shards as well where the numbers do not tell them apart. */
function named(some: readonly RunInfo[], all: readonly RunInfo[]): string {
  const [first] = all
  const numbers = new Set(all.map(({ shard }) => shard?.index))
  const of = first?.shard?.of
  const apart = of !== undefined && numbers.size === all.length && all.every(({ shard }) => shard?.of === of)
  if (!apart) return `${some.length === 1 ? 'run' : 'runs'} ${listed(some.map(({ prefix }) => prefix).sort())}`
  const indices = some.map(({ shard }) => shard?.index ?? 0).sort((a, b) => a - b)
  return `${indices.length === 1 ? 'shard' : 'shards'} ${listed(indices)} of ${of}`
}

/**
 * Whether what --only selected was judged: all that a whole run has to judge, and each requirement that was named by its
 * own id. A part without a single pass has shown nothing.
 */
export function isWholePart({ only, requirements, basis }: Report): boolean {
  if (only.length === 0 || missingShards(basis?.runs ?? []) !== undefined) return false
  const selected = selectedOf(requirements)
  const isOpen = (result: RequirementResult): boolean =>
    (result.verdict === 'not-run' && only.includes(result.id)) || leftOpen(result)
  return selected.some(({ verdict }) => verdict === 'pass') && !selected.some(isOpen)
}

/** Whether a result leaves something open that a run can bring about. */
export function leftOpen(result: RequirementResult): boolean {
  return leavesOpen({ ...result, provoke: ledger().get(result.id)?.provoke })
}

/** What --only selected, gaps aside. */
export function selectedOf(requirements: readonly RequirementResult[]): RequirementResult[] {
  return requirements.filter(({ level, reason }) => level !== 'open' && reason !== LEFT_OUT)
}
