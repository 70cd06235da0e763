import { setTimeout as sleep } from 'node:timers/promises'
import { readerOf } from '../../rules/core/reads.ts'
import type { ProbeOf } from '../../schemas/intents.ts'
import { type CaseContext, NotRun, notOffered, type Sent } from './case.ts'

const POLL_MS = 50
/** Several copies of what is stored may answer in turn: so many reads in a row show nothing old before the last one. */
const IN_ROW = 3

/**
 * Reads a resource, or a list, until the rules find nothing old in it any more or the settle time is over. The last
 * read is marked as final. Throws NotRun where the binding has no such operation. `until-new`: no read follows one in
 * which nothing is old.
 */
export async function readBack(
  context: CaseContext,
  operation: string | undefined,
  params: Readonly<Record<string, string>>,
  group?: string | { readonly group: string; readonly probe?: ProbeOf<'read'> },
  end: 'final' | 'until-new' = 'final',
): Promise<Sent> {
  if (operation === undefined || context.binding.operations.get(operation)?.offered !== true) {
    const none = new NotRun('gap-unanswered', `the binding has no ${operation ?? 'operation'} to read back with`)
    throw notOffered(context.binding.operations.get(operation ?? ''), none)
  }
  const about = typeof group === 'string' ? { group } : group
  const read = (final: boolean): Promise<Sent> =>
    context.send({ operation, params, intent: { kind: 'read', final, ...about } })
  const deadline = performance.now() + context.settleTimeout
  for (let inRow = 0; performance.now() < deadline; ) {
    const sent = await read(false)
    if (sent.view.accepted && !sent.judgements.some(({ outcome }) => outcome === 'inconclusive')) {
      if (end === 'until-new') return sent
      inRow += 1
      if (inRow === IN_ROW) break
      continue
    }
    inRow = 0
    await sleep(POLL_MS)
  }
  return read(true)
}

/** The operation that reads one resource of a type, or lists them. */
export function reader(context: CaseContext, type: string, way: 'read' | 'list'): string | undefined {
  return readerOf(context.binding, type, way)
}
