import type { RawBody } from '../../fixtures/recording/raw.ts'

/** Bytes up to which a body is kept whole, and bytes of all that are on their way. */
const EACH = 16 * 1024 * 1024
const ALL = 32 * 1024 * 1024

/** Collects bodies up to a bound, so that they are judged and cleaned as a whole. Of longer ones only the beginning stays. */
export class WholeBodies {
  #collected = 0

  begin(): WholeBody {
    return new WholeBody((bytes) => {
      this.#collected += bytes
      return this.#collected <= ALL
    })
  }
}

/** Keeps a long body whole while it passes. */
export class WholeBody {
  /** `take`: notes that so many bytes more are held; false: there is no room */
  readonly #take: (bytes: number) => boolean
  #chunks: Buffer[] | undefined = []
  #bytes = 0

  constructor(take: (bytes: number) => boolean) {
    this.#take = take
  }

  push(part: Uint8Array): void {
    if (!this.#chunks) return
    this.#chunks.push(Buffer.from(part))
    this.#bytes += part.length
    if (!this.#take(part.length) || this.#bytes > EACH) this.discard()
  }

  /** The body itself; undefined: it could not be kept. */
  finish(): Pick<RawBody, 'kept' | 'cut'> | undefined {
    const chunks = this.#chunks
    this.discard()
    return chunks && { kept: Buffer.concat(chunks), cut: false }
  }

  /** Nothing of it is held any longer. */
  discard(): void {
    this.#take(-this.#bytes)
    this.#chunks = undefined
    this.#bytes = 0
  }
}
