import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { openRecording, type Recording } from '../../fixtures/recording/read.ts'
import type { Tally } from '../../rules/core/tally.ts'
import type { operationFinder } from '../../rules/core/viewer.ts'
import { planShares, type Share } from '../../rules/shares.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Shard } from '../../schemas/types/report.ts'
import { sumCounts } from '../judge/counts.ts'
import { sum } from '../judge/tallies.ts'
import { sampleOperations, type Wants } from './exchanges.ts'
import { createMissing } from './missing.ts'
import type { ShareFound, ShareJob } from './share.ts'

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
      // The judge meets the same line, and reports it.
    }
  }
  return false
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

/** Bytes of a recording from which on a second thread is worth its start; compressed ones count this many times. */
const LARGE = 16 * 1024 * 1024
const COMPRESSED = 16
const MOST_THREADS = 3

/** How many threads besides the main one are worth while for recordings. `wanted`: threads in all that were asked for. */
function threadsFor(recordings: readonly Recording[], wanted?: number): number {
  if (recordings.some(({ kind }) => kind === 'har')) return 0
  if (wanted !== undefined) return wanted - 1
  const bytes = recordings
    .flatMap(({ files }) => files)
    .reduce((all, file) => all + statSync(file).size * (file.endsWith('.gz') ? COMPRESSED : 1), 0)
  return bytes < LARGE ? 0 : Math.min(MOST_THREADS, availableParallelism() - 1)
}

/** What shares of the rules find in a recording, a thread for each, put together. Rejects where one of them breaks. */
export async function judgedElsewhere(job: Omit<ShareJob, 'share'>, shares: readonly Share[]): Promise<ShareFound> {
  const parts = await Promise.all(shares.map((share) => inThread({ ...job, share })))
  const tallies = new Map<string, Tally>()
  const missing = createMissing()
  for (const part of parts) {
    missing.include(part.missing)
    for (const [id, tally] of part.tallies) {
      const before = tallies.get(id)
      tallies.set(id, before ? sum(before, tally) : tally)
    }
  }
  return {
    tallies,
    counts: sumCounts(parts.map(({ counts }) => counts)),
    missing: missing.counts(),
    seen: [...new Set(parts.flatMap(({ seen }) => seen))],
    broken: parts.some(({ broken }) => broken),
  }
}

function inThread(job: ShareJob): Promise<ShareFound> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./share-thread.js', import.meta.url), { workerData: job, name: 'share' })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a judging thread ended with ${code}`)))
  })
}
