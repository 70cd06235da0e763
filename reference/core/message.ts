/** A request as plain data, read completely. */
export interface PlainRequest {
  readonly method: string
  /** path of the request line as it was sent: percent-encoding untouched, without the query */
  readonly path: string
  /** query as it was sent, without the question mark */
  readonly search: string
  /** lower-case names; a repeated header's values joined by a comma */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A finished answer as plain data. At most one of `json` and `text` is there; neither means an empty body. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** pieces of a text, produced while they are sent */
  readonly text?: Iterable<string>
  /** how the text goes over the wire, where that is not left to the server */
  readonly delivery?: Delivery
}

/** Other ways to send a text. */
export interface Delivery {
  /** milliseconds between one piece and the next */
  readonly everyMs?: number
  /** no length is sent and nothing is chunked: the end of the connection is the end of the text, as in HTTP/1.0 */
  readonly untilClose?: boolean
}

/** An answer that is not due yet: ask again at `resumeAt` (milliseconds since the epoch). */
export interface Pending {
  readonly resumeAt: number
  readonly resume: () => Reply
}

export type Reply = Answer | Pending

export function isPending(reply: Reply): reply is Pending {
  return 'resumeAt' in reply
}

/** 200 with a JSON body. */
export function ok(json: unknown): Answer {
  return { status: 200, json }
}

/** Success without a body. */
export function empty(status: number = 200): Answer {
  return { status }
}
