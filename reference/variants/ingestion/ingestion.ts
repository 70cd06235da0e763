import type { BindingFile } from '../../../schemas/binding.ts'
import { jsonIn } from '../../../schemas/json.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import { type Call, type Handler, ok } from '../../core/route.ts'
import { asked, demands, handler, replied } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { createLineStore } from '../../model/lines.ts'
import type { State } from '../../model/state.ts'
import type { CodedVariants } from '../core/variant.ts'

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
  return asked('ingest-lines', (call) => {
    const sent = readJson(call.request.body)
    const lines = Array.isArray(sent?.lines) ? edit(sent.lines, call) : undefined
    if (lines === undefined) return call
    return { ...call, request: { ...call.request, body: Buffer.from(JSON.stringify({ ...sent, lines })) } }
  })
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
  const others = 'get-ingestion-status suspend-ingestion confirm-suspension'
  return {
    handlers: {
      ...demands(others, ({ state }) => void waiting.delete(state)).handlers,
      'resume-ingestion': (inner) => (call) => {
        if (!call.state.suspension.suspended || waiting.delete(call.state)) return inner(call)
        waiting.add(call.state)
        return { status: 202, json: { status: 'call again to resume' } }
      },
    },
  }
}

/**
 * Two calls at one address, whoever sends them. `keeps`: only a suspension is resumed, so that one call stays counted. Else
 * the status has a word for it.
 */
function counted(name: string, keeps: boolean): CodedVariants[string] {
  const status = { ingesting: keeps ? '/runs' : '/state=ACTIVE' }
  return {
    binding: (): BindingFile => ({
      formatVersion: 1,
      name,
      operations: {
        'get-ingestion-status': { answer: status },
        'suspend-ingestion': { answer: { token: null } },
        'confirm-suspension': { method: 'POST', path: '/v1/config/ingestion/suspend', body: {} },
      },
    }),
    changes: (): Changes => {
      let calls = 0
      return {
        handlers: {
          'suspend-ingestion': () => (call) => {
            calls += 1
            call.state.suspension.suspended = calls > 1
            return calls > 1 ? ok({ status: 'SUSPENDED' }) : { status: 202, json: { status: 'SUSPENSION_PENDING' } }
          },
          'get-ingestion-status': () => () =>
            ok({ runs: calls < 2, state: ['ACTIVE', 'PENDING'][calls] ?? 'SUSPENDED' }),
          'resume-ingestion': (inner) => (call) => {
            if (keeps && calls < 2) throw new Refusal('Conflict', 'nothing is suspended')
            calls = 0
            return inner(call)
          },
        },
      }
    },
  }
}

/** An exclusion rule selects by a query alone, in which a word is one of the text. */
const byQuery = {
  binding: (): BindingFile => {
    const body = { title: '{{label}}', query: '{{label}}', active: true }
    return { formatVersion: 1, name: 'exclusion-by-query', operations: { 'create-exclusion': { body } } }
  },
  changes: (): Changes => ({}),
}

const LATE_MS = 780

/** Lines are found a while after they were taken. */
function late(): Changes {
  return handler('ingest-lines', (inner) => (call) => {
    setTimeout(() => inner(call), LATE_MS).unref()
    return { status: 200, json: { status: 'ok' } }
  })
}

/** The first call to suspend always gives the same token. */
function sameToken(): Changes {
  return replied('suspend-ingestion', (answer, { state: { suspension } }) => {
    if (suspension.guard) suspension.guard = { ...suspension.guard, token: 'confirm-it' }
    return { ...answer, json: { token: 'confirm-it' } }
  })
}

/** Other ways to take lines, to suspend ingestion, and to remove exclusion rules. */
export const ingestionVariants: CodedVariants = {
  'lines-late': late,
  'no-lines-yet': () => ({ state: (state) => void Object.assign(state, { lines: createLineStore() }) }),
  'suspension-token-same': sameToken,
  'lines-to-come-now': linesToCome((lines, now) => {
    return lines.map((line) => (isToCome(line, now) ? { ...line, timestamp: now } : line))
  }),
  'lines-to-come-dropped': linesToCome((lines, now) => lines.filter((line) => !isToCome(line, now))),
  'lines-to-come-refused': linesToCome(() => {
    throw invalid('/lines', 'must not be of times to come')
  }),
  'lines-alike-once': alikeOnce,
  'lines-of-arrival': linesOfArrival,
  'suspension-lines-wait': linesWait,
  'resume-twice': resumesTwice,
  'exclusion-by-query': byQuery,
  'suspension-pending': counted('suspension-pending', false),
  'suspension-counted': counted('suspension-counted', true),
}
