import { isPending } from '../core/message.ts'
import { Refusal } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { excludes } from '../ingestion/exclusions.ts'
import type { Exclusion } from '../model/configuration.ts'
import { afterwards, asked, askedBody, body, status, success } from './core/changes.ts'
import type { Fault } from './core/fault.ts'
import { handler, type Json, type Rows } from './core/lines.ts'

/** Faults of taking lines in, of dropping them, and of stopping and starting it. */
export const guardFaults: readonly Fault[] = [
  {
    name: 'ingestion-missing',
    about: 'no lines are taken',
    kills: ['INGESTION-ACCEPTS'],
    withheld: true,
    changes: asked('ingest-lines', () => {
      throw new Refusal('NotFound', 'there is nothing here')
    }),
  },
  {
    name: 'ingestion-sampled',
    about: 'one line in ten is dropped',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => lines.filter((_, index) => index % 10 !== 9)),
  },
  {
    name: 'ingestion-first-only',
    about: 'only the first line of a request is stored',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => lines.slice(0, 1)),
  },
  {
    name: 'ingestion-said-once',
    about: 'of lines that say the same, only the first is stored',
    kills: ['LINES-COME-OUT'],
    changes: handler('ingest-lines', (inner) => {
      const said = new Set<unknown>()
      return (call) => inner(withLines(call, (lines) => lines.filter(({ line }) => isNew(said, line))))
    }),
  },
  {
    name: 'ingestion-said-once-a-request',
    about: 'of the lines of a request that say the same, only the first is stored',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => {
      const said = new Set<unknown>()
      return lines.filter(({ line }) => isNew(said, line))
    }),
  },
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
    name: 'ingestion-status-missing',
    about: 'whether ingestion is suspended cannot be read',
    kills: ['SUSPENSION-READ'],
    withheld: true,
    changes: asked('get-ingestion-status', () => {
      throw new Refusal('NotFound', 'there is nothing here')
    }),
  },
  {
    name: 'ingestion-status-text',
    about: 'whether ingestion is suspended is told by a word',
    kills: ['SUSPENSION-READ'],
    withheld: true,
    changes: body('get-ingestion-status', ({ isIngesting }) => ({ isIngesting: isIngesting === true ? 'yes' : 'no' })),
  },
  {
    name: 'ingestion-status-lies',
    about: 'ingestion is said to run while it is suspended',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: body('get-ingestion-status', () => ({ isIngesting: true })),
  },
  {
    name: 'suspension-stores',
    about: 'lines that are sent while ingestion is suspended are stored',
    kills: ['SUSPENSION-STOPS-LINES'],
    changes: handler('ingest-lines', (inner) => (call) => {
      const { suspension } = call.state
      return inner({ ...call, state: { ...call.state, suspension: { ...suspension, suspended: false } } })
    }),
  },
  {
    name: 'suspension-half-resumed',
    about: 'after ingestion is resumed lines are still dropped',
    kills: ['SUSPENSION-RESUMES'],
    changes: {
      handlers: {
        'resume-ingestion': (inner) => (call) => {
          if (call.state.suspension.suspended) stopped.add(call.state)
          return inner(call)
        },
        'ingest-lines': (inner) => (call) =>
          stopped.has(call.state) ? { status: 200, json: { status: 'ok' } } : inner(call),
      },
    },
  },
  {
    name: 'suspension-third-call',
    about: 'ingestion is suspended by a third call only',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: afterwards(
      'confirm-suspension',
      ({ state }) => confirmed.has(state),
      ({ state }, second) => {
        confirmed.add(state)
        state.suspension.suspended = second
      },
    ),
  },
]

/** What faults remember of one started reference: its state stands for it. */
const stopped = new WeakSet<object>()
const confirmed = new WeakSet<object>()
/** application -> bytes of its lines that were dropped */
const dropped = new WeakMap<object, Map<string, number>>()

/** Changes the lines of a request before they are stored. */
function askedLines(change: (lines: Rows) => Rows): Fault['changes'] {
  return asked('ingest-lines', (call) => withLines(call, change))
}

function withLines(call: Call, change: (lines: Rows) => Rows): Call {
  const content = JSON.stringify({ lines: change(sentLines(call.request.body)) })
  return { ...call, request: { ...call.request, body: Buffer.from(content) } }
}

function isNew(said: Set<unknown>, text: unknown): boolean {
  if (said.has(text)) return false
  said.add(text)
  return true
}

function sentLines(content: Uint8Array): Rows {
  const parsed = JSON.parse(Buffer.from(content).toString('utf8')) as { readonly lines?: Rows; readonly ls?: Rows }
  return parsed.lines ?? parsed.ls ?? []
}
