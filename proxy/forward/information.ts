import type { IncomingMessage, ServerResponse } from 'node:http'
import { pairs } from './headers.ts'

const NAMES: Readonly<Record<number, string>> = { 102: 'Processing', 103: 'Early Hints' }

/**
 * Passes on what the target says before its answer (1xx). A client of HTTP/1.0 knows none of it; 100 is for one that waits
 * for it (`expectsContinue`).
 */
export function passInformation(
  { httpVersion }: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  status: number,
  headers: readonly string[],
): void {
  if (httpVersion === '1.0' || status === 101 || response.headersSent) return
  if (status === 100) {
    if (expectsContinue) response.writeContinue()
    return
  }
  let head = `HTTP/1.1 ${status} ${NAMES[status] ?? 'Information'}\r\n`
  for (const [name, value] of pairs(headers)) head += `${name}: ${value}\r\n`
  response.socket?.write(`${head}\r\n`, 'latin1')
}
