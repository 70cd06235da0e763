import type { Readable } from 'node:stream'

/** Bytes from which on a chunk is worth a write of its own. */
const LARGE = 1_024
/** Small chunks that come at once before it is the turn of others. */
const MOST = 1_000

/**
 * Puts together the small chunks that come at once, but for the first. Each would cost a write of its own, and thousands
 * of them would hold up all other clients. Chunks have no meaning (RFC 9112, 7.1).
 */
export class AtOnce {
  readonly #from: Readable
  readonly #take: (chunk: Buffer) => void
  readonly #mayGoOn: () => boolean
  /** those that came behind the first; undefined: none came just now */
  #more: Buffer[] | undefined

  /** `mayGoOn`: whether there is room for what comes next */
  constructor(from: Readable, take: (chunk: Buffer) => void, mayGoOn: () => boolean) {
    this.#from = from
    this.#take = take
    this.#mayGoOn = mayGoOn
    from.on('data', (chunk: Buffer) => this.#add(chunk))
  }

  flush(): void {
    const more = this.#more ?? []
    this.#more = undefined
    if (more.length > 0) this.#take(Buffer.concat(more))
    if (more.length >= MOST && this.#mayGoOn()) this.#from.resume()
  }

  #add(chunk: Buffer): void {
    if (this.#more) {
      this.#more.push(chunk)
      if (this.#more.length === MOST) this.#from.pause()
      return
    }
    if (chunk.length < LARGE) {
      this.#more = []
      setImmediate(() => this.flush())
    }
    this.#take(chunk)
  }
}
