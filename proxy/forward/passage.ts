import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { headerOf } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import {
  answerTo,
  answerWith,
  cutOff,
  describe,
  isNonsense,
  isReset,
  join,
  localFault,
  type OwnAnswer,
  outcomeOf,
  passInformation,
} from './answers.ts'
import { AtOnce } from './at-once.ts'
import { type Gate, GuardWait } from './gate.ts'
import { announcesBody, pairs, requestHeaders, responseHeaders, writableReason } from './headers.ts'
import { type Moving, movedToProxy } from './location.ts'
import { targetOf } from './mended.ts'
import type { ExchangeObserver } from './observer.ts'

/**
 * Sends the request of a passage to the target. Calls `pipe` with the request before anything of it is sent, and `attach`
 * when it has a connection. Calls `fail` with the reason for having none.
 */
export type Send = (passage: Passage) => void

export interface PassageOptions extends Moving {
  readonly send: Send
  readonly observer: ExchangeObserver
  /** undefined: nobody judges on the path */
  readonly gate: Gate | undefined
  /** the client waits for permission to send its body */
  readonly expectsContinue: boolean
  /** header fields of our own: name, value, name, value */
  readonly more: readonly string[]
  readonly onDone: () => void
  readonly onLocalFault?: ((code: string) => void) | undefined
}

/** Bytes of a request's body that are kept to send it once more over another connection. */
const MOST_AGAIN = 1 << 20

