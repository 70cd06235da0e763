import type { Elsewhere } from '../../fixtures/har/address.ts'
import { type Recording, RecordingError, type RecordingProblem } from '../../fixtures/recording/read.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { EvidenceSource } from '../judge/judge.ts'
import type { Reading } from '../recordings/recordings.ts'
import { blocksOf, type Wants } from './blocks.ts'

/** Is told, once, of what is read. */
export interface Watch {
  exchange(exchange: Exchange): void
  /** of what can be got over */
  problem(problem: RecordingProblem): void
  /** of entries that go to other addresses */
  elsewhere(elsewhere: Elsewhere, path: string): void
  /** of what ended the reading */
  broken(message: string): void
}

/** Which requests are wanted the first time, and whenever they are read again. */
export interface WantsTwice {
  readonly first: Wants
  readonly again: Wants
}

/** Recorded traffic as evidence. What was read before a line that is amiss is judged all the same. */
export function trafficSource(
  recordings: readonly Recording[],
  reading: Omit<Reading, 'onProblem' | 'onElsewhere'>,
  wants: WantsTwice,
  watch: Watch,
): EvidenceSource {
  let isFirst = true

  async function* blocks(): AsyncGenerator<Iterable<Exchange>> {
    const watched = isFirst ? watch : undefined
    isFirst = false
    let broken = false
    const stop = (thrown: unknown): void => {
      if (!(thrown instanceof RecordingError)) throw thrown
      watched?.broken(thrown.message)
      broken = true
    }
    function* noted(block: Iterable<Exchange>): Generator<Exchange> {
      try {
        for (const exchange of block) {
          watched?.exchange(exchange)
          yield exchange
        }
      } catch (thrown) {
        stop(thrown)
      }
    }
    const onProblem = (problem: RecordingProblem): void => watched?.problem(problem)
    const told = {
      ...reading,
      onProblem,
      onElsewhere: (found: Elsewhere, path: string) => watched?.elsewhere(found, path),
    }
    try {
      for await (const block of blocksOf(recordings, told, watched ? wants.first : wants.again)) {
        yield noted(block)
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
    cases: () => none(),
  }
}

async function* none(): AsyncGenerator<CaseRecord> {
  // Nothing belongs to a case.
}
