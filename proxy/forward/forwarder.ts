import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Stream } from 'node:stream'
import type httpProxy from 'http-proxy'
import type { Gate } from './gate.ts'
import { loadHttpProxy } from './http-proxy.ts'
import type { Observe } from './observer.ts'
import { Passage } from './passage.ts'
import { openTarget, type Target, type TargetOptions } from './target.ts'

export interface ForwarderOptions {
  readonly target: TargetOptions
  readonly observe: Observe
  /** undefined: nothing is judged on the path */
  readonly gate?: Gate | undefined
  /** told of each request that could not be sent since this machine had no room for it, with the code of the error */
  readonly onLocalFault?: ((code: string) => void) | undefined
}

/** Takes requests to the target and its answers back. */
export interface Forwarder {
  readonly target: Target
  forward(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void
  /** exchanges under way */
  readonly active: () => number
  /** closes the idle connections to the target */
  close(): void
}

/** Header fields of any number and length that a server could still mean seriously. */
export const MOST_HEADER_BYTES: number = 256 * 1024

/**
 * Forwards over http-proxy. It makes the request to the target and reports what becomes of it; headers, bodies and ends
 * are dealt with here, since it loses order, case and duplicates of fields, trailers and double slashes, keeps what is
 * meant for one hop, mends the length of chunked requests wrongly, and forgets the other side when one side dies.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const target = openTarget(options.target)
  const proxy = loadHttpProxy().createProxyServer({
    target: target.address,
    agent: target.agent,
    selfHandleResponse: true,
  })
  onlyStream(proxy)
  let active = 0

  const send = (passage: Passage): void => {
    try {
      proxy.web(passage.request, passage.response, outgoing(passage), (error) => passage.fail(error))
    } catch (error) {
      passage.fail(error)
    }
  }

  return {
    target,
    forward(request, response, expectsContinue) {
      active += 1
      const observer = options.observe(request)
      const done = (): void => {
        active -= 1
      }
      const { gate, onLocalFault } = options
      new Passage(request, response, target, send, observer, gate, expectsContinue, done, onLocalFault).start()
    },
    active: () => active,
    close: () => target.agent.destroy(),
  }
}

/**
 * What http-proxy hands to Node's client. It would copy headers into an object and rewrite the path; it assigns to both
 * in vain here, since they cannot be written. Accessors would do as well, three times as slowly. Its `pipe` of the body
 * becomes ours.
 */
function outgoing(passage: Passage): httpProxy.ServerOptions {
  const ssl = { maxHeaderSize: MOST_HEADER_BYTES }
  Object.defineProperty(ssl, 'headers', { value: passage.headers, enumerable: true })
  Object.defineProperty(ssl, 'path', { value: passage.path, enumerable: true })
  const buffer = { pipe: (upstream: ClientRequest) => passage.attach(upstream) }
  return { ssl, buffer: buffer as unknown as Stream, ignorePath: true, toProxy: true }
}

/**
 * Of http-proxy's passes only the one that forwards stays. The one that gives a DELETE a length of nothing would let
 * the body of a chunked one stand for a second request.
 */
function onlyStream(proxy: httpProxy): void {
  const inner = proxy as unknown as { webPasses: ((...args: unknown[]) => unknown)[] }
  inner.webPasses = inner.webPasses.filter((pass) => pass.name === 'stream')
  if (inner.webPasses.length !== 1) throw new Error('http-proxy has changed: its pass named stream is gone')
}
