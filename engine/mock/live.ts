import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { MockAnswer } from '../../fixtures/mock/mock.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { startRecorder } from '../../proxy/recorder/start.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { HarHeader } from '../../schemas/types/exchange.ts'
import type { RecordingAbout } from '../../schemas/types/recording.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { type LivePage, openLivePage } from '../live/live-page.ts'
import { packageInfo } from '../package-info.ts'
import type { WireRequest } from './serve.ts'

export interface MockPageOptions {
  /** of the page; 0: any free one */
  readonly port: number
  /** what is served, as it was named */
  readonly recording: string
  /** of the mock */
  readonly url: string
  readonly binding: BindingData
  /** says which credentials are known: their names stand for them */
  readonly config: Pick<TargetConfig, 'credentials' | 'resources'>
  /** how many requests were answered so, grows while it runs */
  readonly counts: Readonly<Record<'answered' | 'unknown' | 'failed', number>>
  readonly onProblem: (text: string) => void
}

/** The live page of a mock. Nothing is judged: what a mock answers says nothing about a target. */
export interface MockPage {
  readonly url: string
  answered(request: WireRequest, answer: MockAnswer, startedAt: number): void
  close(): Promise<void>
}

/** Bytes of a body that is shown. */
const MOST_BYTES = 1 << 18

/** Shows what a mock is asked, after the recorder's thread has taken the secrets out. @throws UsageError */
export async function openMockPage(options: MockPageOptions): Promise<MockPage> {
  const { binding, config, counts, url } = options
  const { name, version } = packageInfo()
  const session = Date.now().toString(36)
  const about: RecordingAbout = { tool: `${name} ${version}`, startedAt: new Date().toISOString(), target: url }
  let page: LivePage | undefined
  const recorder = await startRecorder(
    {
      ...{ session, folder: undefined, baseUrl: url, binding, about },
      credentials: [...secretsOf(config.credentials ?? {})],
      ownerEmail: config.resources?.ownerEmail,
      key: randomBytes(32),
      ...{ keep: 'named', judge: false, strict: false, settleMs: 0 },
      ...{ compress: false, fullBodies: false, live: true },
    },
    { onProblem: options.onProblem, onRows: (rows) => page?.add(rows) },
  )
  try {
    page = await openLivePage({
      facts: { title: 'assay mock', target: `${options.recording} on ${url}`, judged: false },
      counts: () => [
        { label: 'exchanges', value: counts.answered + counts.unknown },
        { label: 'not recorded', value: counts.unknown, tone: 'warn' },
        { label: 'failed', value: counts.failed, tone: 'fail' },
      ],
      ask: (question) => recorder.ask(question),
      about,
      port: options.port,
    })
  } catch (thrown) {
    await recorder.end()
    throw thrown
  }
  const { url: address, close } = page
  let count = 0
  return {
    url: address,
    answered(request, answer, startedAt) {
      count += 1
      recorder.queue.exchange(rawOf(`${session}-${String(count).padStart(9, '0')}`, request, answer, startedAt))
    },
    async close() {
      await close()
      await recorder.end()
    },
  }
}

function rawOf(
  id: string,
  request: WireRequest,
  { status, headers, body }: MockAnswer,
  startedAt: number,
): RawExchange {
  return {
    ...{ id, startedAt, endedAt: Math.max(startedAt, Date.now()) },
    ...{ method: request.method, url: request.url, httpVersion: '1.1' },
    requestHeaders: flat(request.headers),
    requestBody: bodyOf(request.raw),
    ...{ status, statusText: STATUS_CODES[status] ?? '', outcome: 'complete' },
    // The mock gives bodies as they are, in no coding.
    responseHeaders: flat(headers),
    responseTrailers: [],
    responseBody: bodyOf(body),
  }
}

function bodyOf(bytes: Buffer): RawBody {
  const cut = bytes.length > MOST_BYTES
  return { bytes: bytes.length, kept: cut ? bytes.subarray(0, MOST_BYTES) : bytes, cut }
}

function flat(headers: readonly HarHeader[]): string[] {
  return headers.flatMap(({ name, value }) => [name, value])
}
