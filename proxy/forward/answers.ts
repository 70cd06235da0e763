import { type ServerResponse, STATUS_CODES } from 'node:http'

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
