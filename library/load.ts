import { loadBinding } from '../engine/config/binding.ts'
import { UsageError } from '../engine/errors.ts'
import { bindingFor } from '../engine/recordings/recorded-binding.ts'
import { loadMock, type Mock } from '../fixtures/mock/mock.ts'
import { openUnchanged, type Recording } from '../fixtures/recording/read.ts'
import { type Scan, scanRecording } from '../fixtures/replay/plan/scan.ts'
import { isOtherServer } from '../fixtures/replay/plan/servers.ts'
import { readBody } from '../fixtures/segments/bodies.ts'
import { type BindingData, resolveBinding } from '../schemas/binding.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { withoutSlash } from '../schemas/url.ts'
import { asUsage } from './wrong-use.ts'

/** How a recording stands in for a server inside a process. */
export interface InProcessOptions {
  /** base URL that the client uses; default: the one of the recording */
  readonly baseUrl?: string
  /**
   * binding of the recorded target, which tells operations apart: name of a shipped one, or path of a file. Default: the one
   * that it was recorded with, or `default` where the recording names none
   */
  readonly binding?: string
  /** `done()` fails where a recorded exchange was not asked for */
  readonly strict?: boolean
}

export interface InProcess {
  readonly mock: Mock
  /** name of the binding that the recording is read under */
  readonly binding: string
  /** scheme, host and port that are answered for */
  readonly origin: string
  /** requests that were not recorded, one line each */
  readonly unknown: string[]
  /** @throws an error that lists requests that were not recorded and, with `strict`, exchanges that were not asked for */
  check(): void
}

const MOST_LISTED = 10

/**
 * @throws UsageError where the recording cannot be read or holds nothing, names a binding that is not at hand, or the base
 * URL is none
 */
export async function loadInProcess(path: string, options: InProcessOptions): Promise<InProcess> {
  try {
    return await load(path, options.baseUrl === undefined ? undefined : baseOf(options.baseUrl), options)
  } catch (thrown) {
    throw asUsage(thrown)
  }
}

async function load(path: string, given: URL | undefined, options: InProcessOptions): Promise<InProcess> {
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
    recordedBase: basePath,
    servedBase: withoutSlash(base.pathname),
    wholeBody: (name) => readBody(recording.folder, name),
  })
  const unknown: string[] = []
  return {
    mock,
    binding: data.name,
    origin: base.origin,
    unknown,
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