/** One exchange on its way through. */
export class Passage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** what the target gets */
  readonly headers: readonly string[]
  readonly path: string

  readonly #options: PassageOptions
  readonly #observer: ExchangeObserver
  /** undefined: nobody judges on the path */
  readonly #wait: GuardWait | undefined
  #isSent = false
  /** the request to the target; undefined: none is made yet */
  #upstream: ClientRequest | undefined
  #answer: IncomingMessage | undefined
  /** chunks of the request that are not sent yet, or may have to be sent again */
  #held: Buffer[] = []
  #heldBytes = 0
  #requestBytes = 0
  #requestEnded = false
  #mayRepeat = true
  /** bytes that the connection had carried before this request, to the target and from it */
  #carried = 0
  #heard = 0
  #again: string | undefined
  #length = -1
  #received = 0
  #timedOut = false
  /** the client waits for permission to send its body, which is given once */
  #awaitsContinue: boolean
  /** the client is slow to read what the target says before its answer */
  #informing = false
  #done = false

  constructor(request: IncomingMessage, response: ServerResponse, options: PassageOptions) {
    this.request = request
    this.response = response
    this.#options = options
    this.#observer = options.observer
    this.#awaitsContinue = options.expectsContinue
    this.#wait = options.gate && new GuardWait(options.gate)
    const { target } = options
    const url = targetOf(request)
    this.headers = requestHeaders(request.rawHeaders, target, request.method ?? 'GET', options.more)
    this.path = url.startsWith('/') ? `${target.prefix}${url}` : url
    response.sendDate = false
    response.on('close', () => this.#clientGone())
  }

  start(): void {
    const { request } = this
    if (!announcesBody(request.rawHeaders)) {
      this.#requestEnded = true
    } else {
      const hasRoom = (): boolean => this.#upstream?.writableNeedDrain !== true
      const sent = new AtOnce(request, (chunk) => this.#requestData(chunk), hasRoom)
      request.on('end', () => {
        sent.flush()
        this.#requestEnd()
      })
      // A client that leaves in mid-body closes the response as well, which is where that is dealt with.
      request.on('error', () => {})
    }
    if (this.#wait === undefined) this.#send()
    else if (this.#requestEnded) this.#judgeRequest()
  }

  #send(): void {
    this.#isSent = true
    this.#options.send(this)
  }

  /** The request to the target is made: the body goes there as it comes, after what was held of it. */
  pipe(upstream: ClientRequest): void {
    this.#upstream = upstream
    const held = this.#held
    if (!this.#mayRepeat && this.#wait?.judges !== true) this.#held = []
    if (this.request.isPaused()) this.request.resume()
    if (held.length > 0) this.#pass(Buffer.concat(held))
    if (this.#requestEnded) this.#endRequest()
  }

  /** The target's request has a connection. */
  attach(upstream: ClientRequest): void {
    if (this.#done) {
      upstream.destroy()
      return
    }
    this.#carried = upstream.socket?.bytesWritten ?? 0
    this.#heard = upstream.socket?.bytesRead ?? 0
    upstream.on('response', (answer) => this.#answered(answer))
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      const hasRoom = passInformation(this.request, this.response, this.#awaitsContinue, statusCode, rawHeaders)
      if (statusCode === 100) this.#awaitsContinue = false
      if (!hasRoom && !this.#informing) this.#pauseInformation(upstream)
    })
    upstream.on('upgrade', (answer, socket: Socket, first: Buffer) => this.#switched(answer, socket, first))
    upstream.on('timeout', () => this.#timeout())
    if (this.#requestEnded) return
    // A body usually comes with its head, and then both can go on in one write.
    setImmediate(() => {
      if (this.#requestBytes === 0 && !this.#done && !upstream.destroyed) upstream.flushHeaders()
    })
  }

  /** Passes on a part of the body. The client waits while the target does not read. */
  #pass(chunk: Buffer): void {
    const upstream = this.#upstream
    if (!upstream || upstream.destroyed || upstream.write(chunk)) return
    this.request.pause()
    upstream.once('drain', () => this.request.resume())
  }

  #endRequest(): void {
    const { rawTrailers } = this.request
    if (this.#upstream?.destroyed !== false) return
    if (rawTrailers.length > 0) this.#upstream.addTrailers(pairs(rawTrailers))
    this.#upstream.end()
  }

  /** A target may inform without end, and a client need not read it. The answer itself is held back as an answer. */
  #pauseInformation(upstream: ClientRequest): void {
    this.#informing = true
    // Node reads on by itself after each of them, so a moment later.
    process.nextTick(() => {
      if (this.#informing) upstream.socket?.pause()
    })
    this.response.socket?.once('drain', () => this.#resumeInformation(upstream))
  }

  #resumeInformation(upstream: ClientRequest): void {
    if (!this.#informing) return
    this.#informing = false
    upstream.socket?.resume()
  }

  /** The head of the target's answer arrived. */
  #answered(answer: IncomingMessage): void {
    if (this.#done) {
      answer.destroy()
      return
    }
    this.#answer = answer
    if (this.#upstream) this.#resumeInformation(this.#upstream)
    if (this.#wait === undefined) this.#held = []
    this.#mayRepeat = false
    const length = headerOf(answer.rawHeaders, 'content-length')
    this.#length = length === undefined ? -1 : Number(length)
    this.#observer.answerHead(answer.statusCode ?? 0, answer.statusMessage ?? '', answer.rawHeaders)
    const hasRoom = (): boolean => !this.response.writableNeedDrain
    const received = new AtOnce(answer, (chunk) => this.#answerData(chunk), hasRoom)
    answer.on('end', () => {
      received.flush()
      this.#answerEnd()
    })
    answer.on('error', (error) => this.#answerBroken(error))
    answer.on('close', () => {
      if (!answer.complete) this.#answerBroken(undefined)
    })
    this.#wait?.beginAnswer()
    if (this.#wait?.holdsAnswer !== true) this.#writeHead(answer)
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
    this.#observer.answerHead(answer.statusCode ?? 101, answer.statusMessage ?? '', answer.rawHeaders)
    join(answer, target, first, client)
    this.#finish('protocol-error', 'the target switched protocols without being asked')
  }

  /** The target gave no answer. */
  fail(error: unknown): void {
    if (this.#done) return
    if (this.request.socket.destroyed) {
      this.#clientGone()
      return
    }
    if (this.#answer) {
      // Bytes after a whole answer are not part of it: a client that reads as far as the answer goes does not see them.
      if (!this.#answer.complete) this.#answerBroken(error)
      return
    }
    // A used connection may have been too old, or the bytes belong to the answer before.
    const isOld = this.#upstream?.reusedSocket === true && (isReset(error) || isNonsense(error))
    if (this.#mayRepeat && isOld && !this.#timedOut && this.#isUndone()) {
      this.#again = `sent again over another connection, since the first one ended (${describe(error)})`
      this.#upstream = undefined
      this.#send()
      return
    }
    const local = localFault(error)
    if (local !== undefined) this.#options.onLocalFault?.(local)
    const outcome = this.#timedOut ? 'timeout' : outcomeOf(error)
    this.refuse(answerTo(outcome, error), outcome, describe(error))
  }

  /** Whether it may be sent again: nothing came back, and it only reads, or no byte of it left (RFC 9110, 9.2.2). */
  #isUndone(): boolean {
    const { method } = this.request
    const { bytesRead, bytesWritten } = this.#upstream?.socket ?? {}
    if (bytesRead !== this.#heard) return false
    return method === 'GET' || method === 'HEAD' || bytesWritten === this.#carried
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
    if (this.#done) return
    if (!this.#isSent || this.#mayRepeat) {
      this.#held.push(chunk)
      this.#heldBytes += chunk.length
    }
    if (!this.#isSent) {
      if (this.#wait?.waitsFor(this.#heldBytes) === false) this.#send()
      return
    }
    if (this.#heldBytes > MOST_AGAIN) {
      this.#mayRepeat = false
      if (this.#wait?.judges !== true) this.#held = []
    }
    this.#pass(chunk)
  }

  #requestEnd(): void {
    this.#requestEnded = true
    if (this.#isSent) this.#endRequest()
    else this.#judgeRequest()
  }

  #judgeRequest(): void {
    const refusal = this.#wait?.judgeRequest(this.request, Buffer.concat(this.#held))
    if (refusal) this.refuse(refusal, 'interrupted', 'refused by the guard')
    else this.#send()
  }

  #writeHead(answer: IncomingMessage): void {
    const { response, request } = this
    const status = answer.statusCode ?? 0
    const extra = this.#observer.annotation?.()
    const named = responseHeaders(answer.rawHeaders, request.httpVersion, status)
    const headers = movedToProxy(named, request, this.#options)
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
    if (this.#wait?.holdsAnswer) {
      if (this.#wait?.hold(chunk) === false) this.#release()
      return
    }
    if (this.#received === this.#length) this.response.end(chunk)
    else if (!this.response.write(chunk)) this.#pauseAnswer()
  }

  #pauseAnswer(): void {
    const answer = this.#answer
    answer?.pause()
    this.response.once('drain', () => answer?.resume())
  }

  #release(): void {
    const waited = Buffer.concat(this.#wait?.release() ?? [])
    if (this.#answer) this.#writeHead(this.#answer)
    if (!this.#done && waited.length > 0 && !this.response.write(waited)) this.#pauseAnswer()
  }

  #answerEnd(): void {
    if (this.#done) return
    const { response } = this
    const answer = this.#answer
    if (!answer?.complete) {
      this.#answerBroken(undefined)
      return
    }
    if (this.#wait?.holdsAnswer) {
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
    const said = error === undefined ? 'the target ended in mid-response' : describe(error)
    if (this.#wait?.holdsAnswer) answerWith(this.response, answerTo(outcome, error))
    else cutOff(this.response, this.#length >= 0 || this.response.chunkedEncoding)
    this.#finish(outcome, said)
  }

  #timeout(): void {
    if (this.#done) return
    // Silence is the target's only where it is its turn: not while the client is slow to send or to read.
    const sends = !this.#requestEnded && this.#upstream?.writableNeedDrain !== true
    const waitsForClient = sends || this.#informing || (this.#answer?.isPaused() ?? false)
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
    // The rest of the client's request is read and thrown away, so that its next request can be read.
    if (!this.request.complete && !this.request.destroyed) this.request.resume()
    this.#observer.done(outcome, error ?? this.#again, this.#answer?.rawTrailers ?? [])
    this.#options.onDone()
  }
}
