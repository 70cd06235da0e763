import type { RecordCounts } from '../../engine/record/record.ts'
import { counted, number } from '../../reports/counted.ts'

/** What the terminal shows while a proxy runs. */
export interface RecordStatus extends RecordCounts {
  /** of the last second */
  readonly perSecond: number
}

/** One line; what is nothing and nobody waits for is left out. */
export function statusLine({ exchanges, perSecond, failures, warnings, open, dropped, cut }: RecordStatus): string {
  const parts = [
    `${exchanges.toLocaleString('en')} ${exchanges === 1 ? 'exchange' : 'exchanges'}`,
    `${Math.round(perSecond).toLocaleString('en')}/s`,
    `${counted(failures, 'failure')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`,
    ...(open === 0 ? [] : [`${number(open)} not certain yet`]),
    `${dropped.toLocaleString('en')} dropped`,
    ...(cut === 0 ? [] : [`${counted(cut, 'body', 'bodies')} cut short`]),
  ]
  return parts.join(' · ')
}

export interface StatusOptions {
  readonly write: (text: string) => void
  /** a terminal: one line that changes; otherwise a line every few seconds, when something has happened */
  readonly isTty: boolean
  readonly columns: number
  readonly read: () => RecordCounts
  /** milliseconds, from any origin */
  readonly now: () => number
  /** calls `action` every so many milliseconds until the function that it returns is called */
  readonly every: (milliseconds: number, action: () => void) => () => void
}

const REPAINT_MS = 500
const PLAIN_MS = 5_000
const CLEAR = '\r\u001b[2K'

/** Shows how a recording goes on. */
export function showStatus(options: StatusOptions): { note(text: string): void; done(): void } {
  const { write, isTty, columns, read, now } = options
  let before = { exchanges: read().exchanges, time: now() }
  let shown = ''
  const paint = (): void => {
    const state = read()
    const time = now()
    const seconds = (time - before.time) / 1_000
    const perSecond = seconds <= 0 ? 0 : (state.exchanges - before.exchanges) / seconds
    before = { exchanges: state.exchanges, time }
    const line = statusLine({ ...state, perSecond })
    if (!isTty && line.replace(/[\d,]+\/s/, '') === shown.replace(/[\d,]+\/s/, '')) return
    shown = line
    write(isTty ? `${CLEAR}${line.slice(0, columns - 1)}` : `${line}\n`)
  }
  const stop = options.every(isTty ? REPAINT_MS : PLAIN_MS, paint)
  return {
    note(text) {
      write(isTty ? `${CLEAR}${text}\n${shown.slice(0, columns - 1)}` : `${text}\n`)
    },
    done() {
      stop()
      if (isTty) write(CLEAR)
    },
  }
}
