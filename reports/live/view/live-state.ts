import type {
  DetailedExchange,
  LiveRows,
  PageBeginning,
  PageCount,
  SearchResult,
  Standing,
} from '../../../fixtures/live/messages.ts'
import { type Filter, type FilterWorld, parseFilter } from '../model/filter.ts'
import { type Row, Rows } from '../model/rows.ts'

/** What was found of one text in bodies so far. */
interface Search {
  readonly ids: Set<string>
  /** number of the last exchange that was searched */
  last: number
}

const SEARCH_MS = 1_000
/** Milliseconds without a connection after which somebody wants to know why. */
const LATE_MS = 3_000
const NOTHING: Standing = {
  ...{ exchanges: 0, known: 0, judged: 0, doubted: 0, ended: false },
  ...{ findings: [], open: [], unjudged: [], late: [] },
}
const EVERYTHING: Filter = { texts: [], matches: () => true }

/** What the page knows of what passes, and how it learns it. The view hears of each change. */
export class LiveState implements FilterWorld {
  readonly rows: Rows = new Rows()
  counts: readonly PageCount[] = []
  standing: Standing = NOTHING
  connection: 'connecting' | 'live' | 'lost' = 'connecting'
  /** one line: why nothing comes */
  trouble = ''
  /** what came while the table stands still; undefined: it does not */
  held: LiveRows[] | undefined
  readonly pins: Map<string, Row> = new Map()
  /** chosen for a comparison or a download */
  readonly marks: Map<string, Row> = new Map()
  filterText = ''
  /** one line: what is wrong with the filter; the one before it still holds */
  problem = ''
  /** of exchanges that are older than this number bodies can no longer be searched */
  searchedFrom = 0
  readonly #details = new Map<string, DetailedExchange>()
  readonly #searches = new Map<string, Search>()
  readonly #changed: () => void
  #filter: Filter = EVERYTHING
  #drawing = false

  constructor({ counts, standing = NOTHING, rows }: PageBeginning, changed: () => void) {
    this.#changed = changed
    this.counts = counts
    this.standing = standing
    for (const some of rows) this.rows.add(some)
  }

  /** Begins to listen; the answer ends it. */
  begin(): () => void {
    const events = new EventSource(`events?after=${this.rows.last}`)
    const late = setTimeout(() => void this.#findTrouble(), LATE_MS)
    events.addEventListener('open', () => {
      clearTimeout(late)
      this.connection = 'live'
      this.trouble = ''
      this.changed()
    })
    events.addEventListener('error', () => {
      this.connection = 'lost'
      this.changed()
      void this.#findTrouble()
    })
    events.addEventListener('counts', ({ data }: MessageEvent<string>) => {
      this.counts = JSON.parse(data) as PageCount[]
      this.changed()
    })
    events.addEventListener('standing', ({ data }: MessageEvent<string>) => {
      this.standing = JSON.parse(data) as Standing
      const fresh = this.standing.late.filter(([id, finding]) => this.rows.late(id, finding))
      for (const [id] of fresh) this.#details.delete(id)
      if (fresh.length > 0) this.#refilter()
      this.changed()
    })
    events.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const rows = JSON.parse(data) as LiveRows
      if (this.held) this.held.push(rows)
      else this.rows.add(rows)
      this.changed()
    })
    const timer = setInterval(() => void this.#searchOn(), SEARCH_MS)
    return () => {
      clearInterval(timer)
      events.close()
    }
  }

  /** The view is drawn once for all that changes before the next picture. */
  changed(): void {
    if (this.#drawing) return
    this.#drawing = true
    requestAnimationFrame(() => {
      this.#drawing = false
      this.#changed()
    })
  }

  pause(paused: boolean): void {
    for (const rows of this.held ?? []) this.rows.add(rows)
    this.held = paused ? [] : undefined
    this.changed()
  }

  filter(text: string): void {
    this.filterText = text
    const parsed = parseFilter(text)
    if ('problem' in parsed) this.problem = parsed.problem
    else {
      this.problem = ''
      this.#filter = parsed
      for (const known of this.#searches.keys()) if (!parsed.texts.includes(known)) this.#searches.delete(known)
      this.#refilter()
      void this.#searchOn()
    }
    this.changed()
  }

  pin(row: Row): void {
    if (!this.pins.delete(row.id)) {
      this.pins.set(row.id, row)
      void this.details(row.id)
    }
    this.#refilter()
    this.changed()
  }

  mark(row: Row): void {
    if (!this.marks.delete(row.id)) this.marks.set(row.id, row)
    this.changed()
  }

  unmark(): void {
    this.marks.clear()
    this.changed()
  }

  /** Of what is pinned it stays here, whatever the server forgets; undefined: it is gone. */
  async details(id: string): Promise<DetailedExchange | undefined> {
    const known = this.#details.get(id)
    if (known) return known
    const answer = await fetch(`exchange/${encodeURIComponent(id)}`).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    const shown = (await answer.json()) as DetailedExchange
    for (const kept of this.#details.keys()) if (!this.pins.has(kept)) this.#details.delete(kept)
    this.#details.set(id, shown)
    return shown
  }

  /** What is marked, or all that is shown, as a file. */
  async download(form: 'har' | 'recording'): Promise<Blob | undefined> {
    const rows = this.marks.size > 0 ? [...this.marks.values()] : this.rows.shown
    const answer = await post('download', { form, ids: rows.map(({ id }) => id) })
    return answer?.ok === true ? answer.blob() : undefined
  }

  inBody(text: string, id: string): boolean {
    return this.#searches.get(text)?.ids.has(id) === true
  }

  isPinned(id: string): boolean {
    return this.pins.has(id)
  }

  /** After the picture that answers the key, and in parts: of many rows it takes longer than anybody wants to wait. */
  #refilter(): void {
    const filter = this.#filter
    const shown = async (): Promise<void> => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      if (filter !== this.#filter) return
      const isDone = await this.rows.filter(
        (row) => filter.matches(row, this),
        () => new Promise((resolve) => setTimeout(resolve)),
      )
      if (isDone) this.changed()
    }
    void shown()
  }

  /** Says why nothing comes: a stream of events does not tell. */
  async #findTrouble(): Promise<void> {
    const stop = new AbortController()
    const answer = await fetch('events', { signal: stop.signal }).catch(() => undefined)
    const said = answer && !answer.ok ? (await answer.text()).trim() : ''
    stop.abort()
    if (this.connection === 'live' || this.standing.ended) return
    if (!answer) this.trouble = `${location.host} does not answer: assay has ended, or this browser cannot reach it`
    else if (answer.ok) this.trouble = 'the way to assay is slow, or something on it holds events back'
    else this.trouble = `assay answers with ${answer.status}: ${said}`
    this.changed()
  }

  /** Has bodies searched that were not yet. */
  async #searchOn(): Promise<void> {
    let found = false
    for (const text of this.#filter.texts) {
      const search = this.#searches.get(text) ?? { ids: new Set<string>(), last: 0 }
      this.#searches.set(text, search)
      const answer = await post('search', { text, after: search.last })
      if (answer?.ok !== true) continue
      const { ids, first, last } = (await answer.json()) as SearchResult
      for (const id of ids) search.ids.add(id)
      search.last = Math.max(search.last, last)
      this.searchedFrom = first
      found ||= ids.length > 0
    }
    if (!found) return
    this.#refilter()
    this.changed()
  }
}

function post(path: string, data: object): Promise<Response | undefined> {
  const body = JSON.stringify(data)
  return fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => undefined)
}
