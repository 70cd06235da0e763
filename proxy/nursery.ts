import { setFlagsFromString } from 'node:v8'

/**
 * From now on the engine leaves the memory where new objects are made as large as it is, in all threads of the process. What
 * forwarding makes is garbage at once: a small nursery costs little time and saves much memory, and one that has grown never
 * shrinks. The engine forgets this whenever a thread starts. For programs, not for libraries.
 */
export function keepNurseries(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
