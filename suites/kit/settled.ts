import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseContext } from './case.ts'

/** Waits until nothing that was done before may still be on its way; at once where the target has no settle time. */
export async function untilSettled({ settleTimeout }: CaseContext): Promise<void> {
  if (settleTimeout > 0) await sleep(settleTimeout)
}
