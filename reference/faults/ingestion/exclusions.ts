import { isPending } from '../../core/message.ts'
import { excludes } from '../../ingestion/exclusions.ts'
import type { Exclusion } from '../../model/configuration.ts'
import {
  afterwards,
  asked,
  askedBody,
  body,
  handler,
  type Json,
  notApplied,
  type Rows,
  refusal,
  refusalBody,
  sentLines,
  status,
  success,
} from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** application -> bytes of its lines that were dropped */
const dropped = new WeakMap<object, Map<string, number>>()

/** Faults in what exclusion rules drop, and in how they are kept. */
export const exclusionFaults: readonly Fault[] = [
  {
    name: 'exclusion-drops-all',
    about: 'an active exclusion rule drops every line',
    kills: ['EXCLUSION-OTHERS-STAY'],
    changes: handler('ingest-lines', (inner) => (call) => {
      const active = [...call.state.exclusions.values()].some((one) => one.active)
      return active ? { status: 200, json: { status: 'ok' } } : inner(call)
    }),
  },
  {
    name: 'exclusion-hides-stored',
    about: 'an exclusion rule also hides the lines that were stored before it',
    kills: ['EXCLUSION-STORED-STAY', 'LINES-COME-OUT'],
    changes: handler('export-v2', (inner) => (call) => {
      const reply = inner(call)
      if (isPending(reply) || reply.status >= 300) return reply
      const apps = new Set([...call.state.exclusions.values()].flatMap((one) => (one.active ? one.apps : [])))
      const json = reply.json as Json
      return { ...reply, json: { ...json, lines: (json.lines as Rows).filter(({ _app }) => !apps.has(String(_app))) } }
    }),
  },
  {
    name: 'exclusion-counts-dropped',
    about: 'the bytes of dropped lines are counted',
    kills: ['EXCLUSION-BEFORE-STORAGE', 'USAGE-V2-STORED'],
    changes: {
      handlers: {
        'list-usage-v2-by-app': (inner) => (call) => {
          const reply = inner(call)
          if (isPending(reply) || reply.status >= 300) return reply
          const json = reply.json as Json
          const counted = (json.results as Rows).map((row) => {
            const extra = dropped.get(call.state)?.get(String(row.name)) ?? 0
            return { ...row, total_bytes: Number(row.total_bytes) + extra }
          })
          return { ...reply, json: { ...json, results: counted } }
        },
        'ingest-lines': (inner) => (call) => {
          const drops = excludes([...call.state.exclusions.values()])
          const counts = dropped.get(call.state) ?? new Map<string, number>()
          dropped.set(call.state, counts)
          for (const line of sentLines(call.request.body)) {
            const app = String(line.app)
            const test = { host: call.query.get('hostname') ?? '', app, level: '', line: String(line.line) }
            if (drops(test as Parameters<typeof drops>[0])) counts.set(app, (counts.get(app) ?? 0) + 100)
          }
          return inner(call)
        },
      },
    },
  },
  {
    name: 'create-exclusion-title-spoilt',
    about: 'an exclusion rule is stored with another title than was sent',
    kills: ['EXCLUSION-READ', 'EXCLUSION-LIST'],
    changes: askedBody('create-exclusion', (sent) => ({ ...sent, title: 'Rule' })),
  },
  {
    name: 'list-exclusions-without-newest',
    about: 'the newest exclusion rule is not listed',
    kills: ['EXCLUSION-LIST'],
    changes: success('list-exclusions', (answer) => ({ ...answer, json: (answer.json as Exclusion[]).slice(0, -1) })),
  },
  {
    name: 'get-exclusion-inactive',
    about: 'an exclusion rule is shown as inactive though it is not',
    kills: ['EXCLUSION-UPDATE'],
    changes: body('get-exclusion', (json) => ({ ...json, active: false })),
  },
  {
    name: 'exclusion-deletion-redirected',
    about: 'the deletion of an exclusion rule is carried out and answered with a redirection',
    kills: ['EXCLUSION-DELETE-STATUS'],
    withheld: true,
    changes: status('delete-exclusion', 303),
  },
  {
    name: 'exclusion-idle',
    about: 'an exclusion rule drops nothing',
    kills: ['EXCLUSION-DROPS'],
    changes: asked('ingest-lines', (call) => ({ ...call, state: { ...call.state, exclusions: new Map() } })),
  },
  {
    name: 'exclusion-stays-active',
    about: 'a deleted exclusion rule goes on dropping lines',
    kills: ['EXCLUSION-DELETE-STORES'],
    changes: afterwards(
      'delete-exclusion',
      ({ state }) => [...state.exclusions],
      ({ state }, all) => {
        for (const [id, exclusion] of all) state.exclusions.set(id, exclusion)
      },
    ),
  },
]

/** Faults in the removal of exclusion rules. */
export const exclusionRemovalFaults: readonly Fault[] = [
  {
    name: 'exclusion-delete-body',
    about: 'the deletion of an exclusion rule is answered with a body',
    kills: ['EXCLUSION-DELETE-BODY'],
    changes: success('delete-exclusion', (answer) => ({ ...answer, status: 200, json: { deleted: true } })),
  },
  {
    name: 'exclusion-error-no-code',
    about: 'the error of an unknown exclusion rule has no code',
    kills: ['EXCLUSION-ERROR-CODE-PRESENT'],
    changes: refusalBody('delete-exclusion', ({ code: _, ...json }) => json),
  },
  {
    name: 'exclusion-error-null',
    about: 'the text of the error of an unknown exclusion rule is null',
    kills: ['EXCLUSION-ERROR-ERROR-TYPE'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, error: null })),
  },
  {
    name: 'exclusion-error-code-number',
    about: 'the code of the error of an unknown exclusion rule is a number',
    kills: ['EXCLUSION-ERROR-CODE-TYPE'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, code: 404 })),
  },
  {
    name: 'exclusion-error-message',
    about: 'the text of the error of an unknown exclusion rule stands in a field message',
    kills: ['EXCLUSION-ERROR-ERROR-PRESENT'],
    changes: refusalBody('delete-exclusion', ({ code, error }) => ({ code, message: error })),
  },
  {
    name: 'exclusion-error-status',
    about: 'the error of an unknown exclusion rule has a status too',
    kills: ['EXCLUSION-ERROR-ONLY'],
    changes: refusalBody('delete-exclusion', (json) => ({ ...json, status: 'error' })),
  },
  {
    name: 'exclusion-error-page',
    about: 'the error of an unknown exclusion rule is a page of HTML',
    kills: ['EXCLUSION-ERROR-OBJECT'],
    changes: refusal('delete-exclusion', ({ status }) => ({
      status,
      headers: { 'content-type': 'text/html' },
      text: ['<!doctype html><title>Not found</title>'],
    })),
  },
  {
    name: 'exclusion-deletion-not-applied',
    about: 'a deleted exclusion rule stays',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: notApplied('delete-exclusion'),
  },
  {
    name: 'exclusion-deletion-deactivates',
    about: 'a deleted exclusion rule is only made inactive',
    kills: ['EXCLUSION-DELETE-REMOVES'],
    changes: afterwards(
      'delete-exclusion',
      ({ state, params }) => state.exclusions.get(params.exclusion_id ?? ''),
      ({ state }, exclusion) => {
        if (exclusion) state.exclusions.set(exclusion.id, { ...exclusion, active: false })
      },
    ),
  },
]
