import { openRecording } from '../../fixtures/recording/read.ts'
import { createOracle } from '../../rules/oracle.ts'
import type { Share } from '../../rules/shares.ts'
import { createTallyBook, type Tally } from '../../rules/tally.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'
import { blocksOf, wantedBy } from './blocks.ts'

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
  readonly share: Share
}

/** Reads all of it, and says what the rules of this share say. What cannot be read ends it quietly: the main thread says so. */
export async function judgeShare(job: ShareJob): Promise<ReadonlyMap<string, Tally>> {
  const binding = resolveBinding(job.binding)
  const { basePath, settleMs, alone } = job
  const factory = createOracle({ binding, basePath, settleMs, alone })
  const judge = factory.createJudge(job.share.part)
  const book = createTallyBook()
  const reading = { ...job, binding, credentials: new Map(job.credentials), onProblem: () => undefined }
  const recordings = await Promise.all(job.paths.map((path) => openRecording(path)))
  try {
    for await (const block of blocksOf(recordings, reading, wantedBy(job.share, binding, basePath))) {
      for (const exchange of block) {
        for (const judgement of judge.judge(exchange).judgements) book.add(judgement)
      }
    }
  } catch {
    // The same line stops the main thread, which names it.
  }
  for (const judgement of judge.end()) book.add(judgement)
  const found = new Map<string, Tally>()
  for (const id of factory.oracle.ledger.keys()) {
    const tally = book.of(id)
    const { judged, inconclusive, observations } = tally.evidence
    if (judged > 0 || inconclusive > 0 || Object.keys(observations).length > 0) found.set(id, tally)
  }
  return found
}
