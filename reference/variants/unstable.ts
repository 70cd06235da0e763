import { type Answer, type Call, type Handler, isPending } from '../core/route.ts'
import type { Changes } from '../faults/core/fault.ts'
import { createLineStore, type LineStore, storeLine } from '../model/lines.ts'
import { routes } from '../routes.ts'
import { everywhere, generator, type Variant } from './core/variant.ts'

/** milliseconds from the arrival of a line until it comes out */
const VISIBLE_MS = 2_000
/** milliseconds that an answer takes at most */
const SLOWEST_MS = 50
/** one request of so many is put off, and one of so many of these for a second */
const PUT_OFF = 10
const PUT_OFF_LONG = 20

/**
 * A target on a bad day, which keeps all that the specification says. Lines come out two seconds late, and answers take
 * from 0 to 50 ms. It closes each connection, adds unknown fields and header fields everywhere, and puts off every
 * tenth request with 429 and Retry-After. `seed` decides how long each answer takes.
 */
export function unstableVariant(seed: number): Variant {
  return {
    name: 'unstable',
    about: 'lines are seen late, answers are slow and wordy, connections are closed, and requests are put off',
    settleTimeout: 6_000,
    changes: () => unstable(seed),
  }
}

function unstable(seed: number): Changes {
  const waiting: { readonly due: number; readonly lines: LineStore }[] = []
  const random = generator(seed)
  let requests = 0
  let putOffs = 0

  function letThrough({ state, env }: Call): void {
    while (waiting[0] && waiting[0].due <= env.now()) {
      const arrived = waiting.shift()?.lines.all ?? []
      for (const line of arrived.sort((a, b) => a.seq - b.seq)) storeLine(state.lines, line)
    }
  }

  const wrap =
    (operation: string) =>
    (inner: Handler): Handler =>
    (call) => {
      letThrough(call)
      requests += 1
      if (requests % PUT_OFF === 0) {
        putOffs += 1
        return putOff(putOffs % PUT_OFF_LONG === 0 ? '1' : '0')
      }
      if (operation !== 'ingest-lines') return inner(call)
      // The fate of a line is decided when it arrives; only then does it wait.
      const lines = createLineStore()
      const reply = inner({ ...call, state: { ...call.state, lines } })
      waiting.push({ due: call.env.now() + VISIBLE_MS, lines })
      return reply
    }

  return {
    handlers: Object.fromEntries(routes.map(({ operation }) => [operation, wrap(operation)])),
    answer: (answer, _request, operation) => wordy(answer, operation),
    reply: (reply, _request, env) =>
      isPending(reply) ? reply : { resumeAt: env.now() + random() * SLOWEST_MS, resume: () => reply },
  }
}

function putOff(seconds: string): Answer {
  return { status: 429, headers: { 'retry-after': seconds }, json: { error: 'later', code: 'TooManyRequests' } }
}

function wordy(answer: Answer, operation: string | undefined): Answer {
  const headers = { ...answer.headers, connection: 'close', 'x-mood': 'bad', 'x-node': 'n-17' }
  // That an exclusion error has two fields and no more is implied.
  const keeps = answer.json === undefined || (operation === 'delete-exclusion' && answer.status >= 400)
  return keeps ? { ...answer, headers } : { ...answer, headers, json: more(answer.json) }
}

function more(value: unknown): unknown {
  return everywhere(value, (object) => ({ 'x-first': null, ...object, 'x-last': { of: [1, 'é', true] } }))
}
