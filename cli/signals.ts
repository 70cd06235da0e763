import { EXIT } from './exit-codes.ts'

/** Tells a run to stop; it then cleans up and reports what was done. */
export interface Interrupt {
  readonly requested: () => boolean
  onRequest(action: () => void): void
}

/** The first Ctrl-C lets the run clean up and report; the second ends the process at once. `tell`: what has to be said of each. */
export function watchSignals(tell: (which: 'first' | 'second') => void = () => {}): {
  readonly interrupt: Interrupt
  readonly release: () => void
} {
  const actions: (() => void)[] = []
  let requested = false
  const onSignal = (): void => {
    tell(requested ? 'second' : 'first')
    if (requested) process.exit(EXIT.interrupted)
    requested = true
    for (const action of actions) action()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
  return {
    interrupt: {
      requested: () => requested,
      onRequest: (action) => {
        actions.push(action)
        if (requested) action()
      },
    },
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('SIGHUP', onSignal)
    },
  }
}

/** Resolves at the first Ctrl-C or order to end. Ask before anybody is told that Ctrl-C ends it. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const { interrupt, release } = watchSignals()
    interrupt.onRequest(() => {
      release()
      resolve()
    })
  })
}
