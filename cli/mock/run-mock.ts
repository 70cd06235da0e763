import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { loadConfig } from '../../engine/config/config.ts'
import { UsageError } from '../../engine/errors.ts'
import { listenAddress, listenProblem } from '../../engine/listening.ts'
import { bindingToServe } from '../../engine/mock/binding.ts'
import { type Fallback, openFallback } from '../../engine/mock/fallback.ts'
import type { MockOptions } from '../../engine/mock/options.ts'
import { serveMock } from '../../engine/mock/serve.ts'
import { packageInfo } from '../../engine/package-info.ts'
import { exchangesOf, likelyTarget } from '../../engine/recordings/recordings.ts'
import { requireWritableFolder } from '../../engine/writable.ts'
import { loadMock, type Mock } from '../../fixtures/mock/mock.ts'
import { openUnchanged, type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { scanRecording } from '../../fixtures/replay/scan.ts'
import { readBody } from '../../fixtures/segments/bodies.ts'
import { reasonIn } from '../../library/load.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io, say as tell } from '../io.ts'
import { whileDoing } from '../progress.ts'
import { untilInterrupted } from '../signals.ts'

/** Serves a recording until it is interrupted, and then says what nobody asked for. */
export async function runMock(path: string, options: MockOptions, io: Io): Promise<void> {
  const address = listenAddress(options.host, options.port)
  if ('what' in address) throw new UsageError(address)
  const { host, port } = address
  const { mock, notes, binding, resolved } = await whileDoing(io, `reading ${path}`, () => load(path, options, io))
  const say = (line: string): void => {
    tell(io.stderr, line)
  }
  notes.forEach(say)
  let fallback: Fallback | undefined
  if (options.fallback !== undefined) {
    const config = await loadConfig(options.config, io.env, io.cwd, { baseUrl: options.fallback })
    const folder = resolve(io.cwd, options.record ?? 'assay-mock')
    await requireWritableFolder(folder, '--record')
    const { name, version } = packageInfo()
    fallback = openFallback(config, {
      folder,
      binding: resolved,
      about: {
        tool: `${name} ${version}`,
        startedAt: new Date().toISOString(),
        target: config.baseUrl,
        ...(binding === '' ? {} : { binding }),
      },
      onProblem: say,
    })
  }
  const counts = { answered: 0, unknown: 0, passed: 0, unreached: 0, failed: 0 }
  const served = await serveMock({
    mock,
    port,
    host,
    delays: options.delays === true,
    ...(fallback ? { fallback: fallback.ask } : {}),
    onAnswer(request, { status, exchange, body }, by) {
      if (by === 'target') counts.passed += 1
      else if (exchange) counts.answered += 1
      else counts.unknown += 1
      if (exchange) return
      if (by === 'target') counts.unreached += 1
      say(`${status} ${request.method} ${mock.shown(request)}: ${reasonIn(body)}`)
    },
    onNote: (line) => say(`note: ${line}`),
    onFault(request, status, reason) {
      counts.failed += 1
      say(`${status} ${request.method} ${mock.shown(request)}: the mock could not answer: ${reason}`)
    },
  }).catch((thrown: Error) => {
    throw new UsageError(listenProblem(thrown, `${host}:${port}`, { port: '--port', host: '--host' }))
  })
  const { url } = served
  const interrupted = untilInterrupted()
  if (options.json === true) io.stdout.write(`${JSON.stringify({ url, exchanges: mock.size() })}\n`)
  else io.stdout.write(`${mock.size()} exchanges of ${path} are served on ${url}\nCtrl-C ends it.\n`)
  await interrupted
  await served.close()
  await fallback?.close()
  say(summary(counts, fallback !== undefined, mock.unused().length))
  exitWith(io, EXIT.ok)
}

interface Counts {
  readonly answered: number
  readonly unknown: number
  /** sent to the target */
  readonly passed: number
  /** of these, how many it gave no answer to */
  readonly unreached: number
  readonly failed: number
}

/** Each request is counted once: as answered from the recording, not recorded, passed on, or failed. */
function summary(
  { answered, unknown, passed, unreached, failed }: Counts,
  hasFallback: boolean,
  unused: number,
): string {
  return [
    `${answered} answered`,
    `${unknown} not recorded`,
    ...(hasFallback ? [`${passed} passed on${unreached === 0 ? '' : ` (${unreached} without an answer)`}`] : []),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${unused} never asked for`,
  ].join(', ')
}

interface Loaded {
  readonly mock: Mock
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
  /** name of the binding that the recording is read under */
  readonly binding: string
  readonly resolved: Binding
}

async function load(path: string, options: MockOptions, io: Io): Promise<Loaded> {
  try {
    const recording = await openUnchanged(resolve(io.cwd, path))
    const { data, notes } = await bindingToServe(recording, options, io)
    const binding = resolveBinding(data)
    const exchanges = await withoutSecrets(recording, binding)
    const { basePath } = await scanRecording(exchanges(), binding.operations.values())
    const mock = await loadMock(exchanges(), {
      binding,
      recordedBase: basePath,
      servedBase: '',
      wholeBody: (name) => readBody(recording.folder, name),
    })
    return { mock, notes, binding: data.name, resolved: binding }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    throw new UsageError({ where: '', what: thrown.message, hint: '' })
  }
}

/** What others wrote is served as assay would have recorded it. */
async function withoutSecrets(recording: Recording, binding: Binding): Promise<() => AsyncIterable<Exchange>> {
  if (recording.kind !== 'har') return () => recording.exchanges()
  const target = (await likelyTarget(recording, binding)) ?? 'http://unknown.invalid'
  const key = randomBytes(32)
  const reading = { binding, target, credentials: new Map(), ownerEmail: undefined, key, keepElsewhere: true }
  return () => exchangesOf(recording, { ...reading, onProblem: () => undefined })
}
