import { sendInOrder } from '../../fixtures/replay/in-order.ts'
import type { Replayed } from '../../fixtures/replay/sender.ts'
import { NO_SHIFT } from '../../fixtures/replay/values/times.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'

/** Replays exchanges, one after the other, to a target that is a function; `number`: of the request, from 1. */
export async function replayedTo(
  exchanges: readonly Exchange[],
  answer: (path: string, number: number) => Given,
): Promise<Replayed[]> {
  const replayed: Replayed[] = []
  let number = 0
  async function* stream(): AsyncGenerator<Exchange> {
    yield* exchanges
  }
  await sendInOrder({
    exchanges: stream(),
    session: {
      async send({ method, path }) {
        number += 1
        const start = Date.UTC(2026, 2, 1) + number * 1_000
        return exchange(`${method} ${path}`, { id: `n${number}`, start, ...answer(path, number) })
      },
      close: () => Promise.resolve(),
    },
    binding: referenceBinding(),
    basePath: '',
    secrets: new Map(),
    shift: NO_SHIFT,
    speed: 0,
    concurrency: 1,
    wholeBody: () => undefined,
    rename: (prefix) => prefix,
    settleMs: 0,
    now: () => performance.now(),
    sleep: () => Promise.resolve(),
    stopped: () => false,
    onReplayed: (one) => replayed.push(one),
  })
  return replayed
}
