import type { IncomingMessage } from 'node:http'
import type { OwnAnswer } from './answers.ts'

/** Judges on the path itself: bodies wait for its word. */
export interface Gate {
  /** bytes of a body that are held back; a longer one streams unjudged */
  readonly limit: number
  /** what the client is answered in the target's place; undefined: the request may pass */
  request(request: IncomingMessage, body: Buffer): OwnAnswer | undefined
  /** the same for an answer */
  answer(request: IncomingMessage, sent: Buffer, answer: IncomingMessage, body: Buffer): OwnAnswer | undefined
  /** a body was too long to wait for */
  unjudged(side: 'request' | 'answer'): void
}
