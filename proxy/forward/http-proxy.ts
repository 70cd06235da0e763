import type { Agent, ClientRequest } from 'node:http'
import { createRequire } from 'node:module'
import util from 'node:util'
import type httpProxy from 'http-proxy'

import type { Loops } from './loop.ts'
import type { Passage, Send } from './passage.ts'
import type { Target } from './target.ts'

/** Header fields of any number and length that a server could still mean seriously. */
export const MOST_HEADER_BYTES: number = 256 * 1024

/**
 * Sends requests with http-proxy. It makes the request to the target, pipes the body into it, and reports the request
 * (`proxyReq`) and errors. The passage deals with the answer (`selfHandleResponse`). `loops`: told of each connection.
 */
export function createSend(target: Target, loops: Pick<Loops, 'note'>): Send {
  keepMethods(target.agent)
  const proxy = loadHttpProxy().createProxyServer({
    target: target.address,
    agent: target.agent,
    selfHandleResponse: true,
    // The path is ours. Node warns of `url.parse`, which reads the client's otherwise.
    ignorePath: true,
    toProxy: true,
  })
  proxy.on('proxyReq', (upstream, _request, _response, options) => {
    takeAllFields(upstream)
    if (upstream.socket) loops.note(upstream.socket)
    ;(options as Options).passage.attach(upstream)
  })
  return (passage, body) => {
    try {
      const options: Options = { ssl: unchangeable(passage), passage, ...(body && { buffer: body }) }
      proxy.web(passage.request, passage.response, options, (error) => passage.fail(error))
    } catch (error) {
      passage.fail(error)
    }
  }
}

interface Options extends httpProxy.ServerOptions {
  readonly passage: Passage
}

/**
 * Any number of header fields is read of an answer, not the first 2,000. Node's client copies its `maxHeadersCount` into
 * its parser before http-proxy tells of the request, so it is set there (`bytes.test.ts`).
 */
function takeAllFields(upstream: ClientRequest & { parser?: { maxHeaderPairs: number } | null }): void {
  if (upstream.parser) upstream.parser.maxHeaderPairs = 0
}

/**
 * Methods differ by the case of their letters (RFC 9110, 9.1), and Node's client knows capital ones alone. It would send
 * `connect` as `CONNECT`, and then wait for a tunnel. Its agent gets a request when the head is made, and nothing sent.
 */
function keepMethods(agent: Agent & { addRequest?(request: Made, options: { method: string }): void }): void {
  const add = agent.addRequest
  agent.addRequest = (request, options) => {
    const { method } = options
    if (request.method !== method) {
      request._header = `${method}${request._header.slice(method.length)}`
      request.method = method
    }
    add?.call(agent, request, options)
  }
}

interface Made extends ClientRequest {
  _header: string
}

/**
 * What http-proxy hands to Node's client: `ssl` is where its options begin. http-proxy then assigns headers and path,
 * without effect, since they cannot be written. None of its options would do. Its `headers` is an object, which loses
 * the order, the case and the duplicates of fields. Each path that it makes loses double slashes. A recorded request
 * has to reach the target as it would without a proxy (`bytes.test.ts` tests each of these). Node's client takes a flat
 * list as well. Accessors in place of what cannot be written would do, and took three times as long.
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
