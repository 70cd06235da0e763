import { type Call, isPending, type Reply } from '../../core/route.ts'
import { handler, type Json, named, typeOf } from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

/** milliseconds between the two halves of what is not done at once */
const GAP_MS = 25

/** Lets time pass before the rest of a request is carried out. */
function later(call: Call, rest: () => Reply, milliseconds = GAP_MS): Reply {
  return { resumeAt: call.env.now() + milliseconds, resume: rest }
}

/** A thing is read, changed and written back without a lock. */
function unlocked(operation: string): Changes {
  return handler(operation, (inner) => (call) => {
    const thing = named(call, typeOf(operation))
    if (!thing) return inner(call)
    const before = thing.body
    return later(call, () => {
      thing.body = before
      return inner(call)
    })
  })
}

/** The name is written at once and the channels a while later. */
const torn = handler('update-preset-alert', (inner) => (call) => {
  const { name, channels } = (call.body ?? {}) as Json
  const early = inner(call)
  if (isPending(early) || early.status >= 300) return early
  const slow = Number(String(name).at(-1)) % 2 === 1
  const rest = (): Reply => {
    const stored = named(call, 'preset-alert')
    if (stored && channels !== undefined) stored.body = { ...stored.body, channels }
    return early
  }
  return later(call, rest, slow ? 2 * GAP_MS : GAP_MS)
})

/** Faults that show only where several requests are under way at the same time. */
export const parallelFaults: Coded = {
  'state-variables-lost-update': unlocked('update-state-variables'),
  'route-lost-update': unlocked('update-gateway-route'),
  'preset-alert-torn': torn,
}
