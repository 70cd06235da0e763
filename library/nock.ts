import nock from 'nock'
import { UsageError } from '../engine/errors.ts'
import { writableHeaders } from '../engine/mock/headers.ts'
import type { HarHeader } from '../schemas/types/exchange.ts'
import { type InProcessOptions, loadInProcess } from './load.ts'
import { asUsage } from './wrong-use.ts'

export type { InProcessOptions } from './load.ts'

/** A recording that answers the requests of this process. */
export interface NockedRecording {
  /** scheme, host and port that are answered for */
  readonly origin: string
  /**
   * Takes the interceptors away, as `restore` does.
   * @throws an error that lists requests that were not recorded and, with `strict`, exchanges that nobody asked for
   */
  done(): void
  /**
   * Takes the interceptors away, whatever was asked: requests to the origin go out to the network again. Only while
   * interceptors of your own stand for the same origin do these go on deciding what does.
   */
  restore(): void
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** origin -> what answers for it, and the recording that it answers from */
const open = new Map<string, { readonly scope: nock.Scope; readonly recording: string }>()

/**
 * Lets a recording answer every request of this process to one origin, by `http`, `https` and the global `fetch`.
 * Created things can be read back, deleted ones are gone. Any other request gets 501 and the nearest recorded request.
 * Other origins are left alone. Importing this module replaces `http.request` and `fetch` of the whole process; nothing
 * else of assay does. `recording`: folder of a recording, evidence of a run, or HAR file.
 * @throws an error with `exitCode` 2 and `problems` in three cases. The recording cannot be read. It names a binding
 * that does not ship with assay, and none is given. Another recording already answers for the origin
 */
export async function mockWithNock(recording: string, options: InProcessOptions = {}): Promise<NockedRecording> {
  const { answer, origin, check } = await loadInProcess(recording, options)
  refuseSecond(origin, recording)
  if (!nock.isActive()) nock.activate()
  const scope = nock(origin).persist()
  // nock would parse a body that calls itself JSON, and throw past everybody where it is none, or is packed.
  scope.on('request', (request: { headers: unknown }) => {
    request.headers = {}
  })
  for (const method of METHODS) {
    scope
      .intercept(() => true, method)
      .reply(function reply(uri, sent) {
        const request = this.req as unknown as NockRequest
        const given = { method, url: uri, headers: headersOf(request.getHeaders()), bytes: bytesOf(request, sent) }
        const { status, body, headers } = answer(given, MOST_STATUS)
        return [status, body, writableHeaders(headers).flat as unknown as nock.ReplyHeaders]
      })
  }
  open.set(origin, { scope, recording })
  const restore = (): void => {
    if (open.get(origin)?.scope !== scope) return
    open.delete(origin)
    for (const method of METHODS) {
      for (const interceptor of interceptorsOf(scope, method)) nock.removeInterceptor(interceptor)
    }
    letThrough(origin)
  }
  return {
    origin,
    restore,
    done() {
      restore()
      check()
    },
  }
}

/** nock makes a `Response` of each answer, which has no higher one: it throws past everybody. */
const MOST_STATUS = 599

/** The first would answer everything, the second be asked for nothing, and both look well. */
function refuseSecond(origin: string, recording: string): void {
  const first = open.get(origin)
  // `nock.cleanAll()` takes interceptors away without a word to those who set them.
  if (first === undefined || first.scope.activeMocks().length === 0) return
  const what = `cannot answer for ${origin}: ${first.recording} does so already`
  throw asUsage(new UsageError({ where: recording, what, hint: 'call its done() or restore() first' }))
}

/**
 * nock goes on refusing what it has once stood for, when the last interceptor is gone. It forgets that only for all origins
 * at once: where interceptors of others are left, the origin is marked as one that may be reached.
 */
function letThrough(origin: string): void {
  const left = nock.activeMocks()
  if (left.length === 0) {
    nock.cleanAll()
    return
  }
  const door = nock(origin, { allowUnmocked: true })
  const { basePath } = door as unknown as { readonly basePath: string }
  if (left.some((mock) => mock.includes(` ${basePath}/`))) return
  const interceptor = door.get('/')
  interceptor.reply()
  nock.removeInterceptor(interceptor)
}

function interceptorsOf(scope: nock.Scope, method: string): nock.Interceptor[] {
  const { interceptors = [] } = scope as unknown as { interceptors?: (nock.Interceptor & { method?: string })[] }
  return interceptors.filter((interceptor) => interceptor.method === method)
}

interface NockRequest {
  getHeaders(): Readonly<Record<string, string | string[] | number | undefined>>
  /** what was written */
  readonly requestBodyBuffers?: readonly Buffer[]
}

function headersOf(headers: ReturnType<NockRequest['getHeaders']>): HarHeader[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: String(one) })))
}

/** `sent`: the text of the body, or the hexadecimal digits of bytes that are none. */
function bytesOf({ requestBodyBuffers }: NockRequest, sent: unknown): Buffer {
  return requestBodyBuffers ? Buffer.concat(requestBodyBuffers) : Buffer.from(String(sent ?? ''))
}
