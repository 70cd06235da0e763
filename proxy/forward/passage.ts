import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { headerOf } from '../../fixtures/recording/raw.ts'
import type { ExchangeOutcome } from '../../schemas/types/exchange.ts'
import {
  answerTo,
  answerWith,
  cutOff,
  describe,
  isNonsense,
  isReset,
  localFault,
  type OwnAnswer,
  outcomeOf,
  passInformation,
} from './answers.ts'
import { type Gate, GuardWait } from './gate.ts'
import { announcesBody, pairs, requestHeaders, responseHeaders, writableReason } from './headers.ts'
import { type Moving, movedToProxy } from './location.ts'
import { targetOf } from './mended.ts'
import type { ExchangeObserver } from './observer.ts'

/**
 * Sends the request of a passage to the target. Calls back with the request as soon as it has a connection, or with the
 * reason for having none. `body`: in place of the client's, which is piped otherwise.
 */
export type Send = (passage: Passage, body: Readable | undefined) => void

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
  /** undefined: it has no connection yet */
  #upstream: ClientRequest | undefined
  /** what the target gets of a body that was held here; undefined: the client's own is piped */
  #body: Readable | undefined
  #answer: IncomingMessage | undefined
  /** chunks of the request that are not sent yet, or may have to be sent again */
  #held: Buffer[] = []
  #heldBytes = 0
  #requestBytes = 0
  #requestEnded = false
  #mayRepeat = true
  /** bytes that the connection had carried before this request */
  #carried = 0
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
      request.on('data', (chunk: Buffer) => this.#requestData(chunk))
      request.on('end', () => this.#requestEnd())
      // A client that leaves in mid-body closes the response as well, which is where that is dealt with.
      request.on('error', () => {})
    }
    if (this.#wait === undefined) this.#send()
    else if (this.#requestEnded) this.#judgeRequest()
  }

  /** Sends what was held of the body and what still comes; where nothing was held, the client's body is piped. */
  #send(): void {
    this.#isSent = true
    if (this.#heldBytes > 0) this.#body = this.#heldBody()
    this.#options.send(this, this.#body)
  }

  #heldBody(): Readable {
    const body = new Readable({ read: () => void this.request.resume() })
    for (const chunk of this.#held) body.push(chunk)
    if (this.#requestEnded) body.push(null)
    if (!this.#mayRepeat && this.#wait?.judges !== true) this.#held = []
    return body
  }

  /** The target's request has a connection. */
  attach(upstream: ClientRequest): void {
    if (this.#done) {
      upstream.destroy()
      return
    }
    this.#upstream = upstream
    this.#carried = upstream.socket?.bytesWritten ?? 0
    upstream.on('response', (answer) => this.#answered(answer))
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      const hasRoom = passInformation(this.request, this.response, this.#awaitsContinue, statusCode, rawHeaders)
      if (statusCode === 100) this.#awaitsContinue = false
      if (!hasRoom && !this.#informing) this.#pauseInformation(upstream)
    })
    upstream.on('upgrade', (answer, socket: Socket, first: Buffer) => this.#switched(answer, socket, first))
    upstream.on('timeout', () => this.#timeout())
    if (this.#requestEnded) this.#passTrailers(upstream)
    // A body usually comes with its head, and then both can go on in one write.
    else
      setImmediate(() => {
        if (this.#requestBytes === 0 && !this.#done && !upstream.destroyed) upstream.flushHeaders()
      })
  }

  #passTrailers(upstream: ClientRequest): void {
    const { rawTrailers } = this.request
    if (rawTrailers.length > 0) upstream.addTrailers(pairs(rawTrailers))
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
    answer.on('data', (chunk: Buffer) => this.#answerData(chunk))
    answer.on('end', () => this.#answerEnd())
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

  /** Whether it may be sent again: it only reads, or no byte of it left (RFC 9110, 9.2.2). */
  #isUndone(): boolean {
    const { method } = this.request
    return method === 'GET' || method === 'HEAD' || this.#upstream?.socket?.bytesWritten === this.#carried
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
    if (this.#body?.push(chunk) === false) this.request.pause()
  }

  /** Comes before the end of the request to the target, which is piped. */
  #requestEnd(): void {
    this.#requestEnded = true
    if (this.#upstream) this.#passTrailers(this.#upstream)
    this.#body?.push(null)
    if (!this.#isSent) this.#judgeRequest()
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
    if (!this.request.complete && !this.request.destroyed) this.request.unpipe().resume()
    this.#observer.done(outcome, error ?? this.#again, this.#answer?.rawTrailers ?? [])
    this.#options.onDone()
  }
}
