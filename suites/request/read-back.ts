import { setTimeout as sleep } from 'node:timers/promises'
import { madeIn } from '../../rules/core/reads.ts'
import { offered } from '../../schemas/binding.ts'
import type { ProbeName } from '../../schemas/types/intents.ts'
import { type CaseContext, NotRun, notOffered, type Params, type Sent } from '../case.ts'
import { isBroken } from './control.ts'
import type { GoodRequest } from './good-request.ts'

const FIRST_POLL_MS = 50
const LONGEST_POLL_MS = 1_000
/** By what clocks are read apart. Milliseconds. */
const APART_MS = 10

/** Milliseconds after which nothing that was done before may still be on its way; 0 where the target has no settle time. */
function settledAfter({ settleTimeout }: Pick<CaseContext, 'settleTimeout'>): number {
  return settleTimeout > 0 ? settleTimeout + APART_MS : 0
}

/** Waits so long. */
export async function untilSettled(context: CaseContext): Promise<void> {
  if (context.settleTimeout > 0) await sleep(settledAfter(context))
}

/** Of the time after which all is looked at once more. */
const A_WHILE = 0.7

/** Whether a run takes the time to look after a while: the shortest ones do not. */
export function mayLookLater({ observes, lateLook }: CaseContext): boolean {
  return observes && lateLook > 0
}

/** Waits until what goes wrong by itself has gone wrong; as long as things need to settle, where the run has no such time. */
export async function untilLater(context: CaseContext): Promise<void> {
  if (!mayLookLater(context)) return untilSettled(context)
  await context.waitUntil(performance.now() + A_WHILE * context.lateLook)
}

/**
 * Reads until a read satisfies `done`, or the settle time is over. Returns the last read; `final`: whether it came after
 * that time, and so counts in any case.
 */
export async function settle<T>(
  context: CaseContext,
  read: (final: boolean) => Promise<T>,
  done: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + settledAfter(context)
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
    const final = performance.now() >= deadline
    const value = await read(final)
    if (final || done(value)) return value
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())))
  }
}

/** Whether the rules leave it to a later read what a read says. */
export function isUndecided({ judgements }: Sent): boolean {
  return judgements.some(({ outcome }) => outcome === 'inconclusive')
}

/**
 * Reads a resource, or a list, until the rules find nothing old in it any more or the settle time is over. Throws NotRun
 * where the binding has no such operation.
 */
export async function readBack(
  context: CaseContext,
  operation: string | undefined,
  params: Params,
  group?: string | { readonly group: string; readonly probe?: ProbeName },
): Promise<Sent> {
  const reader = requireReader(context, operation, 'read back')
  const about = typeof group === 'string' ? { group } : group
  return settle(
    context,
    (final) => context.send({ operation: reader, params, intent: { kind: 'read', final, ...about } }),
    (sent) => sent.view.accepted && !isUndecided(sent),
  )
}

/** The operation of this id. Throws NotRun where the binding has none such `to` do something with. */
export function requireReader({ binding }: CaseContext, id: string | undefined, to: string): string {
  const operation = offered(binding, id)
  if (operation) return operation.id
  const none = new NotRun('gap-unanswered', `the binding has no ${id ?? 'operation'} to ${to} with`)
  throw notOffered(binding.operations.get(id ?? ''), none)
}

/** Reads what was removed until the target or the rules say that it is gone, or the settle time is over. */
export async function readGone(context: CaseContext, operation: string, params: Params, group?: string): Promise<Sent> {
  return settle(
    context,
    (final) =>
      context.send({ operation, params, intent: { kind: 'read', final, ...(group === undefined ? {} : { group }) } }),
    (sent) => {
      const isTold = sent.judgements.some(({ outcome }) => outcome === 'held') && !isUndecided(sent)
      return isTold || sent.view.status === 404 || sent.view.status === 410
    },
  )
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
      const { judgements } = await readBack(context, operation, { ...params, [placeholder]: id }, group)
      found = isBroken(judgements)
    },
  }
}
