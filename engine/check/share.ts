import { createOftenWatch } from '../../fixtures/heap.ts'
import { openRecording, RecordingError } from '../../fixtures/recording/read.ts'
import { createTallyBook, type Tally } from '../../rules/core/tally.ts'
import { operationFinder } from '../../rules/core/viewer.ts'
import { createOracle } from '../../rules/oracle.ts'
import type { Share } from '../../rules/shares.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'
import { createCounter } from '../judge/counts.ts'
import type { Elsewhere } from '../judge/judge.ts'
import { blocksOf, isCountedIn, wantedBy } from './exchanges.ts'
import { createMissing, type MissingCounts } from './missing.ts'

/**
 * Heap that judging much traffic may take before garbage is collected: knowledge of many things takes up to half of it.
 */
export const HEAP_BYTES: number = 192 * 1024 * 1024

/** What a thread has to know to look after a share of the rules. Plain data. */
export interface ShareJob {
  readonly paths: readonly string[]
  readonly binding: BindingData
  readonly basePath: string
  readonly settleMs: number
  readonly alone: boolean
  readonly target: string
  readonly credentials: readonly (readonly [string, CredentialScheme])[]
  readonly ownerEmail: string | undefined
  readonly key: Uint8Array
  readonly apartMs: number
  readonly carried: boolean
  readonly share: Share
}

/** What a share of the rules found. Plain data. */
export interface ShareFound extends Elsewhere {
  readonly missing: MissingCounts
  /** operations that occurred */
  readonly seen: readonly string[]
  /** it could not be read to its end */
  readonly broken: boolean
}

/** Reads what the rules of this share look at, judges it, and counts what it is the share to count. */
export async function judgeShare(job: ShareJob): Promise<ShareFound> {
  const { basePath, settleMs, alone, share } = job
  const binding = resolveBinding(job.binding)
  const factory = createOracle({ binding, basePath, settleMs, alone })
  const judge = factory.createJudge(share.part)
  const book = createTallyBook()
  const counter = createCounter()
  const missing = createMissing()
  const watchHeap = createOftenWatch(HEAP_BYTES)
  const seen = new Set<string>()
  const find = operationFinder(binding, basePath)
  const counts = isCountedIn(share, find)
  const reading = { ...job, binding, credentials: new Map(job.credentials), onProblem: () => undefined }
  let broken = false
  try {
    const recordings = await Promise.all(job.paths.map((path) => openRecording(path)))
    for await (const block of blocksOf(recordings, reading, wantedBy(share, find))) {
      for (const exchange of block) {
        watchHeap()
        const { view, judgements } = judge.judge(exchange)
        if (counts(exchange)) {
          counter.add(view)
          missing.add(exchange)
          if (exchange._operation !== undefined) seen.add(exchange._operation)
        }
        for (const judgement of judgements) book.add(judgement)
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    broken = true
  }
  for (const judgement of judge.end()) book.add(judgement)
  const tallies = new Map<string, Tally>()
  for (const id of factory.oracle.ledger.keys()) {
    const tally = book.of(id)
    const { judged, inconclusive, observations } = tally.evidence
    if (judged > 0 || inconclusive > 0 || Object.keys(observations).length > 0) tallies.set(id, tally)
  }
  return { tallies, counts: counter.counts(), missing: missing.counts(), seen: [...seen], broken }
}
