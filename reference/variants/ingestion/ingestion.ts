import { jsonIn } from '../../../schemas/json.ts'
import { isPending } from '../../core/message.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { handler } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { createLineStore } from '../../model/lines.ts'
import type { State } from '../../model/state.ts'
import { conflict } from '../core/changes.ts'
import type { Variant } from '../core/variant.ts'

type Sent = { readonly lines?: readonly { readonly timestamp?: unknown }[] }

/** Does something else with the lines of a request that are of times to come. */
function linesToCome(change: (lines: NonNullable<Sent['lines']>, now: number) => unknown): () => Changes {
  return () =>
    edited((lines, { env }) => {
      const now = env.now()
      return lines.some((line) => isToCome(line, now)) ? change(lines, now) : undefined
    })
}

function isToCome(line: { readonly timestamp?: unknown } | null, now: number): boolean {
  return Number(line?.timestamp) > now + 60_000
}

/** Undefined where a body is something else, or packed. */
function readJson(body: Uint8Array): Sent | undefined {
  return jsonIn(Buffer.from(body).toString('utf8')) as Sent | undefined
}

/** Stores other lines than were sent; those that were sent where there are no others. */
function edited(edit: (lines: NonNullable<Sent['lines']>, call: Call) => unknown): Changes {
  return {
    handlers: {
      'ingest-lines': (inner) => (call) => {
        const sent = readJson(call.request.body)
        if (!Array.isArray(sent?.lines)) return inner(call)
        const lines = edit(sent.lines, call)
        if (lines === undefined) return inner(call)
        const body = Buffer.from(JSON.stringify({ ...sent, lines }))
        return inner({ ...call, request: { ...call.request, body } })
      },
    },
  }
}

function linesOfArrival(): Changes {
  return edited((lines, { env }) => lines.map((line) => ({ ...line, timestamp: env.now() })))
}

/** A line that is the same as one before in everything is taken for that one. */
function alikeOnce(): Changes {
  const known = new Set<string>()
  const isNew = (hostname: string | null, line: unknown): boolean => {
    const before = known.size
    known.add(JSON.stringify([hostname, line]))
    return known.size > before
  }
  return edited((lines, { query }) => lines.filter((line) => isNew(query.get('hostname'), line)))
}

/** Lines that are sent while ingestion is suspended wait, and are stored when it is resumed. */
function linesWait(): Changes {
  const waiting: Call[] = []
  let store: Handler | undefined
  return {
    handlers: {
      'ingest-lines': (inner) => (call) => {
        store = inner
        if (call.state.suspension.suspended) waiting.push(call)
        return inner(call)
      },
      'resume-ingestion': (inner) => (call) => {
        const reply = inner(call)
        for (const one of waiting.splice(0)) store?.(one)
        return reply
      },
    },
  }
}

/** Resuming wants two calls with no other request about the suspension between them. */
function resumesTwice(): Changes {
  const waiting = new WeakSet<State>()
  const resets = (inner: Handler) => (call: Call) => {
    waiting.delete(call.state)
    return inner(call)
  }
  return {
    handlers: {
      'get-ingestion-status': resets,
      'suspend-ingestion': resets,
      'confirm-suspension': resets,
      'resume-ingestion': (inner) => (call) => {
        if (!call.state.suspension.suspended || waiting.delete(call.state)) return inner(call)
        waiting.add(call.state)
        return { status: 202, json: { status: 'call again to resume' } }
      },
    },
  }
}

const LATE_MS = 1_500

/** Other ways to take lines, to suspend ingestion, and to remove exclusion rules. */
export const ingestionVariants: readonly Variant[] = [
  {
    name: 'lines-late',
    about: 'lines are found a second and a half after they were taken',
    changes: () =>
      handler('ingest-lines', (inner) => (call) => {
        setTimeout(() => inner(call), LATE_MS).unref()
        return { status: 200, json: { status: 'ok' } }
      }),
    settleTimeout: 2 * LATE_MS,
  },
  {
    name: 'no-lines-yet',
    about: 'the account has no lines at the start',
    changes: () => ({ state: (state) => void Object.assign(state, { lines: createLineStore() }) }),
  },
  {
    name: 'suspension-token-same',
    about: 'the first call to suspend always gives the same token',
    changes: () => ({
      handlers: {
        'suspend-ingestion': (inner) => (call) => {
          const reply = inner(call)
          const { guard } = call.state.suspension
          if (guard) call.state.suspension.guard = { ...guard, token: 'confirm-it' }
          return isPending(reply) ? reply : { ...reply, json: { token: 'confirm-it' } }
        },
      },
    }),
  },
  {
    name: 'lines-to-come-now',
    about: 'lines of the future are stored as if they were of now',
    changes: linesToCome((lines, now) =>
      lines.map((line) => (isToCome(line, now) ? { ...line, timestamp: now } : line)),
    ),
  },
  {
    name: 'lines-to-come-dropped',
    about: 'lines of the future are taken and not stored',
    changes: linesToCome((lines, now) => lines.filter((line) => !isToCome(line, now))),
  },
  {
    name: 'lines-to-come-refused',
    about: 'lines of the future are refused',
    changes: linesToCome(() => {
      throw invalid('/lines', 'must not be of times to come')
    }),
  },
  {
    name: 'lines-alike-once',
    about: 'a line that is the same as one before in everything, its time included, is not stored again',
    changes: alikeOnce,
  },
  {
    name: 'lines-of-arrival',
    about: 'lines are stored under the time of their arrival',
    changes: linesOfArrival,
  },
  {
    name: 'resume-refused',
    about: 'resuming is refused while nothing is suspended',
    changes: () => conflict(['resume-ingestion'], ({ state }) => !state.suspension.suspended),
  },
  {
    name: 'suspension-lines-wait',
    about: 'lines that are sent while ingestion is suspended come out once it is resumed',
    changes: linesWait,
  },
  {
    name: 'suspension-lines-refused',
    about: 'lines that are sent while ingestion is suspended are refused',
    changes: () =>
      handler('ingest-lines', (inner) => (call) => {
        if (call.state.suspension.suspended) throw new Refusal('Conflict', 'ingestion is suspended')
        return inner(call)
      }),
  },
  {
    name: 'resume-twice',
    about: 'resuming wants two consecutive calls, as suspending does',
    changes: resumesTwice,
  },
]
