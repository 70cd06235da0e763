import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { loadMock, type Mock, reasonIn } from '../../fixtures/mock/mock.ts'
import { coverageOf } from '../../fixtures/recording/coverage.ts'
import { openUnchanged, type Recording } from '../../fixtures/recording/read.ts'
import { scanRecording } from '../../fixtures/replay/plan/scan.ts'
import { readBody } from '../../fixtures/segments/bodies.ts'
import { firstOf } from '../../reports/counted.ts'
import { createOracle } from '../../rules/oracle.ts'
import { type Binding, type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Caller } from '../caller.ts'
import { loadBinding } from '../config/binding.ts'
import { givenBinding } from '../config/chosen-binding.ts'
import { loadConfig } from '../config/config.ts'
import { findConfig } from '../config/config-file.ts'
import { UsageError } from '../errors.ts'
import { bindingFor, bindingInWords } from '../recordings/recorded-binding.ts'
import { exchangesOf, likelyTarget, UNKNOWN } from '../recordings/recordings.ts'
import { type MockPage, openMockPage } from './live.ts'
import { serveMock } from './serve.ts'

export interface MockOptions {
  readonly host: string
  /** 0: any free one */
  readonly port: number
  /** name or path */
  readonly binding?: string | undefined
  /** path of a target configuration */
  readonly config?: string | undefined
  /** answer as slowly as the recorded target did */
  readonly delays?: boolean | undefined
  /** take any well-formed batch of lines, recorded or not */
  readonly acceptLines?: boolean | undefined
  /** port of the live page; undefined: none */
  readonly ui?: number | undefined
}

/** What happens while a mock is asked. Paths are without what a recorder hides. */
export type MockEvent =
  /** a request that was not answered from the recording, and why */
  | { readonly kind: 'unanswered'; readonly status: number; readonly request: string; readonly reason: string }
  /** something that is not answered as it was recorded */
  | { readonly kind: 'changed'; readonly text: string }
  /** something went wrong with the live page */
  | { readonly kind: 'problem'; readonly text: string }

/** Each request is counted once: as answered from the recording, not recorded, or failed. */
export interface MockCounts {
  answered: number
  unknown: number
  failed: number
}

/** A recording that can be served. */
export interface LoadedMock {
  readonly mock: Mock
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
  /** name of the binding that the recording is read under */
  readonly bindingData: BindingData
}

export interface RunningMock {
  readonly url: string
  /** URL of the live page; undefined: there is none */
  readonly page: string | undefined
  readonly mock: Mock
  readonly notes: readonly string[]
  readonly counts: Readonly<MockCounts>
  close(): Promise<void>
}

/** Reads a recording. @throws UsageError, RecordingError */
export async function loadRecordedMock(path: string, options: MockOptions, caller: Caller): Promise<LoadedMock> {
  const recording = await openUnchanged(resolve(caller.cwd, path))
  const { data, notes } = await bindingToServe(recording, options, caller)
  const binding = resolveBinding(data)
  const key = recording.kind === 'har' ? randomBytes(32) : undefined
  const exchanges = key === undefined ? () => recording.exchanges() : await withoutSecrets(recording, binding, key)
  const { basePath } = await scanRecording(exchanges(), binding.operations.values())
  const coverage = coverageOf(createOracle({ binding, basePath, settleMs: 0 }))
  const mock = await loadMock(judged(exchanges(), coverage.add), {
    binding,
    keep: recording.about?.keep,
    recordedBase: basePath,
    servedBase: '',
    wholeBody: (name) => readBody(recording.folder, name),
    acceptLines: options.acceptLines,
    key,
  })
  const { broken } = coverage.end()
  return { mock, notes: [...notes, ...brokenNotes(broken)], bindingData: data }
}

async function* judged(
  exchanges: AsyncIterable<Exchange>,
  judge: (exchange: Exchange) => void,
): AsyncGenerator<Exchange> {
  for await (const exchange of exchanges) {
    judge(exchange)
    yield exchange
  }
}

