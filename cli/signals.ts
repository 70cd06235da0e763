import { EXIT } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first Ctrl-C lets the run clean up and report; the second ends the process at once. `tell`: what has to be said of each. */
export function watchSignals(tell: (which: 'first' | 'second') => void = () => {}): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const stopping = new AbortController()
  const onSignal = (): void => {
    tell(stopping.signal.aborted ? 'second' : 'first')
    if (stopping.signal.aborted) process.exit(EXIT.interrupted)
    stopping.abort()
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    signal: stopping.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}

/** Resolves at the first Ctrl-C or order to end. Ask before anybody is told that Ctrl-C ends it. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const { signal, release } = watchSignals()
    signal.addEventListener('abort', () => {
      release()
      resolve()
    })
  })
}
