import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isNoConnection } from '../../fixtures/http/retry.ts'
import { describe as inWords } from '../../fixtures/http/wire.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import { pairs } from './headers.ts'

/** An answer that the proxy gives itself, in the form of the error responses of the specification. */
export interface OwnAnswer {
  readonly status: number
  readonly code: string
  readonly error: string
  /** more fields of the body */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Gives an answer of the proxy's own, or ends the connection where another had begun. */
export function answerWith(response: ServerResponse, answer: OwnAnswer): void {
  if (response.destroyed || response.writableEnded) return
  if (response.headersSent) {
    cutOff(response, response.chunkedEncoding)
    return
  }
  const body = ownBody(answer)
  const unread = !response.req.complete
  // With its reason: one of the target's that could not be written may be left from an attempt before.
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    // What the client still sends would have to be read only to be thrown away.
    ...(unread ? ['Connection', 'close'] : []),
  ])
  response.end(body)
}

/** The same for a socket that carries no response object: CONNECT and requests that cannot be read. */
export function rawAnswer(answer: OwnAnswer, reason: string): string {
  const body = ownBody(answer)
  return `HTTP/1.1 ${answer.status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
}

/**
 * Ends an answer that cannot be finished so that the client sees that it is not whole. Where only the end of the
 * connection tells the end of the body (not `delimited`), that takes a reset.
 */
export function cutOff(response: ServerResponse, delimited: boolean): void {
  const { socket } = response
  if (socket && !delimited && !socket.destroyed) socket.resetAndDestroy()
  else response.destroy()
}

function ownBody({ error, code, more }: OwnAnswer): Buffer {
  return Buffer.from(JSON.stringify({ error, code, status: 'error', ...more }))
}

const NAMES: Readonly<Record<number, string>> = { 102: 'Processing', 103: 'Early Hints' }

/**
 * Passes on what the target says before its answer (1xx). A client of HTTP/1.0 knows none of it; 100 is for one that waits
 * for it (`expectsContinue`). False: the client has to read before it gets more.
 */
export function passInformation(
  { httpVersion }: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  status: number,
  headers: readonly string[],
): boolean {
  if (httpVersion === '1.0' || status === 101 || response.headersSent) return true
  if (status === 100) {
    if (expectsContinue) response.writeContinue()
    return true
  }
  let head = `HTTP/1.1 ${status} ${NAMES[status] ?? 'Information'}\r\n`
  for (const [name, value] of pairs(headers)) head += `${name}: ${value}\r\n`
  return response.socket?.write(`${head}\r\n`, 'latin1') ?? true
}

/** From the head of `answer` on a client gets what the target says, whatever that is. `first`: bytes that came with the head. */
export function join(answer: IncomingMessage, target: Socket, first: Buffer, client: Socket): void {
  const { statusCode, statusMessage, rawHeaders } = answer
  const fields = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  client.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${fields.join('')}\r\n`, 'latin1')
  client.write(first)
  target.on('error', () => client.destroy())
  target.on('timeout', () => target.destroy())
  target.on('close', () => client.end())
  client.on('close', () => target.destroy())
  target.pipe(client)
}

/** What this machine has no more of: no fault of the target, which never heard of the request. */
const LOCAL = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])

/** The code of an error of this machine itself; undefined: it may be the target's. */
export function localFault(error: unknown): string | undefined {
  const code = codeOf(error)
  return LOCAL.has(code) ? code : undefined
}

/** What became of an exchange whose target gave no answer. */
export function outcomeOf(error: unknown): ExchangeOutcome {
  const code = codeOf(error)
  if (LOCAL.has(code)) return 'interrupted'
  if (isNoConnection(code)) return 'refused'
  if (code.startsWith('HPE_') || code.startsWith('ERR_INVALID') || code.startsWith('ERR_HTTP')) return 'protocol-error'
  if (code === 'ETIMEDOUT') return 'timeout'
  return 'reset'
}

/** The answer to the client in the target's place. */
export function answerTo(outcome: ExchangeOutcome, error: unknown): OwnAnswer {
  if (outcome === 'timeout') {
    return { status: 504, code: 'GatewayTimeout', error: 'assay: the target did not answer in time' }
  }
  const local = localFault(error)
  if (local !== undefined) {
    const error = `assay: this proxy can open no more connections (${local}); the target was not asked`
    return { status: 503, code: 'ServiceUnavailable', error }
  }
  return {
    status: 502,
    code: 'BadGateway',
    error: `assay: ${SAID[outcome] ?? 'the target failed'} (${describe(error)})`,
  }
}

const SAID: Partial<Readonly<Record<ExchangeOutcome, string>>> = {
  refused: 'the target cannot be reached',
  reset: 'the target closed the connection without a response',
  truncated: 'the target ended in mid-response',
  'protocol-error': 'the response of the target is not HTTP',
}

/** An error in one line. */
export function describe(error: unknown): string {
  return error === undefined ? 'no more is known' : inWords(error).replaceAll(/\s+/g, ' ')
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

/** Whether a connection was closed by the other side. */
export function isReset(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Whether what was read is not HTTP. */
export function isNonsense(error: unknown): boolean {
  return codeOf(error).startsWith('HPE_')
}
