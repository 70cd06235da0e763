/** Holds requests back: to a rate, and after a target asked to wait. */
export interface Pace {
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>
  /** Nothing is sent for so many milliseconds. */
  pause(milliseconds: number): void
}

/** `rate`: requests per second; undefined: no limit. */
export function createPace(
  rate: number | undefined,
  now: () => number,
  sleep: (milliseconds: number) => Promise<void>,
): Pace {
  const gap = rate === undefined ? 0 : 1000 / rate
  let next = 0
  let resume = 0
  return {
    async turn() {
      for (;;) {
        const time = now()
        if (time < resume) {
          await sleep(resume - time)
          continue
        }
        if (gap === 0) return
        const mine = Math.max(next, time)
        next = mine + gap
        if (mine <= time) return
        await sleep(mine - time)
        // A pause that began in the meantime holds for those too who already wait.
        if (now() >= resume) return
      }
    },
    pause(milliseconds) {
      resume = Math.max(resume, now() + milliseconds)
    },
  }
}
