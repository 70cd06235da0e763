import nock from 'nock'
import type { HarHeader } from '../../schemas/types/exchange.ts'
import { type InProcessOptions, loadInProcess, reasonIn } from './load.ts'

export type { InProcessOptions } from './load.ts'

/** A recording that answers the requests of this process. */
export interface NockedRecording {
  /** scheme, host and port that are answered for */
  readonly origin: string
  /**
   * Takes the interceptors away.
   * @throws an error that lists requests that were not recorded and, with `strict`, exchanges that nobody asked for
   */
  done(): void
  /** Takes the interceptors away, whatever was asked. */
  restore(): void
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/**
 * Lets a recording answer every request of this process to one origin, by `http`, `https` and the global `fetch`: what
 * was created can be read back, what was deleted is gone. What was not recorded is answered with 501 and the nearest
 * recorded request. Other origins are left alone. Importing this module replaces `http.request` and `fetch` of the whole
 * process; nothing else of assay does.
 * `recording`: folder of a recording, evidence of a run, or HAR file. @throws RecordingError, and an error where the
 * recording names a binding that does not ship with assay and none is given
 */
export async function mockWithNock(recording: string, options: InProcessOptions = {}): Promise<NockedRecording> {
  const { mock, origin, unknown, check } = await loadInProcess(recording, options)
  if (!nock.isActive()) nock.activate()
  const scope = nock(origin).persist()
  for (const method of METHODS) {
    scope
      .intercept(() => true, method)
      .reply(function reply(uri, sent) {
        const request = this.req as unknown as { readonly headers: Readonly<Record<string, string | string[]>> }
        const answer = mock.answer({ method, url: uri, headers: headersOf(request.headers), body: textOf(sent) })
        if (!answer.exchange) unknown.push(`${method} ${origin}${uri}: ${reasonIn(answer.body)}`)
        const headers = answer.headers.flatMap(({ name, value }) => [name, value])
        return [answer.status, answer.body, headers as unknown as nock.ReplyHeaders]
      })
  }
  const restore = (): void => {
    for (const method of METHODS) {
      for (const interceptor of interceptorsOf(scope, method)) nock.removeInterceptor(interceptor)
    }
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

function interceptorsOf(scope: nock.Scope, method: string): nock.Interceptor[] {
  const { interceptors = [] } = scope as unknown as { interceptors?: (nock.Interceptor & { method?: string })[] }
  return interceptors.filter((interceptor) => interceptor.method === method)
}

function headersOf(headers: Readonly<Record<string, string | string[]>>): HarHeader[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: String(one) })))
}

/** nock parses JSON bodies; what they are compared by does not depend on their form. */
function textOf(sent: unknown): string | undefined {
  if (sent === undefined || sent === '') return undefined
  return typeof sent === 'string' ? sent : JSON.stringify(sent)
}
