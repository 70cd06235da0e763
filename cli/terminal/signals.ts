import { EXIT } from './exit-codes.ts'

const ORDERS = ['SIGINT', 'SIGTERM'] as const
const SIGNALS = [...ORDERS, 'SIGHUP'] as const

/** Listeners for signals: only the last one that began to listen gets them. */
const listeners: (() => void)[] = []

function listen(listener: () => void, signals: readonly NodeJS.Signals[] = SIGNALS): () => void {
  const tell = (): void => {
    if (listeners.at(-1) === listener) listener()
  }
  listeners.push(listener)
  for (const signal of signals) process.on(signal, tell)
  return () => {
    const index = listeners.indexOf(listener)
    if (index >= 0) listeners.splice(index, 1)
    for (const signal of signals) process.off(signal, tell)
  }
}

/**
 * Ctrl-C ends the process at once, with one line. `left`: what becomes of what was begun; '' where nothing was.
 * Programs that are started to outlive their terminal ignore this signal: it stays ignored.
 */
export function endOnSignals(left: string): () => void {
  return listen(() => {
    process.stderr.write(`error: interrupted${left === '' ? '' : `; ${left}`}\n`)
    process.exit(EXIT.interrupted)
  }, ORDERS)
}

/**
 * The first Ctrl-C lets the run clean up and report; the second ends the process at once. `tell`: gets the words about
 * each.
 */
export function watchSignals(tell: (which: 'first' | 'second') => void = () => {}): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const stopping = new AbortController()
  const release = listen(() => {
    tell(stopping.signal.aborted ? 'second' : 'first')
    if (stopping.signal.aborted) process.exit(EXIT.interrupted)
    stopping.abort()
  })
  return { signal: stopping.signal, release }
}

/**
 * Resolves at the first Ctrl-C or order to end; `again` gets each later one. Listen before anybody reads that Ctrl-C
 * ends it.
 */
export function untilInterrupted(again: (count: number) => void = () => process.exit(EXIT.interrupted)): Promise<void> {
  let count = 0
  return new Promise((resolve) => {
    listen(() => {
      count += 1
      if (count === 1) resolve()
      else again(count)
    })
  })
}
