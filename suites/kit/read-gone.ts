import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseContext, Sent } from './case.ts'

const POLL_MS = 50

/**
 * Reads what was removed until the target or the rules say that it is gone, or the settle time is over. The last read
 * is marked as final.
 */
export async function readGone(
  context: CaseContext,
  operation: string,
  params: Readonly<Record<string, string>>,
  group?: string,
): Promise<Sent> {
  const deadline = performance.now() + context.settleTimeout
  for (;;) {
    const final = performance.now() >= deadline
    const intent = { kind: 'read' as const, final, ...(group === undefined ? {} : { group }) }
    const sent = await context.send({ operation, params, intent })
    const { status } = sent.view
    const outcomes = new Set(sent.judgements.map(({ outcome }) => outcome))
    const told = outcomes.has('held') && !outcomes.has('inconclusive')
    if (final || told || status === 404 || status === 410) return sent
    await sleep(POLL_MS)
  }
}
