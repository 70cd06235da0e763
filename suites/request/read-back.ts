import { setTimeout as sleep } from 'node:timers/promises'
import { madeIn } from '../../rules/core/reads.ts'
import { offered } from '../../schemas/binding.ts'
import type { ProbeName } from '../../schemas/types/intents.ts'
import { type CaseContext, NotRun, notOffered, type Params, type Sent } from '../case.ts'
import { isBroken } from './control.ts'
import type { GoodRequest } from './good-request.ts'

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
  params: Params,
  group?: string | { readonly group: string; readonly probe?: ProbeName },
  end: 'final' | 'until-new' = 'final',
): Promise<Sent> {
  const reader = requireReader(context, operation, 'read back')
  const about = typeof group === 'string' ? { group } : group
  const read = (final: boolean): Promise<Sent> =>
    context.send({ operation: reader, params, intent: { kind: 'read', final, ...about } })
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

/** The operation of this id. Throws NotRun where the binding has none such `to` do something with. */
export function requireReader({ binding }: CaseContext, id: string | undefined, to: string): string {
  const operation = offered(binding, id)
  if (operation) return operation.id
  const none = new NotRun('gap-unanswered', `the binding has no ${id ?? 'operation'} to ${to} with`)
  throw notOffered(binding.operations.get(id ?? ''), none)
}

/**
 * Reads what was removed until the target or the rules say that it is gone, or the settle time is over. The last read
 * is marked as final.
 */
export async function readGone(context: CaseContext, operation: string, params: Params, group?: string): Promise<Sent> {
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

/** Waits until nothing that was done before may still be on its way; at once where the target has no settle time. */
export async function untilSettled({ settleTimeout }: CaseContext): Promise<void> {
  if (settleTimeout > 0) await sleep(settleTimeout)
}

const FIRST_POLL_MS = 50
const LONGEST_POLL_MS = 1_000

/**
 * Reads until a read satisfies `done`, or the settle time is over. The last read is marked as final, so that it counts.
 */
export async function settle<T>(
  context: CaseContext,
  read: (final: boolean) => Promise<T>,
  done: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + context.settleTimeout
  for (let wait = FIRST_POLL_MS; performance.now() < deadline; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
    const value = await read(false)
    if (done(value)) break
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())))
  }
  return read(true)
}

/** Reads what good requests of one operation have stored. */
export interface Stored {
  /** judged by what is read */
  readonly requirement: string
  /**
   * Reads the thing that an accepted request was about, or that it made. Does nothing if it was not accepted, or after
   * a fault in storage was found.
   */
  read(sent: Sent): Promise<void>
}

/** undefined: the operation is not known to store anything, or the binding has no read for it. */
export function storedBy(context: CaseContext, good: GoodRequest, group: string): Stored | undefined {
  const { binding } = context
  const { resource: type, stored: requirement } = good.operation
  const { id: placeholder, read, create } = binding.resources.get(type) ?? {}
  const operation = offered(binding, read)?.id
  if (requirement === undefined || placeholder === undefined || operation === undefined) return undefined
  const makes = create === good.operation.id
  let found = false
  return {
    requirement,
    async read({ view }) {
      if (found || !view.accepted) return
      const { params } = await good.request()
      const id = makes ? madeIn(view) : params[placeholder]
      if (id === undefined) return
      const { judgements } = await readBack(context, operation, { ...params, [placeholder]: id }, group, 'until-new')
      found = isBroken(judgements)
    },
  }
}
