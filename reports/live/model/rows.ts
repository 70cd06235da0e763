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
  /** why nothing was judged here; '' where something was */
  readonly unjudged: string
}

/** Rows that are kept; a tenth more, and the oldest are let go. */
const MOST_ROWS = 100_000
/** Exchanges of which late findings are remembered. */
const MOST_LATE = 10_000
/** Rows that a filter goes through at once. */
const PART = 10_000
const NONE: readonly RowFinding[] = []

/** All rows, and those that the filter shows. The view asks for what it draws. */
export class Rows {
  /** in the order in which they passed */
  all: Row[] = []
  shown: Row[] = []
  /** rows that were let go before they got here, since too many passed at once */
  missed = 0
  /** shown rows that were let go so far: who reads further down stays where they are */
  gone = 0
  #last = 0
  #matches: (row: Row) => boolean = () => true
  readonly #texts = new Map<string, string>()
  /** findings that came after their exchange, by its id: its row may come once more, after a break */
  readonly #late = new Map<string, readonly RowFinding[]>()
  readonly #most: number

  constructor(most: number = MOST_ROWS) {
    this.#most = most
  }

  /** number of the last one */
  get last(): number {
    return this.#last
  }

  add({ first, rows }: LiveRows): void {
    for (const [index, given] of rows.entries()) {
      const number = first + index
      // After a break the server may begin with what is here already.
      if (number <= this.#last) continue
      if (this.#last > 0) this.missed += number - this.#last - 1
      this.#last = number
      const row = this.#rowOf(number, given)
      this.all.push(row)
      if (this.#matches(row)) this.shown.push(row)
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

  /** A row by the id of its exchange; the newest are found first. */
  find(id: string): Row | undefined {
    return this.all.findLast((row) => row.id === id)
  }

  /** Adds a finding that was made after its exchange had passed; false: it was added before. */
  late(id: string, finding: RowFinding): boolean {
    const known = this.#late.get(id) ?? []
    if (known.some(([requirement]) => requirement === finding[0])) return false
    this.#late.set(id, [...known, finding])
    const [oldest] = this.#late.keys()
    if (oldest !== undefined && this.#late.size > MOST_LATE) this.#late.delete(oldest)
    const row = this.find(id)
    if (!row) return true
    const marked = { ...row, findings: [...row.findings, finding] }
    for (const rows of [this.all, this.shown]) {
      const at = placeOf(rows, row.number)
      if (rows[at] === row) rows[at] = marked
    }
    return true
  }

  #forget(count: number): void {
    const end = this.all[count]?.number ?? 0
    this.all = this.all.slice(count)
    const cut = placeOf(this.shown, end)
    this.gone += cut
    this.shown = this.shown.slice(cut)
  }

  #rowOf(number: number, given: LiveRow): Row {
    const [id, start, method, path, status, outcome, milliseconds, operation, sent, received, findings, unjudged] =
      given
    return {
      ...{ number, id, start, path, status, milliseconds, sent, received },
      method: this.#same(method),
      outcome: this.#same(outcome),
      operation: this.#same(operation),
      unjudged: this.#same(unjudged),
      findings: this.#findingsOf(id, findings),
    }
  }

  #findingsOf(id: string, own: readonly RowFinding[]): readonly RowFinding[] {
    const late = this.#late.size === 0 ? undefined : this.#late.get(id)
    if (late) return [...own, ...late]
    return own.length === 0 ? NONE : own
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
