import { openRecording, type Recording } from '../../fixtures/recording/read.ts'
import { planShares, type Share } from '../../rules/shares.ts'
import type { operationFinder } from '../../rules/viewer.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Shard } from '../../schemas/types/report.ts'
import { parseShard } from '../../suites/shards.ts'
import { UsageError } from '../errors.ts'
import { sampleOperations, type Wants } from './blocks.ts'
import type { CheckOptions } from './options.ts'
import { threadsFor } from './threads.ts'

/** Who judges what. */
export interface Work {
  /** the share of the main thread; undefined: everything */
  readonly own: Share | undefined
  /** the shares of other threads */
  readonly others: readonly Share[]
}

type Find = ReturnType<typeof operationFinder>

/**
 * A shard is one share of as many as there are shards, whatever machine it runs on, and is judged in one thread. Without
 * shards the main thread reads and counts everything and judges a share of it, beside as many threads as are worth while.
 */
export async function planWork(
  recordings: readonly Recording[],
  binding: Binding,
  basePath: string,
  shard: Shard | undefined,
  threads: number | undefined,
): Promise<Work> {
  const others = shard ? 0 : threadsFor(recordings, threads)
  const of = shard?.of ?? others + 1
  if (of === 1) return { own: undefined, others: [] }
  const counts = await sampleOperations(recordings, binding, basePath, openRecording)
  const shares = planShares(binding, counts, of)
  return shard ? { own: shares[shard.index - 1], others: [] } : { own: shares[0], others: shares.slice(1) }
}

/** The shard that was asked for. @throws UsageError */
export function shardIn({ shard: text }: CheckOptions, ofRun: boolean): Shard | undefined {
  if (text === undefined) return undefined
  const shard = parseShard(text)
  if (!shard) {
    const hint = '2/8 is the second of eight shards'
    throw new UsageError({ where: '--shard', what: `${JSON.stringify(text)} is not a part of a check`, hint })
  }
  if (ofRun) {
    const hint = 'shards are for recorded traffic; `assay certify --shard` splits a run'
    throw new UsageError({ where: '--shard', what: 'the evidence of a run is judged as a whole', hint })
  }
  return shard
}

const MOST_THREADS = 64

/** How many threads were asked for. @throws UsageError */
export function threadsIn({ threads }: CheckOptions): number | undefined {
  if (threads === undefined) return undefined
  const count = /^\d+$/.test(threads) ? Number(threads) : 0
  if (count >= 1 && count <= MOST_THREADS) return count
  const hint = `a whole number from 1 to ${MOST_THREADS}`
  throw new UsageError({ where: '--threads', what: `${JSON.stringify(threads)} is no number of threads`, hint })
}

/** Each exchange is counted in one shard: that which looks at it by itself. */
export function isCountedIn({ part }: Share, find: Find): (exchange: Exchange) => boolean {
  const own = new Set(part.exchange)
  return ({ request }) => own.has(find(request.method, request.url) ?? '')
}

/** Notes what is not read as well: every shard knows what was used, so that all of them claim the same. */
export function alsoSeen(wants: Wants, find: Find, seen: Set<string>): Wants {
  if (!wants) return undefined
  return (method, url) => {
    const operation = find(method, url)
    if (operation !== undefined) seen.add(operation)
    return wants(method, url)
  }
}
