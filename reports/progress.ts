import { clip, visible } from './text.ts'

/** How far a run has come. */
export interface ProgressState {
  readonly cases: number
  readonly casesInAll: number
  readonly requests: number
  readonly findings: number
}

export interface ProgressOptions {
  readonly stream: { write(text: string): unknown }
  /** a terminal: one line that changes; otherwise a line every few seconds */
  readonly isTty: boolean
  readonly columns: number
  /** milliseconds, from any origin */
  readonly now: () => number
  /** Calls `action` every `ms` milliseconds until the function that it returns is called. */
  readonly every: (ms: number, action: () => void) => () => void
  /** what is being done: 'certifying', unless another word is given */
  readonly verb?: string
}

export interface Progress {
  update(state: ProgressState): void
  /** Writes a line of its own that stays. */
  note(text: string): void
  /** Ends it: the changing line goes, a log gets its last line. */
  done(): void
}

const REPAINT_MS = 100
const PLAIN_MS = 5000
const CLEAR = '\r\u001b[2K'

/**
 * Shows on a stream how far a run has come, also while nothing happens, from its first update on. Never faster than a
 * person can read.
 */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, isTty, columns, now } = options
  const started = now()
  let state: ProgressState = { cases: 0, casesInAll: 0, requests: 0, findings: 0 }
  let shown = ''
  let ended = false
  let begun = false

  const paint = (): void => {
    if (!begun) return
    const line = clip(progressLine(options.verb ?? 'certifying', state, now() - started), columns - 1)
    if (line === shown) return
    stream.write(isTty ? `${CLEAR}${line}` : `${line}\n`)
    shown = line
  }
  const stop = options.every(isTty ? REPAINT_MS : PLAIN_MS, paint)

  return {
    update(next) {
      state = next
      if (begun) return
      begun = true
      if (isTty) paint()
    },
    note(text) {
      stream.write(`${isTty ? CLEAR : ''}${visible(text)}\n`)
      shown = ''
      if (isTty) paint()
    },
    done() {
      if (ended) return
      ended = true
      stop()
      if (isTty) stream.write(CLEAR)
      else paint()
    },
  }
}

/** `certifying  43/112 cases  5,120 requests  0 findings  3.1 s` */
export function progressLine(verb: string, state: ProgressState, elapsedMs: number): string {
  const count = (value: number): string => value.toLocaleString('en-US')
  const findings = state.findings === 1 ? 'finding' : 'findings'
  return [
    verb,
    `${count(state.cases)}/${count(state.casesInAll)} cases`,
    `${count(state.requests)} requests`,
    `${count(state.findings)} ${findings}`,
    `${(elapsedMs / 1000).toFixed(1)} s`,
  ].join('  ')
}
