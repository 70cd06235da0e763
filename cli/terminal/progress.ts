import { number } from '../../reports/counted.ts'
import { type LineOptions, Progress, StatusLine } from '../../reports/progress.ts'
import type { Io } from './io.ts'

/** A line on the error output that says how far it is. Returns what ends it. */
export function showProgress(io: Io, line: () => string): () => void {
  const shown = new StatusLine(lineOn(io), line)
  return () => shown.done()
}

function lineOn({ stderr, isTty, columns }: Io): LineOptions {
  return { stream: stderr, isTty, columns }
}

/** Says what is being done, and for how long already, where it takes its time. */
export function showDoing(io: Io, what: string): () => void {
  const begun = performance.now()
  return showProgress(io, () => {
    const seconds = Math.floor((performance.now() - begun) / 1000)
    return seconds === 0 ? '' : `${what}  ${seconds} s`
  })
}

/** The same while something is done. */
export async function whileDoing<T>(io: Io, what: string, action: () => Promise<T>): Promise<T> {
  const end = showDoing(io, what)
  try {
    return await action()
  } finally {
    end()
  }
}

/** Progress on the error output, by the real clock. `verb`: what is being done, 'certifying' where it is left out. */
export function progressOn(io: Io, verb?: string): Progress {
  return new Progress({ ...lineOn(io), now: () => performance.now(), ...(verb === undefined ? {} : { verb }) })
}

const WIDTH = 20

/** How many exchanges were read of recordings: a bar that moves, since their number is unknown. */
export function showCounts(io: Io, files: number, bytes: number): { add(): void; end(): void } {
  const megabytes = (bytes / 1e6).toFixed(1)
  const started = performance.now()
  let exchanges = 0
  const end = showProgress(io, () => {
    const seconds = (performance.now() - started) / 1000
    const rate = number(Math.round(exchanges / Math.max(seconds, 0.001)))
    const bar = '#'.repeat(Math.floor(seconds * 4) % WIDTH).padEnd(WIDTH, '.')
    return `checking [${bar}] ${number(exchanges)} exchanges of ${files} files (${megabytes} MB), ${rate}/s`
  })
  return {
    add() {
      exchanges += 1
    },
    end,
  }
}
