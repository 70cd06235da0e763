import type { IncomingMessage } from 'node:http'
import { bodyIn, type PlainRequest } from '../../fixtures/mock/request-form.ts'
import type { HarHeader } from '../../schemas/types/exchange.ts'

/** A request as it came over the wire. */
export interface WireRequest extends PlainRequest {
  /** the body, in its content coding */
  readonly raw: Buffer
}

const LARGEST_BODY = 64 * 1024 * 1024

/** Nothing is kept of a body that takes more than 64 MiB. */
export class BodyTooLarge extends Error {}

/** Path and query. Clients of a proxy send the absolute form. */
export function urlOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '')
}

/** Reads a request to its end. @throws BodyTooLarge, and what the connection throws */
export async function readRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length
    // Read on: who is still writing does not look at the answer.
    if (size > LARGEST_BODY) chunks.length = 0
    else chunks.push(chunk as Buffer)
  }
  if (size > LARGEST_BODY) throw new BodyTooLarge(`a body of ${size} bytes is too large`)
  const headers: HarHeader[] = []
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.push({ name: incoming.rawHeaders[index] ?? '', value: incoming.rawHeaders[index + 1] ?? '' })
  }
  const raw = Buffer.concat(chunks)
  return {
    method: incoming.method ?? 'GET',
    url: urlOf(incoming),
    headers,
    body: bodyIn(raw, incoming.headers['content-encoding']),
    raw,
  }
}
