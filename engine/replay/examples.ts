import { type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import { bounded } from '../../reports/text.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { DifferenceGroup, ExampleAnswer } from '../../schemas/types/replay.ts'

/** Groups whose example is shown whole, the most frequent first. */
const MOST_SHOWN = 60
const LONGEST_BODY = 8192

/** Where the two sides of an example are read from. */
export interface ExampleSources {
  readonly recording: Pick<Recording, 'exchanges'>
  /** folder with the new exchanges, which hold no secrets */
  readonly evidence: string
  /** takes secrets out of a recorded exchange */
  readonly clean: (exchange: Exchange) => Exchange
}

/** The groups, the first of them with both answers of their examples. Reads as far as it has to, and nothing where nothing differs. */
export async function withExamples(
  groups: readonly DifferenceGroup[],
  { recording, evidence, clean }: ExampleSources,
): Promise<DifferenceGroup[]> {
  const shown = groups.slice(0, MOST_SHOWN)
  if (shown.length === 0) return [...groups]
  const idsOf = (side: 'recorded' | 'replayed'): Set<string> => new Set(shown.map(({ example }) => example[side]))
  const recorded = await found(recording.exchanges(), idsOf('recorded'), clean)
  const replayed = await found(readSegments<Exchange>(evidence, 'exchanges'), idsOf('replayed'), (one) => one)
  return groups.map((group, index) => {
    const { example } = group
    const [before, after] = [recorded.get(example.recorded), replayed.get(example.replayed)]
    if (index >= MOST_SHOWN || !before || !after) return group
    const sent = after.request.postData?.text ?? ''
    return {
      ...group,
      example: {
        ...example,
        ...(sent === '' ? {} : { sent: bounded(sent, LONGEST_BODY) }),
        recordedAnswer: answerOf(before),
        replayedAnswer: answerOf(after),
      },
    }
  })
}

async function found(
  exchanges: AsyncIterable<Exchange>,
  wanted: ReadonlySet<string>,
  clean: (exchange: Exchange) => Exchange,
): Promise<Map<string, Exchange>> {
  const there = new Map<string, Exchange>()
  try {
    for await (const exchange of exchanges) {
      if (wanted.has(exchange._id)) there.set(exchange._id, clean(exchange))
      if (there.size === wanted.size) break
    }
  } catch (thrown) {
    // A recording that is damaged further on was replayed as far as it could be read.
    if (!(thrown instanceof RecordingError)) throw thrown
  }
  return there
}

function answerOf({ response, _outcome }: Exchange): ExampleAnswer {
  return { status: response.status, outcome: _outcome, body: bounded(response.content.text ?? '', LONGEST_BODY) }
}
