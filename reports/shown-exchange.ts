import type { Exchange } from '../schemas/types/exchange.ts'
import type { FindingExchange } from '../schemas/types/report.ts'

/** An exchange as reports show it. */
export function shownExchange(exchange: Exchange, role: string): FindingExchange {
  const { request, response } = exchange
  return {
    id: exchange._id,
    role,
    method: request.method,
    url: request.url,
    requestBody: request.postData?.text ?? '',
    status: response.status,
    responseBody: response.content.text ?? '',
    outcome: exchange._outcome,
    ...(exchange._operation === undefined ? {} : { operation: exchange._operation }),
    startedAt: exchange.startedDateTime,
    ms: Math.round(exchange.time * 100) / 100,
  }
}

/** Bytes of the body and characters of the path: the same wherever the target listens. */
export function sizeOf({ request }: Exchange): number {
  return Math.max(0, request.bodySize) + request.url.replace(/^[a-z]+:\/\/[^/]*/, '').length
}
