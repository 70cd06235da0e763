import { loadBinding } from '../engine/config/binding.ts'
import { UsageError } from '../engine/errors.ts'
import { bindingFor } from '../engine/recordings/recorded-binding.ts'
import { headerOf } from '../fixtures/http/wire.ts'
import { loadMock, type Mock, type MockAnswer, reasonIn } from '../fixtures/mock/mock.ts'
import { bodyIn, type PlainRequest } from '../fixtures/mock/request-form.ts'
import { openUnchanged, type Recording } from '../fixtures/recording/read.ts'
import { type Scan, scanRecording } from '../fixtures/replay/plan/scan.ts'
import { isOtherServer } from '../fixtures/replay/plan/servers.ts'
import { readBody } from '../fixtures/segments/bodies.ts'
import { type BindingData, resolveBinding } from '../schemas/binding.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { withoutSlash } from '../schemas/url.ts'
import { usable } from './wrong-use.ts'

/** How a recording stands in for a server inside a process. */
export interface InProcessOptions {
  /** base URL that the client uses; default: the one of the recording */
  readonly baseUrl?: string
  /**
   * binding of the recorded target, which tells operations apart: name of a shipped one, or path of a file. Default: the one
   * that it was recorded with, or `default` where the recording names none
   */
  readonly binding?: string
  /** any well-formed batch of lines is taken, recorded or not: clients stamp their process and clock into them */
  readonly acceptLines?: boolean
  /** `done()` fails where a recorded exchange was not asked for */
  readonly strict?: boolean
}

export interface InProcess {
  readonly mock: Mock
  /** name of the binding that the recording is read under */
  readonly binding: string
  /** scheme, host and port that are answered for */
  readonly origin: string
  /** Answers a request, whose body may be packed. `most`: no higher status can be given inside the process. */
  answer(request: InProcessRequest, most?: number): Pick<MockAnswer, 'status' | 'headers' | 'body'>
  /** @throws an error that lists requests that were not recorded and, with `strict`, exchanges that were not asked for */
  check(): void
}

export interface InProcessRequest extends Omit<PlainRequest, 'body'> {
  readonly bytes: Buffer
}

const MOST_LISTED = 10

/**
 * @throws UsageError where the recording cannot be read or holds nothing, names a binding that is not at hand, or the base
 * URL is none
 */
export async function loadInProcess(path: string, options: InProcessOptions): Promise<InProcess> {
  return await usable(() => load(path, options))
}

async function load(path: string, options: InProcessOptions): Promise<InProcess> {
  const given = options.baseUrl === undefined ? undefined : baseOf(options.baseUrl)
  const recording = await openUnchanged(path)
  const data = bindingOf(recording, options)
  const binding = resolveBinding(data)
  const scan = await scanRecording(recording.exchanges(), binding.operations.values())
  const { basePath } = scan
  const [server] = scan.servers
  if (server === undefined) throw new UsageError({ where: path, what: 'holds no exchange', hint: '' })
  const base = given ?? new URL(server + basePath)
  const mock = await loadMock(meant(recording, scan), {
    binding,
    keep: recording.about?.keep,
    recordedBase: basePath,
    servedBase: withoutSlash(base.pathname),
    wholeBody: (name) => readBody(recording.folder, name),
    acceptLines: options.acceptLines,
  })
  const unknown: string[] = []
  return {
    mock,
    binding: data.name,
    origin: base.origin,
    answer({ bytes, ...request }, most = Number.POSITIVE_INFINITY) {
      const coding = headerOf(request.headers, 'content-encoding')
      const { exchange, status, headers, body } = mock.answer({ ...request, body: bodyIn(bytes, coding) })
      const given = status > most ? { status: 501, headers, body: refused(status) } : { status, headers, body }
      if (!exchange || status > most) {
        unknown.push(`${request.method} ${base.origin}${mock.shown(request)}: ${reasonIn(given.body)}`)
      }
      return given
    },
    check() {
      const missed = options.strict === true ? mock.unused() : []
      const lines = [
        ...unknown.map((line) => `not recorded: ${line}`),
        ...missed.map(({ _id, request }) => `not asked for: ${_id} ${request.method} ${request.url}`),
      ]
      if (lines.length === 0) return
      const more = lines.length > MOST_LISTED ? `\nand ${lines.length - MOST_LISTED} more` : ''
      throw new Error(`${lines.slice(0, MOST_LISTED).join('\n')}${more}`)
    },
  }
}

function refused(status: number): Buffer {
  const error = `the recorded status ${status} cannot be given inside a process`
  return Buffer.from(JSON.stringify({ error, code: 'NotRecorded', status: 'error' }))
}

/** Under another binding than the recorded one a mock would confuse operations, without a word. */
function bindingOf(recording: Recording, { binding }: InProcessOptions): BindingData {
  const given = binding === undefined ? undefined : { data: loadBinding(binding, process.cwd()), from: 'binding' }
  try {
    return bindingFor([recording], given).data
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown
    const hint = 'give it as the option `binding`, or `default` to do without'
    throw new UsageError(...thrown.problems.map((problem) => ({ ...problem, hint })))
  }
}

/** A browser talks to others as well, which may have answered the same paths. */
async function* meant(recording: Recording, scan: Scan): AsyncGenerator<Exchange> {
  for await (const exchange of recording.exchanges()) if (!isOtherServer(scan, exchange.request.url)) yield exchange
}

function baseOf(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new UsageError({ where: 'baseUrl', what: 'is not a URL', hint: 'write http://host:port or https://host' })
  }
}
