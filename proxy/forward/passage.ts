import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import { answerWith, cutOff, type OwnAnswer } from './answers.ts'
import { answerTo, describe, isNonsense, isReset, localFault, outcomeOf } from './failures.ts'
import type { Gate } from './gate.ts'
import { GuardWait } from './guard-wait.ts'
import { headerValue, pairs, requestFraming, requestHeaders, responseHeaders, writableReason } from './headers.ts'
import { passInformation } from './information.ts'
import type { ExchangeObserver } from './observer.ts'
import type { Target } from './target.ts'

/** Sends one request to the target: builds the client request, and calls back with its answer or its failure. */
export type Send = (passage: Passage) => void

/** Bytes of a request's body that are kept to send it once more over another connection. */
const MOST_AGAIN = 1 << 20
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])

/** One exchange on its way through. */
export class Passage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** what the target gets */
  readonly headers: readonly string[]
  readonly path: string

  readonly #send: Send
  readonly #observer: ExchangeObserver
  /** undefined: nobody judges on the path */
  readonly #wait: GuardWait | undefined
  readonly #expectsContinue: boolean
  readonly #onDone: () => void
  readonly #onLocalFault: ((code: string) => void) | undefined
  #upstream: ClientRequest | undefined
  #answer: IncomingMessage | undefined
  /** chunks of the request that are not sent yet, or may have to be sent again */
  #held: Buffer[] = []
  #heldBytes = 0
  #requestBytes = 0
  #requestEnded = false
  #mayRepeat: boolean
  #length = -1
  #received = 0
  #timedOut = false
  #done = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    send: Send,
    observer: ExchangeObserver,
    gate: Gate | undefined,
    expectsContinue: boolean,
    onDone: () => void,
    onLocalFault?: (code: string) => void,
  ) {
    this.request = request
    this.response = response
    this.#send = send
    this.#observer = observer
    this.#wait = gate && new GuardWait(gate)
    this.#expectsContinue = expectsContinue
    this.#onDone = onDone
    this.#onLocalFault = onLocalFault
    const method = request.method ?? 'GET'
    const url = request.url ?? '/'
    this.headers = requestHeaders(request.rawHeaders, target.hostHeader, target.keepHost, method)
    this.path = url.startsWith('/') ? `${target.prefix}${url}` : url
    this.#mayRepeat = IDEMPOTENT.has(method)
    response.sendDate = false
    response.on('close', () => this.#clientGone())
  }

  start(): void {
    const { request } = this
    if (requestFraming(request.rawHeaders) === 'none') {
      this.#requestEnded = true
    } else {
      request.on('data', (chunk: Buffer) => this.#requestData(chunk))
      request.on('end', () => this.#requestEnd())
      // A client that leaves in mid-body closes the response as well, which is where that is dealt with.
      request.on('error', () => {})
    }
    if (this.#wait === undefined) this.#send(this)
    else if (this.#requestEnded) this.#judgeRequest()
  }

  /** The target's request exists. What came of the body before is written now. */
  attach(upstream: ClientRequest): void {
    this.#upstream = upstream
    upstream.maxHeadersCount = 0
    upstream.on('response', (answer) => this.#answered(answer))
    upstream.on('information', ({ statusCode, rawHeaders }) =>
      passInformation(this.request, this.response, this.#expectsContinue, statusCode, rawHeaders),
    )
    upstream.on('upgrade', (answer, socket: Socket, first: Buffer) => this.#switched(answer, socket, first))
    upstream.on('timeout', () => this.#timeout())
    upstream.on('drain', () => this.request.resume())
    // A body usually comes with its head, and then both can go on in one write.
    if (!this.#requestEnded && this.#held.length === 0) setImmediate(() => this.#flushHead(upstream))
    for (const chunk of this.#held) upstream.write(chunk)
    if (!this.#mayRepeat && !this.#isJudged()) this.#held = []
    if (this.#requestEnded) this.#endUpstream(upstream)
  }

  #flushHead(upstream: ClientRequest): void {
    if (this.#requestBytes === 0 && !this.#done && !upstream.destroyed) upstream.flushHeaders()
  }

  /** The head of the target's answer arrived. */
  #answered(answer: IncomingMessage): void {
    if (this.#done) {
      answer.destroy()
      return
    }
    this.#answer = answer
    if (this.#wait === undefined) this.#held = []
    this.#mayRepeat = false
    const length = headerValue(answer.rawHeaders, 'content-length')
    this.#length = length === undefined ? -1 : Number(length)
    this.#observer.answerHead(answer.statusCode ?? 0, answer.statusMessage ?? '', answer.rawHeaders)
    answer.on('data', (chunk: Buffer) => this.#answerData(chunk))
    answer.on('end', () => this.#answerEnd())
    answer.on('error', (error) => this.#answerBroken(error))
    answer.on('close', () => {
      if (!answer.complete) this.#answerBroken(undefined)
    })
    this.#wait?.beginAnswer()
    if (!this.#isHeld()) this.#writeHead(answer)
  }

  /**
   * The target speaks another protocol from now on, though nobody asked for it: upgrades that clients ask for are refused
   * before. The client gets what it would get without a proxy, and nobody can say where that ends.
   */
  #switched(answer: IncomingMessage, target: Socket, first: Buffer): void {
    const client = this.response.socket
    if (this.#done || client === null) {
      target.destroy()
      return
    }
    const { statusCode = 101, statusMessage = '', rawHeaders } = answer
    this.#observer.answerHead(statusCode, statusMessage, rawHeaders)
    const fields = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    client.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${fields.join('')}\r\n`, 'latin1')
    client.write(first)
    target.on('error', () => client.destroy())
    target.on('timeout', () => target.destroy())
    target.on('close', () => client.end())
    client.on('close', () => target.destroy())
    target.pipe(client)
    this.#finish('protocol-error', 'the target switched protocols, and nobody had asked for it')
  }

  /** The target gave no answer. */
  fail(error: unknown): void {
    if (this.#done) return
    if (this.request.socket.destroyed) {
      this.#clientGone()
      return
    }
    if (this.#answer) {
      // What follows a whole answer is not part of it: a client that reads as far as the answer goes does not see it.
      if (!this.#answer.complete) this.#answerBroken(error)
      return
    }
    if (this.#mayRepeat && this.#upstream?.reusedSocket === true && isReset(error) && !this.#timedOut) {
      this.#upstream = undefined
      this.#send(this)
      return
    }
    const local = localFault(error)
    if (local !== undefined) this.#onLocalFault?.(local)
    const outcome = this.#timedOut ? 'timeout' : outcomeOf(error)
    this.refuse(answerTo(outcome, error), outcome, describe(error))
  }

  /** Answers in the target's place. */
  refuse(answer: OwnAnswer, outcome: ExchangeOutcome, error: string): void {
    this.#upstream?.destroy()
    answerWith(this.response, answer)
    this.#finish(outcome, error)
  }

  #requestData(chunk: Buffer): void {
    this.#requestBytes += chunk.length
    this.#observer.requestData(chunk)
    const upstream = this.#upstream
    if (this.#done) return
    if (upstream === undefined || this.#mayRepeat) {
      this.#held.push(chunk)
      this.#heldBytes += chunk.length
    }
    if (upstream === undefined) {
      if (this.#wait?.waitsFor(this.#heldBytes) === false) this.#send(this)
      return
    }
    if (this.#heldBytes > MOST_AGAIN) {
      this.#mayRepeat = false
      if (!this.#isJudged()) this.#held = []
    }
    if (!upstream.write(chunk) && !upstream.destroyed) this.request.pause()
  }

  #requestEnd(): void {
    this.#requestEnded = true
    if (this.#upstream) this.#endUpstream(this.#upstream)
    else if (this.#wait !== undefined) this.#judgeRequest()
  }

  #endUpstream(upstream: ClientRequest): void {
    const { rawTrailers } = this.request
    if (rawTrailers.length > 0) upstream.addTrailers(pairs(rawTrailers))
    upstream.end()
  }

  #judgeRequest(): void {
    const refusal = this.#wait?.judgeRequest(this.request, Buffer.concat(this.#held))
    if (refusal) this.refuse(refusal, 'interrupted', 'refused by the guard')
    else this.#send(this)
  }

  #writeHead(answer: IncomingMessage): void {
    const { response, request } = this
    const status = answer.statusCode ?? 0
    const extra = this.#observer.annotation?.()
    const headers = responseHeaders(answer.rawHeaders, request.httpVersion, status)
    if (extra !== undefined) headers.push(...extra)
    try {
      response.writeHead(status, writableReason(answer.statusMessage ?? ''), headers)
    } catch (error) {
      this.refuse(answerTo('protocol-error', error), 'protocol-error', describe(error))
    }
  }

  #answerData(chunk: Buffer): void {
    if (this.#done) return
    this.#observer.answerData(chunk)
    this.#received += chunk.length
    if (this.#isHeld()) {
      if (this.#wait?.hold(chunk) === false) this.#release()
      return
    }
    const { response } = this
    if (this.#received === this.#length) response.end(chunk)
    else if (!response.write(chunk)) this.#pauseAnswer()
  }

  #pauseAnswer(): void {
    const answer = this.#answer
    answer?.pause()
    this.response.once('drain', () => answer?.resume())
  }

  /** Whether the gate has its word in this exchange. */
  #isJudged(): boolean {
    return this.#wait?.judges === true
  }

  /** Whether the answer waits for it. */
  #isHeld(): boolean {
    return this.#wait?.holdsAnswer === true
  }

  #release(): void {
    const chunks = this.#wait?.release() ?? []
    if (this.#answer) this.#writeHead(this.#answer)
    if (this.#done) return
    let room = true
    for (const chunk of chunks) room = this.response.write(chunk)
    if (!room) this.#pauseAnswer()
  }

  #answerEnd(): void {
    if (this.#done) return
    const { response } = this
    const answer = this.#answer
    if (!answer?.complete) {
      this.#answerBroken(undefined)
      return
    }
    if (this.#isHeld()) {
      const refusal = this.#wait?.judgeAnswer(this.request, Buffer.concat(this.#held), answer)
      if (refusal) {
        answerWith(response, refusal)
        this.#finish('complete', undefined)
        return
      }
      this.#release()
      if (this.#done) return
    }
    if (!response.writableEnded) {
      if (answer.rawTrailers.length > 0 && response.chunkedEncoding) response.addTrailers(pairs(answer.rawTrailers))
      response.end()
    }
    this.#finish('complete', undefined)
  }

  #answerBroken(error: unknown): void {
    if (this.#done) return
    this.#upstream?.destroy()
    const outcome = this.#timedOut
      ? 'timeout'
      : error !== undefined && isNonsense(error)
        ? 'protocol-error'
        : 'truncated'
    const said = error === undefined ? 'the target ended in mid-answer' : describe(error)
    if (this.#isHeld()) answerWith(this.response, answerTo(outcome, error))
    else cutOff(this.response, this.#length >= 0 || this.response.chunkedEncoding)
    this.#finish(outcome, said)
  }

  #timeout(): void {
    if (this.#done) return
    // Silence is the target's only where it is its turn: not while the client is slow to send or to read.
    const sends = !this.#requestEnded && this.#upstream?.writableNeedDrain !== true
    const waitsForClient = sends || (this.#answer?.isPaused() ?? false)
    if (waitsForClient) return
    this.#timedOut = true
    this.#upstream?.destroy(new Error('the target did not answer in time'))
  }

  #clientGone(): void {
    if (this.#done || this.response.writableEnded) return
    this.#upstream?.destroy()
    this.#finish('interrupted', 'the client left')
  }

  #finish(outcome: ExchangeOutcome, error: string | undefined): void {
    if (this.#done) return
    this.#done = true
    this.#held = []
    // What the client may still send is read and thrown away, so that its next request can be.
    if (!this.request.complete && !this.request.destroyed) this.request.resume()
    this.#observer.done(outcome, error, this.#answer?.rawTrailers ?? [])
    this.#onDone()
  }
}
