/** Holds requests back: to a rate, and after a target asked to wait. */
export interface Pace {
  /** Resolves when the next request may be sent. `isWrong`: without right credentials. */
  turn(isWrong?: boolean): Promise<void>
  /** Nothing is sent for so many milliseconds. */
  pause(milliseconds: number): void
  /** The target kept everybody out: from now on requests come slower, of wrong credentials first. */
  lower(): void
  /** in words: how far it was lowered; undefined: it was not */
  lowered(): string | undefined
}

/** One way to be too fast. */
interface Lane {
  /** milliseconds from one request to the next, and what they were at first */
  gap: number
  readonly usual: number
  next: number
  /** requests of this second, which began at `since`, and of the one before it */
  count: number
  before: number
  since: number
}

/** So many wrong credentials in one second look like guessing. */
const GUESSES = 3
/** Milliseconds between requests at the slowest. */
const SLOWEST_MS = 5_000

/** `rate`: requests per second; undefined: no limit. */
export function createPace(
  rate: number | undefined,
  now: () => number,
  sleep: (milliseconds: number) => Promise<void>,
): Pace {
  const laneOf = (gap: number): Lane => ({ gap, usual: gap, next: 0, count: 0, before: 0, since: now() })
  const all = laneOf(rate === undefined ? 0 : 1000 / rate)
  const wrong = laneOf(0)
  let resume = 0
  let times = 0

  async function wait(lane: Lane): Promise<void> {
    if (lane.gap === 0) return
    const mine = Math.max(lane.next, now())
    lane.next = mine + lane.gap
    if (mine > now()) await sleep(mine - now())
  }

  function count(lane: Lane): void {
    const passed = now() - lane.since
    if (passed >= 1_000) Object.assign(lane, { before: passed < 2_000 ? lane.count : 0, count: 0, since: now() })
    lane.count += 1
  }

  const most = ({ count: one, before }: Lane): number => Math.max(one, before, 1)
  const slower = (lane: Lane): void => {
    lane.gap = Math.min(SLOWEST_MS, Math.max(2 * lane.gap, 2_000 / most(lane)))
  }

  return {
    async turn(isWrong = false) {
      if (isWrong) {
        await wait(wrong)
        count(wrong)
      }
      // A pause that begins in the meantime holds for those too who already wait.
      do {
        while (now() < resume) await sleep(resume - now())
        await wait(all)
      } while (now() < resume)
      count(all)
    },
    pause(milliseconds) {
      resume = Math.max(resume, now() + milliseconds)
    },
    lower() {
      times += 1
      if (most(wrong) > GUESSES) wrong.gap = Math.max(2 * wrong.gap, 1_000 / GUESSES)
      else slower(times % 2 === 0 ? wrong : all)
    },
    lowered: () =>
      times === 0
        ? undefined
        : `lowered ${times === 1 ? 'once' : `${times} times`}, since the target kept out right credentials: ${said(wrong, 'wrong credentials')}, ${said(all, 'requests')}`,
  }
}

function said({ gap, usual }: Lane, what: string): string {
  return gap === usual ? `${what} as before` : `at most ${(1_000 / gap).toFixed(1)} ${what} a second`
}
