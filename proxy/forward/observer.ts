import type { IncomingMessage } from 'node:http'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'

/** Hears of one exchange as its bytes pass. Nothing here may throw or take long: it stands on the forwarding path. */
export interface ExchangeObserver {
  requestData(chunk: Buffer): void
  answerHead(status: number, statusText: string, headers: readonly string[]): void
  /** header fields, name, value, that the client's answer gets in addition; asked for before its head is sent */
  annotation?(): readonly string[] | undefined
  answerData(chunk: Buffer): void
  /** once, at the end, whatever the end was; nothing follows it */
  done(outcome: ExchangeOutcome, error: string | undefined, trailers: readonly string[]): void
}

/** Called when the head of a request was read. */
export type Observe = (request: IncomingMessage) => ExchangeObserver
