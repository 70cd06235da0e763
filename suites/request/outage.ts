import { isUnheard } from '../../fixtures/http/retry.ts'
import { isLostOnTheWay } from '../../rules/core/says.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'

/** So many requests in a row that nobody carried out: the target is away, and not only in a bad moment. */
const ENOUGH = 5
/** Milliseconds that a run waits at once and in all: long enough for a restart; guards that keep everybody out are not described. */
const AT_ONCE_MS = { away: 60_000, out: 70_000 }
const IN_ALL_MS = { away: 60_000, out: 120_000 }
/** So many answers with 500 in a row, to requests of all kinds: it has broken down, and repeats are in vain. */
const BROKEN_DOWN = 50
/** Milliseconds between two requests that ask whether it is back. */
const ASK_EVERY_MS = 500

/**
 * Notices that a target is away, such as while it restarts, or lets nobody in, such as after wrong credentials. Requests
 * then wait, or each of them would be in vain.
 */
export interface Outage {
  /** what became of each request */
  note(exchange: Exchange): void
  /** It refuses the right credentials that it took a moment ago. */
  keepsOut(): void
  /** It is away, and there is patience left to wait. */
  isAway(): boolean
  /** Whether something keeps everybody out now and then; `tired`: there is no patience left to wait for it. */
  guard(): 'patient' | 'tired' | undefined
  /** It answers everything with 500. */
  isDown(): boolean
  /** Whether it is time to ask if the target is back: of all that wait, one is told so. */
  asks(): boolean
}

/** `now`: milliseconds of a clock that only goes on. `wasThere`: it answered before; only then can it be away, and come back. */
export function createOutage(now: () => number, wasThere: boolean): Outage {
  let answered = wasThere
  let inVain = 0
  /** since when it is away */
  let since: number | undefined
  /** while it was away, and while it kept everybody out */
  const waited = { away: 0, out: 0 }
  let askAt = 0
  let keptOut = false
  let isGuarded = false
  let hurt = 0
  const how = (): keyof typeof waited => (keptOut ? 'out' : 'away')
  const isAway = (): boolean => {
    if (since === undefined) return false
    const spent = now() - since
    return spent < AT_ONCE_MS[how()] && waited[how()] + spent < IN_ALL_MS[how()]
  }
  return {
    isDown: () => hurt >= BROKEN_DOWN,
    note(exchange) {
      hurt = exchange._outcome === 'complete' && exchange.response.status === 500 ? hurt + 1 : 0
      if (isInVain(exchange)) {
        inVain += 1
        if (answered && inVain >= ENOUGH) since ??= now()
        return
      }
      if (keptOut && isRefusal(exchange)) return
      // What came after it was given up was no waiting of the run.
      if (since !== undefined) waited[how()] += Math.min(now() - since, AT_ONCE_MS[how()])
      answered = true
      inVain = 0
      since = undefined
      keptOut = false
    },
    keepsOut() {
      since ??= now()
      keptOut = true
      isGuarded = true
    },
    isAway,
    guard() {
      const isTired = waited.out >= IN_ALL_MS.out || (keptOut && !isAway())
      return isGuarded ? (isTired ? 'tired' : 'patient') : undefined
    },
    asks() {
      if (now() < askAt) return false
      askAt = now() + ASK_EVERY_MS
      return true
    },
  }
}

/** Whether credentials were refused, or whoever sent them. */
export function isRefusal({ _outcome, response }: Exchange): boolean {
  return _outcome === 'complete' && (response.status === 401 || response.status === 403)
}

/** Nobody was there, or somebody on the way says so. Who is slow is there, and so is who answers with an error of its own. */
function isInVain(exchange: Exchange): boolean {
  const { _outcome, response } = exchange
  return _outcome === 'complete' ? isLostOnTheWay(response.status) : _outcome === 'reset' || isUnheard(exchange)
}
