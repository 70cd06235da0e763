import type { Elsewhere } from '../../fixtures/har/address.ts'
import { type Recording, RecordingError, type RecordingProblem } from '../../fixtures/recording/read.ts'
import { withWholeBodies } from '../../fixtures/segments/bodies.ts'
import { operationFinder } from '../../rules/core/viewer.ts'
import type { Share } from '../../rules/shares.ts'
import { mayChange } from '../../rules/traffic/unknown-operations.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { EvidenceSource } from '../judge/judge.ts'
import { exchangesOf, merged, namedAnew, type Reading } from '../recordings/recordings.ts'

/** Whether a request is wanted, by its method and whole URL; undefined: all are. */
export type Wants = ((method: string, url: string) => boolean) | undefined

/**
 * The exchanges of recordings in blocks, ready to be judged, in the order in which they ended, as far as each recording
 * keeps it. Of a single one, requests that are not wanted need not be read. Throws RecordingError.
 */
export async function* blocksOf(
  recordings: readonly Recording[],
  reading: Reading,
  wants: Wants,
): AsyncGenerator<Iterable<Exchange>> {
  const [only] = recordings
  if (only && recordings.length === 1 && only.kind === 'segments') {
    const named = namedAnew(reading)
    for await (const block of only.blocks({ onProblem: reading.onProblem, wants })) {
      yield whole(block, only.folder, named)
    }
    return
  }
  const sources = recordings.map((one) => exchangesOf(one, reading))
  for await (const exchange of merged(sources, reading.apartMs)) yield [exchange]
}

function* whole(block: Iterable<Exchange>, folder: string, named: ReturnType<typeof namedAnew>): Generator<Exchange> {
  for (const exchange of block) yield named(withWholeBodies(exchange, folder))
}

type Find = ReturnType<typeof operationFinder>

/** Which requests a share of the rules has to see. */
export function wantedBy({ operations }: Share, find: Find): Wants {
  if (!operations) return undefined
  const wanted = new Set(operations)
  return (method, url) => {
    const operation = find(method, url)
    // Whatever a request of no operation changed may be known in any share.
    return operation === undefined ? wanted.has('') || mayChange(method) : wanted.has(operation)
  }
}

/** Each exchange is counted in one share: that which looks at it by itself. */
export function isCountedIn({ part }: Share, find: Find): (exchange: Exchange) => boolean {
  const own = new Set(part.exchange)
  return ({ request }) => own.has(find(request.method, request.url) ?? '')
}

/** Exchanges of each of a few files by which the work is shared out. */
const SAMPLE = 3_000
const FILES = 5

/** How often each operation occurs in a sample of recordings: the same for the same recordings. */
export async function sampleOperations(
  recordings: readonly Recording[],
  binding: Binding,
  basePath: string,
  open: (path: string) => Promise<Recording>,
): Promise<Map<string, number>> {
  const find = operationFinder(binding, basePath)
  const counts = new Map<string, number>()
  const files = recordings.flatMap((one) => one.files)
  const step = Math.max(1, Math.ceil(files.length / FILES))
  for (const file of files.filter((_, index) => index % step === 0)) {
    let seen = 0
    const note = (method: string, url: string): boolean => {
      const operation = find(method, url)
      if (operation !== undefined) counts.set(operation, (counts.get(operation) ?? 0) + 1)
      seen += 1
      return false
    }
    try {
      for await (const block of (await open(file)).blocks({ wants: note })) {
        // `wants` is asked about heads only: whole exchanges are noted here.
        for (const { request } of block) note(request.method, request.url)
        if (seen >= SAMPLE) break
      }
    } catch {
      // The judge meets the same line, and reports it.
    }
  }
  return counts
}

/** Hears, once, of each fact about the reading. */
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
