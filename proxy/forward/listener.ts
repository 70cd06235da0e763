import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { answerWith, type OwnAnswer, rawAnswer } from './answers.ts'
import type { Forwarder } from './forwarder.ts'
import { MOST_HEADER_BYTES } from './http-proxy.ts'
import { mend, noteAsSent, setTarget, targetOf } from './mended.ts'

export interface ListenerOptions {
  readonly forwarder: Forwarder
  /** PEM of the certificate that the proxy shows; undefined: it speaks plain http */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** told why a request was not forwarded: one of few reasons, in none of which a client has a word */
  readonly onRefused?: ((reason: string) => void) | undefined
  /** milliseconds that the head of a request may take */
  readonly headMs?: number | undefined
}

/**
 * Connections that may wait to be accepted; the system may allow fewer. Node's own 511 are soon used up when many
 * clients come at once. A client that is turned away tries again only a second later.
 */
export const BACKLOG: number = 4_096

/** Milliseconds that an idle connection of a client is kept: longer than most clients keep theirs. */
const KEEP_ALIVE_MS = 75_000
/** Milliseconds that the head of a request may take, and between two looks at all that are not whole. */
const HEAD_MS = 60_000
const LOOK_MS = 5_000

/** A server that forwards what it may and refuses the rest. It does not listen yet. */
export function createListener(options: ListenerOptions): Server {
  const { forwarder, headMs = HEAD_MS } = options
  const settings = {
    maxHeaderSize: MOST_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A body may take as long as it takes. Without its own bound, the head would have that of the whole request: none.
    requestTimeout: 0,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, headMs),
    noDelay: true,
    // Node would refuse a request without one by itself, and nobody would hear of it.
    requireHostHeader: false,
  }
  const server = options.tls ? createHttpsServer({ ...settings, ...options.tls }) : createHttpServer(settings)
  server.maxHeadersCount = 0

  const tell = ({ error }: OwnAnswer): void => options.onRefused?.(error.replace('assay: ', ''))
  const take = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const refusal = forwarder.isOwn(request) ? LOOP : refusalOf(request, forwarder.target.authority)
    if (refusal === undefined) {
      forwarder.forward(request, response, expectsContinue)
      return
    }
    tell(refusal)
    answerWith(response, refusal)
    request.resume()
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, noteAsSent)
  server.on('request', (request, response) => inTurn(response, () => take(request, response, false)))
  // Whether the body may come is the target's to say.
  server.on('checkContinue', (request, response) => inTurn(response, () => take(request, response, true)))
  server.on('checkExpectation', (request, response) => inTurn(response, () => take(request, response, false)))
  server.on('connect', (_request: IncomingMessage, socket: Client) => {
    tell(NO_TUNNEL)
    socket.on('error', () => {})
    // Node has let go of the connection: an answer that is still to come would wait for ever.
    if (isAnswered(socket)) socket.end(rawAnswer(NO_TUNNEL, 'Method Not Allowed'))
    else socket.destroy()
  })
  server.on('clientError', (error: Error & { code?: string }, socket: Client) => {
    if (isAnswered(socket) && mend(server, error, socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    options.onRefused?.(`it is not HTTP (${error.code ?? 'the reason is not known'})`)
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = tooLarge ? 431 : late ? 408 : 400
    const reason = tooLarge ? 'Request Header Fields Too Large' : late ? 'Request Timeout' : 'Bad Request'
    endWith(socket, rawAnswer({ status, code: reason.replaceAll(' ', ''), error: `assay: ${error.message}` }, reason))
  })
  return server
}

const LAST = Symbol('last')
const WAITING = Symbol('waiting')

/** A connection of a client, the last request on it, and how many of its requests wait for their turn. */
interface Client extends Socket {
  [LAST]?: ServerResponse
  [WAITING]?: number
}

/** Requests of one client that wait for their turn before no more of them are read. */
const MOST_WAITING = 32

/**
 * Deals with a request once all earlier ones on its connection are answered. The target gets them in the order in which
 * a client sends them without waiting for answers. And when the client leaves, none of them is left over.
 */
function inTurn(response: ServerResponse, take: () => void): void {
  const client = response.req.socket as Client
  client[LAST] = response
  if (response.socket !== null) {
    take()
    return
  }
  const waiting = (client[WAITING] ?? 0) + 1
  client[WAITING] = waiting
  // Node reads on by itself after each request, so a moment later.
  if (waiting >= MOST_WAITING) process.nextTick(() => (client[WAITING] ?? 0) >= MOST_WAITING && client.pause())
  response.once('socket', () => {
    const left = (client[WAITING] ?? 1) - 1
    client[WAITING] = left
    if (left === MOST_WAITING - 1) client.resume()
    take()
  })
}

/** Whether nothing is left to be answered on a connection. */
function isAnswered({ [LAST]: last }: Client): boolean {
  return last === undefined || last.writableFinished
}

/** Says the last word on a connection whose next bytes cannot be read, where no answer to something else can stand. */
function endWith(client: Client, text: string): void {
  const { [LAST]: last } = client
  const end = (): void => {
    if (client.writable) client.end(text)
  }
  if (last === undefined || (last.writableFinished && last.req.complete)) end()
  else if (last.req.complete) last.once('close', end)
  // From here on they are bytes of its own body.
  else if (last.headersSent) client.resetAndDestroy()
  else if (last.socket !== null) end()
  else last.removeAllListeners('socket').once('socket', end)
}

const NO_TUNNEL: OwnAnswer = {
  status: 405,
  code: 'MethodNotAllowed',
  error: 'assay: this proxy opens no tunnels; it forwards to one target',
}

const LOOP: OwnAnswer = {
  status: 508,
  code: 'LoopDetected',
  error: 'assay: the target leads back to this proxy; name the address of the server itself as target',
}

const NO_HOST: OwnAnswer = {
  status: 400,
  code: 'BadRequest',
  error: 'assay: the request has no Host, which HTTP/1.1 requires',
}

const ELSEWHERE: OwnAnswer = {
  status: 421,
  code: 'MisdirectedRequest',
  error: 'assay: this proxy forwards to one target only, and the request names another host',
}

const NO_WEBSOCKET: OwnAnswer = {
  status: 501,
  code: 'NotImplemented',
  error: 'assay: WebSocket is not forwarded; this proxy records requests and responses of HTTP',
}

/** Why a request is not forwarded; undefined: it is. `authority`: host and port of the target, lower case. */
function refusalOf(request: IncomingMessage, authority: string): OwnAnswer | undefined {
  const target = targetOf(request)
  if (!target.startsWith('/') && target !== '*') {
    const path = pathAtTarget(target, [authority, ...ownAuthorities(request)])
    if (path === undefined) return ELSEWHERE
    // The server as a whole is asked so by way of a proxy (RFC 9112, 3.2.4).
    setTarget(request, path === '' && request.method === 'OPTIONS' ? '*' : path.startsWith('/') ? path : `/${path}`)
  }
  const { upgrade, connection, host } = request.headers
  if (host === undefined && request.httpVersion !== '1.0') return NO_HOST
  // An offer may be declined by going on in HTTP/1.1 (RFC 9110, 7.8). Clients of WebSocket alone have no use for that.
  return lists(upgrade, 'websocket') && lists(connection, 'upgrade') ? NO_WEBSOCKET : undefined
}

/** Whether a header field that is a list has a word. `wanted`: in small letters. */
function lists(value: string | undefined, wanted: string): boolean {
  return value?.split(',').some((one) => one.trim().toLowerCase() === wanted) === true
}

/** Path and query of an absolute request target, where it names one of the `authorities`. */
function pathAtTarget(url: string, authorities: readonly string[]): string | undefined {
  const [, named, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  return named !== undefined && authorities.includes(named.toLowerCase()) ? path : undefined
}

/** Host and port under which the client reached the proxy. */
function ownAuthorities({ socket }: IncomingMessage): string[] {
  const address = socket.localAddress ?? ''
  const host = address.includes(':') ? `[${address}]` : address
  return [`${host}:${socket.localPort}`, `localhost:${socket.localPort}`]
}
