import { createProgress, type Progress } from '../reports/progress.ts'
import type { Io } from './io.ts'

/** Progress on the error output, by the real clock. `verb`: what is being done, 'certifying' where it is left out. */
export function progressOn(io: Io, verb?: string): Progress {
  return createProgress({
    stream: io.stderr,
    isTty: io.isTty,
    columns: io.columns,
    now: () => performance.now(),
    every: (milliseconds, action) => {
      const timer = setInterval(action, milliseconds)
      return () => clearInterval(timer)
    },
    ...(verb === undefined ? {} : { verb }),
  })
}
