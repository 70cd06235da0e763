import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Recording } from '../../fixtures/recording/read.ts'
import type { Tally } from '../../rules/core/tally.ts'
import type { Share } from '../../rules/shares.ts'
import { sumCounts } from '../judge/counts.ts'
import { sum } from '../judge/tallies.ts'
import { createMissing } from './missing.ts'
import type { ShareFound, ShareJob } from './share.ts'

/** Bytes of a recording from which on a second thread is worth its start; compressed ones count this many times. */
const LARGE = 16 * 1024 * 1024
const COMPRESSED = 16
const MOST_THREADS = 3

/** How many threads besides the main one are worth while for recordings. `wanted`: threads in all that were asked for. */
export function threadsFor(recordings: readonly Recording[], wanted?: number): number {
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
    worker.once('exit', (code) => reject(new Error(`a thread that judged a share ended with ${code}`)))
  })
}
