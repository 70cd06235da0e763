import type { Elsewhere } from '../../fixtures/har/address.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { RecordingError, type RecordingProblem, UnusableError } from '../../fixtures/segments/error.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type EvidenceSource, nothing } from '../judge/judge.ts'
import { blocksOf, exchangesOf, merged, type Reading } from '../recordings/recordings.ts'

/** The exchanges of recordings in the order in which they ended, as far as each recording keeps it. Throws RecordingError. */
async function* inOrder(recordings: readonly Recording[], reading: Reading): AsyncGenerator<Iterable<Exchange>> {
  const [only] = recordings
  if (only && recordings.length === 1) yield* blocksOf(only, reading)
  else {
    const sources = recordings.map((one) => exchangesOf(one, reading))
    for await (const exchange of merged(sources, reading.apartMs)) yield [exchange]
  }
}

/** Hears of facts about the reading. */
export interface Watch {
  /** of what can be got over */
  problem(problem: RecordingProblem): void
  /** of entries that go to other addresses */
  elsewhere(elsewhere: Elsewhere, path: string): void
  /** of what ended the reading */
  broken(message: string): void
}

/** Recorded traffic as evidence. What was read before a line that is amiss is judged all the same. */
export function trafficSource(
  recordings: readonly Recording[],
  reading: Omit<Reading, 'onProblem' | 'onElsewhere'>,
  watch?: Watch,
): EvidenceSource {
  async function* blocks(): AsyncGenerator<Iterable<Exchange>> {
    let broken = false
    const stop = (thrown: unknown): void => {
      if (!(thrown instanceof RecordingError) || thrown instanceof UnusableError) throw thrown
      watch?.broken(thrown.message)
      broken = true
    }
    function* untilBroken(block: Iterable<Exchange>): Generator<Exchange> {
      try {
        yield* block
      } catch (thrown) {
        stop(thrown)
      }
    }
    const told = {
      ...reading,
      onProblem: (problem: RecordingProblem) => watch?.problem(problem),
      onElsewhere: (found: Elsewhere, path: string) => watch?.elsewhere(found, path),
    }
    try {
      for await (const block of inOrder(recordings, told)) {
        yield untilBroken(block)
        if (broken) return
      }
    } catch (thrown) {
      stop(thrown)
    }
  }

  return {
    blocks,
    async *exchanges() {
      for await (const block of blocks()) yield* block
    },
    // Nothing belongs to a case.
    cases: nothing,
  }
}
