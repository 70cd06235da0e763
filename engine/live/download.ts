import { CREATOR } from '../../fixtures/har/entry.ts'
import type { LiveQuestion } from '../../fixtures/live/messages.ts'
import { toCompact } from '../../fixtures/segments/compact.ts'
import { FORMAT, VERSION } from '../../fixtures/segments/write.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { RecordingAbout, SegmentEnd, SegmentHeader } from '../../schemas/types/recording.ts'
import type { DownloadForm } from './server.ts'

export interface DownloadOptions {
  readonly ask: (question: LiveQuestion) => Promise<string | undefined>
  /** of the recording that is chosen from */
  readonly about: RecordingAbout
  /** name and version of this package */
  readonly version: string
  /** exchanges that have passed */
  readonly passed: () => number
}

/** Exchanges that are asked for at once. */
const EACH = 200

/** Chosen exchanges as one HAR file, or as one segment of a recording; those that are no longer in memory are left out. */
export async function* downloadOf(
  form: DownloadForm,
  ids: readonly string[],
  options: DownloadOptions,
): AsyncGenerator<string> {
  const { about, version, passed } = options
  let count = 0
  if (form === 'har') {
    const creator = JSON.stringify({ name: CREATOR, version })
    yield `{"log":{"version":"1.2","creator":${creator},"pages":[],"entries":[`
    for await (const exchange of taken(ids, options)) {
      yield `${count === 0 ? '' : ','}\n${JSON.stringify(exchange)}`
      count += 1
    }
    yield '\n]}}\n'
    return
  }
  // Like one that was distilled: what its requests build on is not all there.
  const header: SegmentHeader = {
    ...{ _format: FORMAT, _version: VERSION, _kind: 'exchanges', base: '' },
    about: { ...about, distilled: passed() },
  }
  yield `${JSON.stringify(header)}\n`
  for await (const exchange of taken(ids, options)) {
    yield `${JSON.stringify(toCompact(exchange, ''))}\n`
    count += 1
  }
  yield `${JSON.stringify({ end: { exchanges: count, lost: 0 } } satisfies SegmentEnd)}\n`
}

async function* taken(ids: readonly string[], { ask }: DownloadOptions): AsyncGenerator<Exchange> {
  for (let from = 0; from < ids.length; from += EACH) {
    const text = await ask({ kind: 'take', ids: ids.slice(from, from + EACH) })
    yield* JSON.parse(text ?? '[]') as Exchange[]
  }
}
