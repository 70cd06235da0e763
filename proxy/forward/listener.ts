import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { answerWith, type OwnAnswer, rawAnswer } from './answers.ts'
import type { Forwarder } from './forwarder.ts'
import { MOST_HEADER_BYTES } from './http-proxy.ts'

export interface ListenerOptions {
  readonly forwarder: Forwarder
  /** PEM of the certificate that the proxy shows; undefined: it speaks plain http */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** told of what was not forwarded */
  readonly onRefused?: ((reason: string) => void) | undefined
}

/**
 * Connections that may wait to be accepted; the system may allow fewer. Node's own 511 are soon used up when many
 * clients come at once. A client that is turned away tries again only a second later.
 */
export const BACKLOG: number = 4_096

/** Milliseconds that an idle connection of a client is kept: longer than most clients keep theirs. */
const KEEP_ALIVE_MS = 75_000

/** A server that forwards what it may and refuses the rest. It does not listen yet. */
export function createListener(options: ListenerOptions): Server {
  const { forwarder } = options
  const settings = {
    maxHeaderSize: MOST_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A body may take as long as it takes; only its head may not.
    requestTimeout: 0,
    noDelay: true,
  }
  const server = options.tls ? createHttpsServer({ ...settings, ...options.tls }) : createHttpServer(settings)
  server.maxHeadersCount = 0

  const take = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const refusal = refusalOf(request, forwarder.target.authority)
    if (refusal === undefined) {
      forwarder.forward(request, response, expectsContinue)
      return
    }
    options.onRefused?.(refusal.error)
    answerWith(response, refusal)
    request.resume()
  }
  server.on('request', (request, response) => take(request, response, false))
  // Whether the body may come is the target's to say.
  server.on('checkContinue', (request, response) => take(request, response, true))
  server.on('checkExpectation', (request, response) => take(request, response, false))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    options.onRefused?.(NO_TUNNEL.error)
    socket.on('error', () => {})
    socket.end(rawAnswer(NO_TUNNEL, 'Method Not Allowed'))
  })
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    options.onRefused?.(`a request that is not HTTP (${error.code ?? error.message})`)
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = tooLarge ? 431 : late ? 408 : 400
    const reason = tooLarge ? 'Request Header Fields Too Large' : late ? 'Request Timeout' : 'Bad Request'
    socket.end(rawAnswer({ status, code: reason.replaceAll(' ', ''), error: `assay: ${error.message}` }, reason))
  })
  return server
}

const NO_TUNNEL: OwnAnswer = {
  status: 405,
  code: 'MethodNotAllowed',
  error: 'assay: this proxy opens no tunnels; it forwards to one target',
}

/** Why a request is not forwarded; undefined: it is. `authority`: host and port of the target, lower case. */
function refusalOf(request: IncomingMessage, authority: string): OwnAnswer | undefined {
  const url = request.url ?? '/'
  if (!url.startsWith('/') && url !== '*') {
    const path = pathAtTarget(url, [authority, ...ownAuthorities(request)])
    if (path === undefined) {
      return {
        status: 421,
        code: 'MisdirectedRequest',
        error: 'assay: this proxy forwards to one target only, and the request names another host',
      }
    }
    request.url = path
  }
  const { upgrade } = request.headers
  // Declining HTTP/2 by going on in HTTP/1.1 is what its clients expect; other protocols have no such way.
  if (upgrade !== undefined && !/^h2c?$/i.test(upgrade.trim())) {
    return { status: 501, code: 'NotImplemented', error: `assay: upgrades are not forwarded (${upgrade.slice(0, 64)})` }
  }
  return undefined
}

/** Path and query of an absolute request target, where it names one of the `authorities`. */
function pathAtTarget(url: string, authorities: readonly string[]): string | undefined {
  const [, named, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (named === undefined || path === undefined || !authorities.includes(named.toLowerCase())) return undefined
  return path.startsWith('/') ? path : `/${path}`
}

/** Host and port under which the client reached the proxy. */
function ownAuthorities({ socket }: IncomingMessage): string[] {
  const address = socket.localAddress ?? ''
  const host = address.includes(':') ? `[${address}]` : address
  return [`${host}:${socket.localPort}`, `localhost:${socket.localPort}`]
}