const MOST_NAMED = 5

/** A mock answers as the target did: what that did wrong, clients see too. */
function brokenNotes(broken: readonly string[]): string[] {
  if (broken.length === 0) return []
  return [
    `note: this recording breaks ${firstOf(broken, MOST_NAMED)}: clients will see that too; \`assay check\` shows it`,
  ]
}

/**
 * Serves a recording until it is closed. The port is taken first, so a taken one is told at once. Requests wait until the
 * recording is read. `load`: `loadRecordedMock`, perhaps with a word to the user. @throws UsageError, RecordingError
 */
export async function startMock(
  path: string,
  options: MockOptions,
  caller: Caller,
  onEvent: (event: MockEvent) => void,
  load: typeof loadRecordedMock = loadRecordedMock,
): Promise<RunningMock> {
  const counts: MockCounts = { answered: 0, unknown: 0, failed: 0 }
  const { host, port, ui, config } = options
  let page: MockPage | undefined
  let open: (mock: Mock) => void = () => {}
  const ready = new Promise<Mock>((resolve) => {
    open = resolve
  })
  const unanswered = (request: string, status: number, reason: string): void =>
    onEvent({ kind: 'unanswered', status, request, reason })
  const served = await serveMock({
    mock: ready,
    port,
    host,
    delays: options.delays === true,
    onAnswer(request, answer, startedAt, shown) {
      if (answer.exchange) counts.answered += 1
      else {
        counts.unknown += 1
        unanswered(shown, answer.status, reasonIn(answer.body))
      }
      page?.answered(request, answer, startedAt)
    },
    onNote: (text) => onEvent({ kind: 'changed', text }),
    onFault(request, status, reason) {
      counts.failed += 1
      unanswered(request, status, `the mock could not answer: ${reason}`)
    },
  })
  const { url } = served
  try {
    const { mock, notes, bindingData: binding } = await load(path, options, caller)
    if (ui !== undefined) {
      page = await openMockPage({
        port: ui,
        recording: path,
        url,
        binding,
        counts,
        config: await readConfig(config, url, caller),
        onProblem: (text) => onEvent({ kind: 'problem', text }),
      })
    }
    // The page shows all requests, and whoever starts a mock hears of its address before it hears of requests.
    setImmediate(() => open(mock))
    return {
      url,
      page: page?.url,
      mock,
      notes,
      counts,
      async close() {
        await served.close()
        await page?.close()
      },
    }
  } catch (thrown) {
    await served.close()
    throw thrown
  }
}

/** The configuration whose credentials the live page names; an empty one where none is named. */
async function readConfig(
  path: string | undefined,
  baseUrl: string,
  { cwd, env }: Caller,
): Promise<Partial<TargetConfig>> {
  return path === undefined ? {} : await loadConfig(findConfig(path, cwd, 'reads'), env, cwd, { baseUrl })
}

/** What was given, else what the recording was made with. Without a binding of one's own most of it can be served still. */
export async function bindingToServe(
  recording: Recording,
  options: Pick<MockOptions, 'binding' | 'config'>,
  caller: Caller,
): Promise<{ readonly data: BindingData; readonly notes: readonly string[] }> {
  const given = await givenBinding(options, caller)
  try {
    const found = bindingFor([recording], given)
    return { data: found.data, notes: [bindingInWords(found)] }
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown
    const note = `note: ${thrown.message}; until then "default" is used`
    return { data: loadBinding('default', caller.cwd), notes: [note] }
  }
}

/** Recordings of other tools are served as assay would have recorded them. */
async function withoutSecrets(
  recording: Recording,
  binding: Binding,
  key: Uint8Array,
): Promise<() => AsyncIterable<Exchange>> {
  const target = (await likelyTarget(recording, binding)) ?? UNKNOWN
  const reading = { binding, target, credentials: new Map(), ownerEmail: undefined, key, keepElsewhere: true }
  return () => exchangesOf(recording, { ...reading, onProblem: () => undefined })
}
