import { clip } from '../reports/text.ts'
import type { Io } from './io.ts'

const REPAINT_MS = 200
const PLAIN_MS = 5_000

/** A line on the error output that says how far it is: one that changes on a terminal, one every few seconds elsewhere. */
export function showProgress(io: Io, line: () => string): () => void {
  let shown = ''
  const paint = (): void => {
    const next = clip(line(), io.columns - 1)
    if (next === shown) return
    shown = next
    io.stderr.write(io.isTty ? `\r\u001b[2K${next}` : `${next}\n`)
  }
  const timer = setInterval(paint, io.isTty ? REPAINT_MS : PLAIN_MS)
  return () => {
    clearInterval(timer)
    if (io.isTty && shown !== '') io.stderr.write('\r\u001b[2K')
  }
}

/** Says what is being done, and for how long already, where it takes its time. */
export async function whileDoing<T>(io: Io, what: string, action: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const end = showProgress(io, () => {
    const seconds = Math.floor((performance.now() - begun) / 1000)
    return seconds === 0 ? '' : `${what}  ${seconds} s`
  })
  try {
    return await action()
  } finally {
    end()
  }
}
