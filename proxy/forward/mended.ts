import { type IncomingMessage, METHODS, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** A request line as its client wrote it, each byte as one character. */
interface RequestLine {
  readonly method: string
  readonly target: string
}

const MENDED: unique symbol = Symbol('mended')
const AS_SENT: unique symbol = Symbol('as sent')

interface Client extends Socket {
  /** the line of the next request on the connection; undefined: it is what was read */
  [MENDED]?: RequestLine | undefined
  parser?: { remove(): void } | null
}

const LINE_FEED = 10
const LINE = /^([!#$%&'*+.^_`|~\w-]+) (\S+) (HTTP\/1\.[01])\r?$/
/** What Node's parser says of a method that it does not know, and of bytes in a path that are no ASCII. */
const MENDABLE = new Set(['HPE_INVALID_METHOD', 'HPE_INVALID_URL'])

/**
 * Reads a request again whose line Node's parser refuses, though a target may take it. It has raw UTF-8 in its path, or a
 * method that Node does not know. The parser is given a line that it knows, and the target gets the line as it was sent. Every
 * earlier request of the connection has to be answered. False: the request cannot be mended.
 */
export function mend(server: Server, error: Error & { code?: string }, client: Client): boolean {
  const { rawPacket, bytesParsed = 0 } = error as { readonly rawPacket?: Buffer; readonly bytesParsed?: number }
  if (!MENDABLE.has(error.code ?? '') || rawPacket === undefined || client[MENDED]) return false
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(LINE_FEED, bytesParsed - 1) + 1
  const end = rawPacket.indexOf(LINE_FEED, start)
  const [, method, target, version] = LINE.exec(rawPacket.toString('latin1', start, end)) ?? []
  if (end < 0 || method === undefined || target === undefined) return false
  // Node lets go of a connection as soon as somebody else listens to it. Its parser would end the connection in a while.
  client.on('data', () => {}).pause()
  for (const event of ['data', 'end']) client.removeAllListeners(event)
  client.parser?.remove()
  client.parser = null
  client[MENDED] = { method, target }
  const line = `${METHODS.includes(method) ? method : 'POST'} ${encoded(target)} ${version}\r\n`
  client.unshift(Buffer.concat([Buffer.from(line), rawPacket.subarray(end + 1)]))
  server.emit(client instanceof TLSSocket ? 'secureConnection' : 'connection', client)
  client.resume()
  return true
}

/** Notes how a request was sent, if its line was mended. To be called once for each request, in their order. */
export function noteAsSent(request: IncomingMessage): void {
  const client: Client = request.socket
  const line = client[MENDED]
  if (!line) return
  client[MENDED] = undefined
  request.method = line.method
  setTarget(request, line.target)
}

/** What the client asked for, each byte as one character: only what it sent tells, not what Node has read. */
export function targetOf(request: IncomingMessage): string {
  return (request as { readonly [AS_SENT]?: string })[AS_SENT] ?? request.url ?? '/'
}

/** What the client asks for is this. Whoever observes the request sees it as a URL, whose bytes are ASCII. */
export function setTarget(request: IncomingMessage, target: string): void {
  request.url = encoded(target)
  Object.assign(request, { [AS_SENT]: target })
}

function encoded(target: string): string {
  return target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
