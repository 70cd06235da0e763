import { openRecording, type Recording } from '../../fixtures/recording/read.ts'
import type { operationFinder } from '../../rules/core/viewer.ts'
import { planShares, type Share } from '../../rules/shares.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Shard } from '../../schemas/types/report.ts'
import { parseShard } from '../../suites/run/select.ts'
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

const WHOLE: Work = { own: undefined, others: [] }

type Find = ReturnType<typeof operationFinder>
type WantsSome = NonNullable<Wants>

/**
 * A shard is one share of as many as there are shards, whatever machine it runs on, and is judged in one thread. Without
 * shards the main thread has the first share, beside as many threads as are worth while.
 */
export async function planWork(
  recordings: readonly Recording[],
  binding: Binding,
  basePath: string,
  shard: Shard | undefined,
  threads: number | undefined,
): Promise<Work> {
  const of = shard?.of ?? threadsFor(recordings, threads) + 1
  if (of === 1) return WHOLE
  const intended = await sayIntents(recordings)
  if (intended && !shard) return WHOLE
  const counts = await sampleOperations(recordings, binding, basePath, openRecording)
  const shares = planShares(binding, counts, of)
  if (!shard) return { own: shares[0], others: shares.slice(1) }
  const own = shares[shard.index - 1]
  return { own: own && intended && shard.index === 1 ? { ...own, operations: undefined } : own, others: [] }
}

/** Whether requests say what they were sent for: then the first share has to see all of them. */
async function sayIntents(recordings: readonly Recording[]): Promise<boolean> {
  for (const recording of recordings) {
    try {
      for await (const { _intent, _case } of recording.exchanges()) {
        if (_intent !== undefined || _case !== undefined) return true
        break
      }
    } catch {
      // Whoever judges it meets the same line, and says so.
    }
  }
  return false
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

/** Notes what is not read as well: every shard knows what was used, so that all of them claim the same. */
export function alsoSeen(wants: WantsSome, find: Find, seen: Set<string>): WantsSome {
  return (method, url) => {
    const operation = find(method, url)
    if (operation !== undefined) seen.add(operation)
    return wants(method, url)
  }
}

/** Tells of what is not read here as well, since it is read elsewhere. */
export function alsoTold(wants: WantsSome, tell: () => void): WantsSome {
  return (method, url) => {
    const wanted = wants(method, url)
    if (!wanted) tell()
    return wanted
  }
}
