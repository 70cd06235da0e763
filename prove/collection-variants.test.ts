import { describe, expect, test } from 'vitest'
import type { Overlay } from '../reference/core/overlay.ts'
import { type Answer, type Handler, isPending } from '../reference/core/route.ts'
import type { State } from '../reference/model/state.ts'
import { routes } from '../reference/routes.ts'
import { ledger } from '../schemas/ledger.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { blamedBy, casesOf, run } from './testing.ts'
import type { TrialOptions } from './trial.ts'

const CASES = casesOf((id) => id === 'walk/1' || id.startsWith('create-key/') || id === 'delete-member/owner')
const specified = new Set(specifiedOperations().map(({ id }) => id))
/** operations that only a binding gives a path for, but for ingestion and exports */
const bound = routes.filter(({ operation, path }) => !specified.has(operation) && !/export|ingest/.test(path))

function answers(change: (answer: Answer, method: string) => Answer): Pick<Overlay, 'answer'> {
  const ids = new Map(bound.map(({ operation, method }) => [operation, method]))
  return {
    answer(answer, _request, operation) {
      const method = ids.get(operation ?? '')
      return method === undefined || answer.status >= 300 ? answer : change(answer, method)
    },
  }
}

function mapRecords(value: unknown, change: (record: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => mapRecords(element, change))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, child]) => [name, mapRecords(child, change)])
  return change(Object.fromEntries(entries))
}

/** Reads and lists of an account that is up to 60 ms old. */
function stale(): Pick<Overlay, 'handlers'> {
  let copy: { state: State; at: number } | undefined
  const old =
    (inner: Handler): Handler =>
    (call) => {
      if (copy === undefined || Date.now() - copy.at > 60) copy = { state: structuredClone(call.state), at: Date.now() }
      return inner({ ...call, state: copy.state })
    }
  const reads = routes.filter(({ method, operation }) => method === 'GET' && /^(get|list)-/.test(operation))
  return { handlers: Object.fromEntries(reads.map(({ operation }) => [operation, old])) }
}

/** A second deletion is carried out as well. */
function deletesTwice(): Pick<Overlay, 'reply'> {
  const deletions = new Set(bound.filter(({ method }) => method === 'DELETE').map(({ operation }) => operation))
  return {
    reply(reply, _request, _env, operation) {
      if (isPending(reply) || reply.status !== 404 || !deletions.has(operation ?? '')) return reply
      return { status: 200, json: {} }
    },
  }
}

type Row = readonly [string, Omit<Overlay, 'name'>, Partial<TrialOptions>?]

const ROWS: readonly Row[] = [
  ['is the reference itself', {}],
  ['makes with 201', answers((answer, method) => (method === 'POST' ? { ...answer, status: 201 } : answer))],
  ['answers changes without a body', answers((answer, method) => (method === 'GET' ? answer : { status: 204 }))],
  [
    'adds fields everywhere',
    answers((answer) => ({ ...answer, json: mapRecords(answer.json, (one) => ({ ...one, 'x-more': [{ a: 1 }] })) })),
  ],
  [
    'writes what is not a name in capitals, and leaves out what is empty',
    answers((answer) => ({
      ...answer,
      json: mapRecords(answer.json, (record) =>
        Object.fromEntries(
          Object.entries(record)
            .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
            .map(([name, value]) => [name, /^(query|role|bucket)$/.test(name) ? String(value).toUpperCase() : value]),
        ),
      ),
    })),
  ],
  [
    'lists the newest first',
    answers((answer) => ({ ...answer, json: Array.isArray(answer.json) ? [...answer.json].reverse() : answer.json })),
  ],
  ['deletes twice', deletesTwice()],
  [
    'says 410 of what is gone, and nothing of archiving that is not there',
    {
      answer(answer, request, operation) {
        if (answer.status !== 404) return answer
        if (operation === 'get-archiving') return { status: 200, json: {} }
        return request.method === 'GET' ? { ...answer, status: 410 } : answer
      },
    },
  ],
  ['is sixty milliseconds behind', stale(), { settleTimeout: 2_000 }],
]

const VARIANTS = ROWS.map(([name, changes, more = {}]) => ({ name, changes, more }))

describe('what the text leaves open', () => {
  test.each(VARIANTS)('a target that $name is not blamed', { timeout: 120_000 }, async ({ name, changes, more }) => {
    const trial = await run({ overlay: { name, ...changes }, profile: 'standard', cases: CASES, ...more })
    expect(trial.faults).toEqual([])
    expect(trial.records.filter(({ state }) => state === 'error')).toEqual([])
    expect(blamedBy(trial)).toEqual([])
    const unjudged = CASES.flatMap(({ requirements }) => requirements).filter(
      (id) => ledger().get(id)?.level !== 'open' && trial.tallies.of(id).evidence.judged === 0,
    )
    expect([...new Set(unjudged)]).toEqual([])
  })
})
