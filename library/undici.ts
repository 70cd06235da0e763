import { type Dispatcher, FormData, MockAgent, Response } from 'undici'
import { writableHeaders } from '../engine/mock/headers.ts'
import type { HarHeader } from '../schemas/types/exchange.ts'
import { type InProcessOptions, loadInProcess } from './load.ts'

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
 * Does for clients of undici what `mockWithNock` does for others: an agent that answers from a recording. Requests to other origins
 * fail. Bodies may be whatever undici sends, packed or not; each agent has a recording of its own, of whatever origin.
 * `recording`: folder of a recording, evidence of a run, or HAR file. @throws an error with `exitCode` 2 and
 * `problems`. The recording cannot be read, or names a binding that does not ship with assay and none is given
 */
export async function mockWithUndici(recording: string, options: InProcessOptions = {}): Promise<AgentRecording> {
  const { answer, origin, check } = await loadInProcess(recording, options)
  const agent = new ReadingAgent()
  agent.disableNetConnect()
  agent
    .get(origin)
    .intercept({ path: () => true, method: () => true })
    .reply(({ method, path, headers: given, body: sent }) => {
      const bytes = bytesOf(sent) ?? Buffer.alloc(0)
      const { status, headers, body } = answer({ method, url: path, headers: headersOf(given), bytes })
      return { statusCode: status, data: body, responseOptions: { headers: gathered(headers) } }
    })
    .persist()
  let closed: Promise<void> | undefined
  return {
    agent,
    origin,
    async done() {
      closed ??= agent.close()
      await closed
      check()
    },
  }
}

/** A MockAgent asks for its answers at once: bodies that come by and by are read before. */
class ReadingAgent extends MockAgent {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { body } = options
    if (body === undefined || body === null || bytesOf(body) !== undefined) return super.dispatch(options, handler)
    const failed = (thrown: unknown): void => {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      if (handler.onError) handler.onError(error)
      else handler.onResponseError?.(UNBEGUN, error)
    }
    wholeOf(Object(body))
      .then((bytes) => super.dispatch({ ...options, body: bytes }, handler))
      .catch(failed)
    return true
  }
}

/** For a request that was never sent: there is nothing to stop. */
const UNBEGUN: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
}

/** The bytes of a body that is at hand; undefined: it has to be read first, or there is none. */
function bytesOf(body: unknown): Buffer | undefined {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body))
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer || body instanceof SharedArrayBuffer) return Buffer.from(body)
  return undefined
}

/** Reads a blob, a form, a stream, or anything else that gives its parts one after the other. */
async function wholeOf(body: object): Promise<Buffer> {
  // Node has a copy of undici of its own, and neither knows the forms of the other.
  if (body instanceof globalThis.FormData) return Buffer.from(await new globalThis.Response(body).arrayBuffer())
  if (body instanceof FormData) return Buffer.from(await new Response(body).arrayBuffer())
  if (body instanceof Blob) return Buffer.from(await body.arrayBuffer())
  const parts: Buffer[] = []
  for await (const part of body as AsyncIterable<unknown>) parts.push(bytesOf(part) ?? Buffer.alloc(0))
  return Buffer.concat(parts)
}

/** Fields that stand there several times, with all their values. undici itself makes UTF-8 of each. */
function gathered(headers: readonly HarHeader[]): Record<string, string | string[]> {
  const all = new Map<string, string[]>()
  for (const header of headers) {
    if (writableHeaders([header]).flat.length === 0) continue
    const name = header.name.toLowerCase()
    all.set(name, [...(all.get(name) ?? []), header.value])
  }
  return Object.fromEntries([...all].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
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
