import type { Call, Sent } from './case.ts'
import { NotRun } from './case.ts'
import { RawJson } from './generate/raw-json.ts'

/**
 * Throws NotRun where an operation takes whatever it is sent: a body that is no JSON, and no credentials either. It looks at
 * nothing then, and what it accepts tells nothing about a field. `send`: the good request, changed.
 */
export async function requireLook(operation: string, send: (change: Partial<Call>) => Promise<Sent>): Promise<void> {
  const intent = { kind: 'observe' as const, edge: 'takes anything' }
  const unread = await send({ body: new RawJson('assay'), intent })
  if (!unread.view.accepted) return
  const open = await send({ credentials: [], intent })
  if (!open.view.accepted) return
  throw new NotRun(
    'inconclusive',
    `${operation} takes a body that is no JSON, and no credentials: what it accepts tells nothing about a field`,
  )
}
