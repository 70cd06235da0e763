import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Stream } from 'node:stream'
import util from 'node:util'
import type httpProxy from 'http-proxy'

import type { Loops } from './loop.ts'
import type { Passage, Send } from './passage.ts'
import type { Target } from './target.ts'

// Every liberty that is taken with http-proxy, and with Node's client below it. Each says why, and `http-proxy.test.ts` tells
// when a new version does otherwise.

/** Header fields of any number and length that a server could still mean seriously. */
export const MOST_HEADER_BYTES: number = 256 * 1024

/**
 * Sends requests with http-proxy. It makes the request to the target, and reports the request (`proxyReq`) and errors. The
 * passage deals with all else. `loops`: told of each connection.
 */
export function createSend(target: Target, loops: Pick<Loops, 'note'>): Send {
  const proxy = loadHttpProxy().createProxyServer({
    target: target.address,
    agent: target.agent,
    selfHandleResponse: true,
    // The path is ours. Node warns of `url.parse`, which reads the client's otherwise.
    ignorePath: true,
    toProxy: true,
  })
  proxy.on('proxyReq', (upstream, _request, _response, options) => {
    const { passage } = (options as Options).buffer
    takeAllFields(upstream)
    if (upstream.socket) loops.note(upstream.socket)
    passage.attach(upstream)
  })
  return (passage) => {
    const { method = 'GET' } = passage.request
    const buffer = {
      passage,
      pipe(upstream: Made) {
        keepMethod(upstream, method)
        passage.pipe(upstream)
      },
    }
    const options: Options = { ssl: unchangeable(passage), method, buffer: buffer as Options['buffer'] }
    try {
      proxy.web(REQUEST, RESPONSE, options, (error) => passage.fail(error))
    } catch (error) {
      passage.fail(error)
    }
  }
}

interface Options extends httpProxy.ServerOptions {
  /** http-proxy pipes it to the target in place of the client's request: so the passage gets hold of what it pipes to. */
  readonly buffer: Stream & { readonly passage: Passage }
}

interface Made extends ClientRequest {
  _header: string
}

/**
 * http-proxy reads and changes the client's request, listens to it, and writes the response. The passage does all of that
 * better, and most of it once. So http-proxy gets a request without a head that never ends, and a response that is over.
 */
const REQUEST = {
  method: 'GET',
  url: '',
  headers: {},
  socket: { destroyed: false },
  on() {},
} as unknown as IncomingMessage
const RESPONSE = { headersSent: true, finished: true } as ServerResponse

/**
 * Any number of header fields is read of an answer, not the first 2,000. Node's client copies its `maxHeadersCount` into
 * its parser before http-proxy tells of the request, so it is set there.
 */
function takeAllFields(upstream: ClientRequest & { parser?: { maxHeaderPairs: number } | null }): void {
  if (upstream.parser) upstream.parser.maxHeaderPairs = 0
}

/**
 * Methods differ by the case of their letters (RFC 9110, 9.1), and Node's client knows capital ones alone. It would send
 * `connect` as `CONNECT`, and then wait for a tunnel. The head is made by now, and not sent yet.
 */
function keepMethod(upstream: Made, method: string): void {
  if (upstream.method === method) return
  upstream._header = `${method}${upstream._header.slice(method.length)}`
  upstream.method = method
}

/**
 * What http-proxy hands to Node's client: `ssl` is where its options begin. http-proxy then assigns headers and path,
 * without effect, since they cannot be written. None of its options would do. Its `headers` is an object, which loses
 * the order, the case and the duplicates of fields. A recorded request has to reach the target as it would without a
 * proxy. Node's client takes a flat list as well. Accessors in place of what cannot be written took three times as long.
 */
function unchangeable({ headers, path }: Passage): Record<string, unknown> {
  const options = { maxHeaderSize: MOST_HEADER_BYTES }
  Object.defineProperty(options, 'headers', { value: headers, enumerable: true })
  return Object.defineProperty(options, 'path', { value: path, enumerable: true })
}

/**
 * http-proxy, loaded in such a way that it copies objects with `Object.assign`. It uses `util._extend`, of which newer
 * versions of Node warn users who can do nothing about it.
 */
function loadHttpProxy(): typeof httpProxy {
  const shared = util as { _extend?: unknown }
  const before = shared._extend
  shared._extend = Object.assign
  try {
    return createRequire(import.meta.url)('http-proxy') as typeof httpProxy
  } finally {
    shared._extend = before
  }
}
