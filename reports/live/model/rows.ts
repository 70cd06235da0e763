import type { LiveRow, LiveRows, RowFinding } from '../../../fixtures/live/messages.ts'

/** One exchange in the table. */
export interface Row {
  /** exchanges are counted from 1 */
  readonly number: number
  readonly id: string
  readonly start: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly outcome: string
  readonly milliseconds: number
  readonly operation: string
  readonly sent: number
  readonly received: number
  readonly findings: readonly RowFinding[]
}

/** What was found about one requirement. */
export interface Group {
  readonly requirement: string
  readonly failure: boolean
  /** of the last one */
  message: string
  count: number
  last: Row
}

/** Rows that are kept; a tenth more, and the oldest are let go. */
const MOST_ROWS = 100_000
/** Rows that a filter goes through at once. */
const PART = 10_000
const NONE: readonly RowFinding[] = []

/** All rows, those that the filter shows, and what was found. The view asks for what it draws. */
export class Rows {
  /** in the order in which they passed */
  all: Row[] = []
  shown: Row[] = []
  readonly groups = new Map<string, Group>()
  /** rows that were let go before they got here, since too many passed at once */
  missed = 0
  /** shown rows that were let go so far: who reads further down stays where they are */
  gone = 0
  #last = 0
  #matches: (row: Row) => boolean = () => true
  readonly #texts = new Map<string, string>()
  readonly #most: number

  constructor(most: number = MOST_ROWS) {
    this.#most = most
  }

  add({ first, rows }: LiveRows): void {
    for (const [index, given] of rows.entries()) {
      const number = first + index
      // After a break the server may begin with what is here already.
      if (number <= this.#last) continue
      if (this.#last > 0) this.missed += number - this.#last - 1
      this.#last = number
      this.#take(this.#rowOf(number, given))
    }
    if (this.all.length > this.#most * 1.1) this.#forget(this.all.length - this.#most)
  }

  /**
   * Shows what the filter lets through. It goes through the rows a part at a time, and `pause` lets the page respond in
   * between. Until it is done, the earlier rows stay. Resolves to false where another filter came meanwhile.
   */
  async filter(matches: (row: Row) => boolean, pause: () => Promise<void> = async () => {}): Promise<boolean> {
    this.#matches = matches
    const shown: Row[] = []
    for (let from = 0; from < this.all.length; ) {
      const part = this.all.slice(from, from + PART)
      for (const row of part) if (matches(row)) shown.push(row)
      const { number = 0 } = part.at(-1) ?? {}
      if (number === this.#last) break
      await pause()
      if (this.#matches !== matches) return false
      from = placeOf(this.all, number + 1)
    }
    this.shown = shown.slice(placeOf(shown, this.all[0]?.number ?? 0))
    return true
  }

  #take(row: Row): void {
    this.all.push(row)
    if (this.#matches(row)) this.shown.push(row)
    for (const [requirement, failure, message] of row.findings) {
      const group = this.groups.get(requirement)
      if (group) {
        group.count += 1
        group.message = message
        group.last = row
      } else this.groups.set(requirement, { requirement, failure: failure === 1, message, count: 1, last: row })
    }
  }

  #forget(count: number): void {
    const end = this.all[count]?.number ?? 0
    this.all = this.all.slice(count)
    const cut = placeOf(this.shown, end)
    this.gone += cut
    this.shown = this.shown.slice(cut)
  }

  #rowOf(number: number, given: LiveRow): Row {
    const [id, start, method, path, status, outcome, milliseconds, operation, sent, received, findings] = given
    return {
      ...{ number, id, start, path, status, milliseconds, sent, received },
      method: this.#same(method),
      outcome: this.#same(outcome),
      operation: this.#same(operation),
      findings: findings.length === 0 ? NONE : findings,
    }
  }

  /** One text for all that are equal: there are few, and each came anew. */
  #same(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    if (this.#texts.size < 1_000) this.#texts.set(text, text)
    return text
  }
}

/** The place of a row by its number, or of the next one, among rows in their order. */
export function placeOf(rows: readonly Row[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as Row).number < number) low = middle + 1
    else high = middle
  }
  return low
}

/** The failures first, then by number. */
export function groupsInOrder(groups: ReadonlyMap<string, Group>): Group[] {
  return [...groups.values()].sort((a, b) => Number(b.failure) - Number(a.failure) || b.count - a.count)
}
