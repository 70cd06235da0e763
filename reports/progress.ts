import { counted, number } from './counted.ts'
import { clip, visible } from './text.ts'

/** How far a run has come. */
export interface ProgressState {
  readonly cases: number
  readonly casesInAll: number
  readonly requests: number
  /** requirements that were found broken: those that the summary counts as failed or warned */
  readonly findings: number
  /** requirements whose cases have all ended, and all; left out: cases are counted */
  readonly requirements?: { readonly done: number; readonly all: number }
  /** the part of the work that is done, between 0 and 1; left out: not known */
  readonly share?: number
  /** what is being tried now */
  readonly trying?: string | undefined
}

/** Where a line goes that says how far something is. */
export interface LineOptions {
  readonly stream: { write(text: string): unknown }
  /** a terminal: one line that changes; otherwise a line every few seconds, when it is another one */
  readonly isTty: boolean
  readonly columns: number
  /** Calls `action` every `ms` milliseconds until the function that it returns is called; left out: by the real clock. */
  readonly every?: (ms: number, action: () => void) => () => void
  /** milliseconds between two lines where it is no terminal */
  readonly plainMs?: number
  /** what of a line makes it another one; left out: all of it */
  readonly said?: (line: string) => string
}

export interface ProgressOptions extends LineOptions {
  /** milliseconds, from any origin */
  readonly now: () => number
  /** what is being done: 'certifying', unless another word is given */
  readonly verb?: string
}

const REPAINT_MS = 100
const PLAIN_MS = 10_000
/** Before that nobody knows how long it takes. */
const LEAST_SHARE = 0.03
const LEAST_MS = 1000
const CLEAR = '\r\u001b[2K'

/** Shows a line that says how far something is; '' while there is nothing to say. Never faster than a person can read. */
export class StatusLine {
  readonly #options: LineOptions
  readonly #line: () => string
  readonly #stop: () => void
  #shown = ''

  constructor(options: LineOptions, line: () => string) {
    const { isTty, every = byTheClock, plainMs = PLAIN_MS } = options
    this.#options = options
    this.#line = line
    this.#stop = every(isTty ? REPAINT_MS : plainMs, () => this.paint())
  }

  paint(): void {
    const { stream, isTty, columns, said = (text) => text } = this.#options
    const next = isTty ? clip(this.#line(), columns - 1) : this.#line()
    if (said(next) === said(this.#shown)) return
    stream.write(isTty ? `${CLEAR}${next}` : `${next}\n`)
    this.#shown = next
  }

  /** Writes a line of its own that stays. */
  note(text: string): void {
    const { stream, isTty } = this.#options
    stream.write(`${isTty ? CLEAR : ''}${visible(text)}\n`)
    if (!isTty) return
    this.#shown = ''
    this.paint()
  }

  done(): void {
    this.#stop()
    if (this.#options.isTty && this.#shown !== '') this.#options.stream.write(CLEAR)
    this.#shown = ''
  }
}

function byTheClock(ms: number, action: () => void): () => void {
  const timer = setInterval(action, ms)
  return () => clearInterval(timer)
}

/** Shows on a stream how far a run has come, also while nothing happens, from its first update on. */
export class Progress {
  readonly #line: StatusLine
  readonly #isTty: boolean
  #state: ProgressState | undefined
  #ended = false

  constructor(options: ProgressOptions) {
    const { isTty, now, verb = 'certifying' } = options
    const started = now()
    this.#isTty = isTty
    this.#line = new StatusLine(options, () => (this.#state ? progressLine(verb, this.#state, now() - started) : ''))
  }

  readonly update = (next: ProgressState): void => {
    const isFirst = this.#state === undefined
    this.#state = next
    if (isFirst && this.#isTty) this.#line.paint()
  }

  /** Writes a line of its own that stays. */
  readonly note = (text: string): void => this.#line.note(text)

  /** Ends it: the changing line goes, a log gets its last line. */
  done(): void {
    if (this.#ended) return
    this.#ended = true
    if (!this.#isTty) this.#line.paint()
    this.#line.done()
  }
}

/** `certifying  131/221 requirements  0 findings  5,120 requests  12 s, about 8 s left  update-transform/title` */
export function progressLine(verb: string, state: ProgressState, elapsedMs: number): string {
  const { cases, casesInAll, requirements, share = 0, trying } = state
  const isKnown = share >= LEAST_SHARE && share < 1 && elapsedMs >= LEAST_MS
  const left = isKnown ? `, about ${seconds((elapsedMs * (1 - share)) / share)} left` : ''
  return [
    verb,
    requirements
      ? `${number(requirements.done)}/${number(requirements.all)} requirements`
      : `${number(cases)}/${number(casesInAll)} cases`,
    counted(state.findings, 'finding'),
    `${number(state.requests)} requests`,
    `${seconds(elapsedMs)}${left}`,
    ...(trying === undefined ? [] : [visible(trying)]),
  ].join('  ')
}

/** '12 s', '2 min 5 s' */
function seconds(ms: number): string {
  const whole = Math.round(ms / 1000)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
