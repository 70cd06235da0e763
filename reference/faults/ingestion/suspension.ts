import { Refusal } from '../../core/refusal.ts'
import { afterwards, asked, body } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { handler } from '../core/lines.ts'

/** What faults remember of one started reference: its state stands for it. */
const stopped = new WeakSet<object>()

const confirmed = new WeakSet<object>()

/** Remembers every token that was given, and takes each for the newest. */
function older(): Changes {
  const given = new Set<unknown>()
  return {
    handlers: {
      'suspend-ingestion': (inner) => (call) => {
        const reply = inner(call)
        given.add(call.state.suspension.guard?.token)
        return reply
      },
      'confirm-suspension': (inner) => (call) => {
        const { token } = call.body as { token?: unknown }
        return inner(given.has(token) ? { ...call, body: { token: call.state.suspension.guard?.token } } : call)
      },
    },
  }
}

/** Faults of stopping and starting ingestion. */
export const suspensionFaults: readonly Fault[] = [
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
  {
    name: 'suspension-at-once',
    about: 'the first call suspends ingestion',
    kills: ['SUSPENSION-GUARD'],
    changes: afterwards(
      'suspend-ingestion',
      () => undefined,
      ({ state }) => {
        state.suspension.suspended = true
      },
    ),
  },
  {
    name: 'suspension-never',
    about: 'two calls do not suspend ingestion',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: afterwards(
      'confirm-suspension',
      () => undefined,
      ({ state }) => {
        state.suspension.suspended = false
      },
    ),
  },
  {
    name: 'suspension-token-unread',
    about: 'the second call suspends whatever token it names',
    kills: ['SUSPENSION-TOKEN'],
    changes: asked('confirm-suspension', (call) => ({ ...call, body: { token: call.state.suspension.guard?.token } })),
  },
  {
    name: 'suspension-token-older',
    about: 'a token of an earlier suspension confirms a later one',
    kills: ['SUSPENSION-TOKEN'],
    changes: older(),
  },
  {
    name: 'suspension-for-ever',
    about: 'suspended ingestion is not resumed',
    kills: ['SUSPENSION-RESUMES'],
    changes: afterwards(
      'resume-ingestion',
      ({ state }) => state.suspension.suspended,
      ({ state }, suspended) => {
        state.suspension.suspended = suspended
      },
    ),
  },
]
