import type { IncomingMessage } from 'node:http'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'

const NONE: RawBody = { bytes: 0, kept: Buffer.alloc(0), cut: false }

/** A request as the judge on the path sees it, with as much of its answer as is known. */
export function rawOf(
  request: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>,
  body: Buffer,
  answer?: Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders'>,
  received: Buffer = NONE.kept,
): RawExchange {
  return {
    id: '',
    startedAt: 0,
    endedAt: 0,
    method: request.method ?? '',
    url: request.url ?? '/',
    httpVersion: request.httpVersion,
    requestHeaders: request.rawHeaders,
    requestBody: { bytes: body.length, kept: body, cut: false },
    status: answer?.statusCode ?? 0,
    statusText: answer?.statusMessage ?? '',
    responseHeaders: answer?.rawHeaders ?? [],
    responseTrailers: [],
    responseBody: { bytes: received.length, kept: received, cut: false },
    outcome: 'complete',
  }
}
