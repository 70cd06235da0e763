import type { MockAnswer, PlainRequest } from '../../fixtures/mock/mock.ts'
import { openRecordingWriter } from '../../fixtures/recording/write.ts'
import { OPEN, redacted } from '../../fixtures/replay/redacted.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { openTargetSession, redactorFor } from '../session.ts'

/** Passes on what was not recorded, and records it. */
export interface Fallback {
  ask(request: PlainRequest): Promise<MockAnswer>
  readonly count: () => number
  close(): Promise<void>
}

const HOP_BY_HOP = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
  'te',
  'trailer',
  'upgrade',
])

/** `folder`: of the recording, made where it is missing. `learn`: told of each new exchange, secrets replaced. */
export function openFallback(config: TargetConfig, folder: string, learn: (exchange: Exchange) => void): Fallback {
  const redactor = redactorFor(config)
  const session = openTargetSession(config, { idPrefix: 'fallback-', connections: 16, redactor: OPEN })
  const writer = openRecordingWriter(folder)
  let count = 0
  return {
    async ask(request) {
      const exchange = await session.send({
        method: request.method,
        path: request.url,
        headers: request.headers.filter(({ name }) => !HOP_BY_HOP.has(name.toLowerCase())),
        body: request.body,
        credentials: [],
        operation: undefined,
        caseId: undefined,
        intent: undefined,
      })
      count += 1
      const clean = redacted(exchange, redactor)
      writer.append(clean)
      learn(clean)
      return exchange._outcome === 'complete' ? toAnswer(exchange) : unreachable(exchange)
    },
    count: () => count,
    async close() {
      await writer.close()
      await session.close()
    },
  }
}

function toAnswer(exchange: Exchange): MockAnswer {
  const { response } = exchange
  const { text = '', encoding } = response.content
  return {
    status: response.status,
    headers: response.headers.filter(({ name }) => !HOP_BY_HOP.has(name.toLowerCase())),
    body: Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8'),
    delayMs: 0,
    exchange,
  }
}

function unreachable(exchange: Exchange): MockAnswer {
  const error = `not recorded, and the target gave no answer: ${exchange._error ?? exchange._outcome}`
  return {
    status: exchange._outcome === 'timeout' ? 504 : 502,
    headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
    body: Buffer.from(JSON.stringify({ error, code: 'BadGateway', status: 'error' })),
    delayMs: 0,
    exchange: undefined,
  }
}
