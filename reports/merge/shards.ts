import type { RunInfo } from '../../schemas/types/report.ts'

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
      const away = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !there.has(index))
      if (away.length === 0) return []
      const named = splits.size > 1 ? ` (seed ${seed})` : ''
      return [
        `${away.length === 1 ? 'shard' : 'shards'} ${listed(away)} of ${of}${named} ${away.length === 1 ? 'is' : 'are'} missing`,
      ]
    })
  return sentences.length === 0 ? undefined : sentences.join('; ')
}

const MOST_NAMED = 6

/** A list in words: '1, 2 and 3', or the first few and how many more. */
export function listed(names: readonly (string | number)[]): string {
  const named = names.slice(0, MOST_NAMED).map(String)
  if (names.length > MOST_NAMED) return `${named.join(', ')} and ${names.length - MOST_NAMED} more`
  return named.length < 2 ? named.join() : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}
