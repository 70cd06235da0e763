import { MockAgent } from 'undici'
import type { HarHeader } from '../../schemas/types/exchange.ts'
import { type InProcessOptions, loadInProcess, reasonIn } from './load.ts'

export type { InProcessOptions } from './load.ts'

/** A recording that answers the requests of clients that use its dispatcher. */
export interface AgentRecording {
  /** for `setGlobalDispatcher`, or for the `dispatcher` option of `request` and `fetch` */
  readonly agent: MockAgent
  /** scheme, host and port that are answered for */
  readonly origin: string
  /**
   * Closes the agent.
   * @throws an error that lists requests that were not recorded and, with `strict`, exchanges that nobody asked for
   */
  done(): Promise<void>
}

/**
 * The twin of `mockWithNock` for clients of undici: an agent that answers from a recording. Requests to other origins
 * fail. Bodies have to be strings or bytes: streams cannot be looked at.
 * `recording`: folder of a recording, evidence of a run, or HAR file. @throws RecordingError, and an error where the
 * recording names a binding that does not ship with assay and none is given
 */
export async function mockWithUndici(recording: string, options: InProcessOptions = {}): Promise<AgentRecording> {
  const { mock, origin, unknown, check } = await loadInProcess(recording, options)
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent
    .get(origin)
    .intercept({ path: () => true, method: () => true })
    .reply((asked) => {
      const { method, path } = asked
      const answer = mock.answer({ method, url: path, headers: headersOf(asked.headers), body: textOf(asked.body) })
      if (!answer.exchange) unknown.push(`${method} ${origin}${path}: ${reasonIn(answer.body)}`)
      const headers = Object.fromEntries(answer.headers.map(({ name, value }) => [name, value]))
      return { statusCode: answer.status, data: answer.body, responseOptions: { headers } }
    })
    .persist()
  return {
    agent,
    origin,
    async done() {
      await agent.close()
      check()
    },
  }
}

/** Headers come as an object, as a flat list, or as pairs. */
function headersOf(headers: unknown): HarHeader[] {
  if (headers === undefined || headers === null) return []
  if (Array.isArray(headers)) {
    const flat = headers.flat() as unknown[]
    return flat.flatMap((name, index) =>
      index % 2 === 0 ? [{ name: String(name), value: String(flat[index + 1]) }] : [],
    )
  }
  const entries =
    typeof (headers as { entries?: unknown }).entries === 'function'
      ? [...(headers as Headers).entries()]
      : Object.entries(headers as Record<string, unknown>)
  return entries.map(([name, value]) => ({ name, value: String(value) }))
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  return undefined
}
