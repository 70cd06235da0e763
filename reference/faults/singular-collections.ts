import { isPending } from '../core/message.ts'
import { askedBody, body, notApplied, refusalBody } from './core/changes.ts'
import { lost, stays, unlisted } from './core/collections.ts'
import type { Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

/** Faults of keys, archiving, and what is said to whoever removes the owner. */
export const singularFaults: readonly Fault[] = [
  lost('key', 'create-key', 'KEYS-CREATE'),
  stays('key', 'delete-key', 'KEYS-DELETE'),
  unlisted('key', 'list-keys', 'KEYS-CREATE'),
  stays('key of the enterprise', 'delete-enterprise-key', 'ENTERPRISE-KEYS-DELETE'),
  {
    name: 'create-enterprise-key-lost',
    about: 'a key of the enterprise whose creation is answered with success is not stored',
    kills: ['ENTERPRISE-KEYS-CREATE', 'ENT-KEYS-LIST-ALL'],
    changes: notApplied('create-enterprise-key'),
  },
  {
    name: 'create-enterprise-key-name-cut',
    about: 'the name of a new enterprise key is cut to 30 characters, and not refused',
    kills: ['KEY-NAME-REFUSED'],
    changes: askedBody('create-enterprise-key', (sent) => ({ ...sent, name: String(sent.name).slice(0, 30) })),
  },
  {
    name: 'create-key-service',
    about: 'service keys can still be created',
    kills: ['AUTH-SERVICE-KEY-CLOSED'],
    changes: {
      handlers: {
        'create-key': (inner) => (call) => {
          if (call.query.get('type') !== 'service') return inner(call)
          const reply = inner({ ...call, query: new URLSearchParams({ type: 'ingestion' }) })
          if (isPending(reply)) return reply
          const key = call.state.keys.get(String((reply.json as Json).id))
          if (key) call.state.keys.set(key.id, { ...key, type: 'service' })
          return { ...reply, json: { ...(reply.json as Json), type: 'service' } }
        },
      },
    },
  },
  {
    name: 'update-archiving-unchanged',
    about: 'another bucket is answered with success and not configured',
    kills: ['ARCHIVING-CONFIGURE'],
    changes: notApplied('update-archiving'),
  },
  {
    name: 'create-archiving-lost',
    about: 'archiving is answered with success and not configured',
    kills: ['ARCHIVING-CONFIGURE'],
    withheld: true,
    changes: notApplied('create-archiving'),
  },
  {
    name: 'get-archiving-other-bucket',
    about: 'another bucket is shown than was configured',
    kills: ['ARCHIVING-READ'],
    changes: body('get-archiving', (json) => ({ ...json, ...('bucket' in json ? { bucket: 'logs' } : {}) })),
  },
  stays('archiving configuration', 'delete-archiving', 'ARCHIVING-DELETE'),
  {
    name: 'owner-removed-and-refused',
    about: 'the removal of the owner is refused and carried out',
    kills: ['MEMBER-DELETE-OWNER-REFUSED'],
    changes: {
      handlers: {
        'delete-member': (inner) => (call) => {
          const email = (call.params.email ?? '').toLowerCase()
          const owner = call.state.members.get(email)?.role === 'owner'
          try {
            return inner(call)
          } finally {
            if (owner) call.state.members.delete(email)
          }
        },
      },
    },
  },
  {
    name: 'member-errors-one-code',
    about: 'an unknown member and the owner are told apart by no code',
    kills: ['ERROR-BODY-CODE-UNIQUE', 'MEMBER-DELETE-UNKNOWN-CODE', 'MEMBER-DELETE-OWNER-CODE'],
    changes: refusalBody('delete-member', (json) => ({ ...json, code: 'Refused' })),
  },
]
