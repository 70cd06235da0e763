import { resolve } from 'node:path'
import { readBody } from '../../fixtures/bodies.ts'
import { loadMock, type Mock } from '../../fixtures/mock/mock.ts'
import { openRecording, RecordingError } from '../../fixtures/recording/read.ts'
import { scanRecording } from '../../fixtures/replay/scan.ts'
import { visible } from '../../reports/text.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { loadConfig } from '../config.ts'
import { UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { whileDoing } from '../progress-line.ts'
import { untilInterrupted } from '../signals.ts'
import { requireWritableFolder } from '../writable.ts'
import { bindingToServe } from './binding.ts'
import { type Fallback, openFallback } from './fallback.ts'
import type { MockOptions } from './options.ts'
import { serveMock } from './serve.ts'

/** Serves a recording until it is interrupted, and then says what nobody asked for. */
export async function runMock(path: string, options: MockOptions, io: Io): Promise<void> {
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError({ where: '--port', what: `${options.port} is not a port`, hint: 'from 0 to 65535' })
  }
  const { mock, notes } = await whileDoing(io, `reading ${path}`, () => load(path, options, io))
  for (const note of notes) io.stderr.write(`${visible(note)}\n`)
  let fallback: Fallback | undefined
  if (options.fallback !== undefined) {
    const config = await loadConfig(options.config, io.env, io.cwd, { baseUrl: options.fallback })
    const folder = resolve(io.cwd, options.record ?? 'assay-mock')
    await requireWritableFolder(folder, '--record')
    fallback = openFallback(config, folder, mock.add)
  }
  let answered = 0
  let unknown = 0
  const served = await serveMock({
    mock,
    port,
    host: options.host,
    delays: options.delays === true,
    ...(fallback ? { fallback: fallback.ask } : {}),
    onAnswer(request, { status, exchange, body }) {
      if (exchange) answered += 1
      else {
        unknown += 1
        io.stderr.write(`${visible(`${status} ${request.method} ${request.url}: ${messageIn(body)}`)}\n`)
      }
    },
  }).catch((thrown: Error) => {
    throw new UsageError({ where: `${options.host}:${port}`, what: thrown.message, hint: 'choose another --port' })
  })
  const { url } = served
  const interrupted = untilInterrupted()
  if (options.json === true) io.stdout.write(`${JSON.stringify({ url, exchanges: mock.size() })}\n`)
  else io.stdout.write(`${mock.size()} exchanges of ${path} are served on ${url}\nCtrl-C ends it.\n`)
  await interrupted
  await served.close()
  await fallback?.close()
  const passed = fallback === undefined ? '' : `, ${fallback.count()} passed on`
  io.stderr.write(`${answered} answered, ${unknown} not recorded${passed}, ${mock.unused().length} never asked for\n`)
  exitWith(io, EXIT.ok)
}

interface Loaded {
  readonly mock: Mock
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
}

async function load(path: string, options: MockOptions, io: Io): Promise<Loaded> {
  try {
    const recording = await openRecording(resolve(io.cwd, path))
    const { data, notes } = await bindingToServe(recording, options, io)
    const binding = resolveBinding(data)
    const { basePath } = await scanRecording(recording.exchanges(), binding.operations.values())
    const mock = await loadMock(recording.exchanges(), {
      binding,
      recordedBase: basePath,
      servedBase: '',
      wholeBody: (name) => readBody(recording.folder, name),
    })
    return { mock, notes }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    throw new UsageError({ where: '', what: thrown.message, hint: '' })
  }
}

function messageIn(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString('utf8')) as { error?: unknown }).error ?? '')
  } catch {
    return ''
  }
}
