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

/**
 * The parts of one exchange that wait until the gate has decided. These are the request, which is held for other
 * reasons too, and the answer, whose chunks are kept here. What is longer than the gate's limit goes on unjudged.
 */
export class GuardWait {
  readonly #gate: Gate
  #judges = true
  /** the answer's chunks; undefined: it does not wait */
  #answer: Buffer[] | undefined
  #answerBytes = 0

  constructor(gate: Gate) {
    this.#gate = gate
  }

  /** Whether requests and answers still wait to be judged: then the request's body is needed to the end. */
  get judges(): boolean {
    return this.#judges
  }

  /** Whether the answer waits. */
  get holdsAnswer(): boolean {
    return this.#answer !== undefined
  }

  /** Whether a request of so many bytes waits on. One that does not is never judged, and neither is its answer. */
  waitsFor(requestBytes: number): boolean {
    if (requestBytes <= this.#gate.limit) return true
    this.#gate.unjudged('request')
    this.#judges = false
    return false
  }

  /** What the gate has against the request; undefined: it may go on. */
  judgeRequest(request: IncomingMessage, body: Buffer): OwnAnswer | undefined {
    return this.#gate.request(request, body)
  }

  /** The head of the answer is there: from here on its chunks wait, if it is judged. */
  beginAnswer(): void {
    if (this.#judges) this.#answer = []
  }

  /** Keeps a chunk of the answer. False: it has become too long to wait. */
  hold(chunk: Buffer): boolean {
    this.#answer?.push(chunk)
    this.#answerBytes += chunk.length
    if (this.#answerBytes <= this.#gate.limit) return true
    this.#gate.unjudged('answer')
    return false
  }

  /** What the gate has against the whole answer; undefined: it may go on. */
  judgeAnswer(request: IncomingMessage, requestBody: Buffer, answer: IncomingMessage): OwnAnswer | undefined {
    return this.#gate.answer(request, requestBody, answer, Buffer.concat(this.#answer ?? []))
  }

  /** The chunks that waited; from here on none does. */
  release(): readonly Buffer[] {
    const chunks = this.#answer ?? []
    this.#answer = undefined
    return chunks
  }
}
