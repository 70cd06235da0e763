import type { LiveRowsText } from '../../fixtures/live/messages.ts'

/** Rows as they go to a page, in one message. */
export interface Lot {
  /** numbers of the first and of the last of them */
  readonly first: number
  readonly last: number
  readonly bytes: Buffer
}

/** Rows that a page gets that is opened late, and the bytes that they may take. */
const MOST_ROWS = 100_000
const MOST_BYTES = 32 * 1024 * 1024

/** The last rows, ready to be sent: whoever is slow, or comes late, catches up from here. */
export class Backlog {
  #lots: Lot[] = []
  /** of the lots; the first of them that is still kept */
  #from = 0
  #bytes = 0
  #rows = 0

  add({ first, count, text }: LiveRowsText): void {
    const last = first + count - 1
    const bytes = Buffer.from(`id: ${last}\ndata: {"first":${first},"rows":${text}}\n\n`)
    this.#lots.push({ first, last, bytes })
    this.#bytes += bytes.length
    this.#rows += count
    while (this.#rows > MOST_ROWS || this.#bytes > MOST_BYTES) this.#forget()
    if (this.#from < 1_000) return
    this.#lots = this.#lots.slice(this.#from)
    this.#from = 0
  }

  /** The rows that follow the row `after`, or the first ones that are still kept; undefined: none came since. */
  next(after: number): Lot | undefined {
    let [low, high] = [this.#from, this.#lots.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#lots[middle] as Lot).last > after) high = middle
      else low = middle + 1
    }
    return this.#lots[low]
  }

  #forget(): void {
    const { first, last, bytes } = this.#lots[this.#from] as Lot
    this.#from += 1
    this.#bytes -= bytes.length
    this.#rows -= last - first + 1
  }
}
