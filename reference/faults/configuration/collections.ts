import { isPending } from '../../core/message.ts'
import { notFound } from '../../core/refusal.ts'
import { afterwards, asked, askedBody, body, type Json, notApplied, refusalBody, success } from '../core/changes.ts'
import { ghosts, lost, moved, onlyNewest, stays, unchanged, unlisted, written } from '../core/collections.ts'
import type { Changes, Fault } from '../core/fault.ts'

function forgetful(): Changes {
  const updated = new Set<string>()
  return {
    handlers: {
      'update-preset-alert': (inner) => (call) => {
        updated.add(call.params.presetId ?? '')
        return inner(call)
      },
      'list-preset-alerts': (inner) => (call) => {
        const reply = inner(call)
        if (isPending(reply)) return reply
        return { ...reply, json: (reply.json as Json[]).filter(({ presetid }) => !updated.has(String(presetid))) }
      },
    },
  }
}

/** What all of these have: a creation, a list, an update, and a field that can be stored otherwise than it was sent. */
const KINDS: readonly (readonly [type: string, plural: string, field: string, value: unknown])[] = [
  ['board', 'boards', 'title', 'Board'],
  ['view', 'views', 'hosts', ['other']],
  ['category', 'categories', 'name', 'Category'],
  ['alert', 'alerts', 'channels', []],
  ['screen', 'screens', 'title', 'Screen'],
  ['member', 'members', 'role', 'admin'],
]

/** Faults of the account's collections: what is made, listed, changed and removed one by one. */
export const collectionFaults: readonly Fault[] = [
  ...KINDS.flatMap(([type, plural, field, value]) => {
    const id = type.toUpperCase()
    return [
      lost(type, `create-${type}`, `${id}-CREATE`),
      unlisted(type, `list-${plural}`, `${id}-LIST`),
      unchanged(type, `update-${type}`, `${id}-UPDATE`),
      written(type, `create-${type}`, `${id}-READ`, field, value),
    ]
  }),
  ...['board', 'view', 'category', 'alert'].map((type) =>
    stays(type, `delete-${type}`, `${type.toUpperCase()}-DELETE`),
  ),
  {
    name: 'get-board-only-newest',
    about: 'only the newest board can be got',
    kills: ['BOARD-GET'],
    changes: onlyNewest('get-board', 'board_id', ({ boards }) => boards),
  },
  {
    name: 'get-board-never',
    about: 'no board can be got',
    kills: ['BOARD-GET'],
    withheld: true,
    changes: asked('get-board', () => {
      throw notFound('there are no boards here')
    }),
  },
  {
    name: 'get-board-other',
    about: 'whichever board is asked for, the newest is got',
    kills: ['BOARD-GET', 'BOARD-UPDATE'],
    changes: asked('get-board', (call) => {
      const newest = [...call.state.boards.keys()].at(-1)
      const known = call.state.boards.has(call.params.board_id ?? '')
      return known && newest !== undefined ? { ...call, params: { board_id: newest } } : call
    }),
  },
  {
    name: 'delete-board-ghost',
    about: 'a deleted board is not listed any more, but still got',
    kills: ['BOARD-DELETE'],
    changes: ghosts('get-board', 'delete-board'),
  },
  {
    name: 'update-view-name-only',
    about: 'an update of a view changes nothing but its name',
    kills: ['VIEW-READ'],
    changes: askedBody('update-view', ({ name }, { state, params }) => ({
      ...state.views.get(params.view_id ?? '')?.body,
      name,
    })),
  },
  {
    name: 'update-view-ascii',
    about: 'an update of a view keeps question marks for letters beyond ASCII',
    kills: ['VIEW-READ'],
    changes: askedBody('update-view', (sent) => ({ ...sent, name: String(sent.name).replaceAll(/[^ -~]/g, '?') })),
  },
  {
    name: 'update-view-name-cut',
    about: 'an update of a view cuts its name to 64 characters',
    kills: ['VIEW-READ'],
    changes: askedBody('update-view', (sent) => ({ ...sent, name: String(sent.name).slice(0, 64) })),
  },
  {
    name: 'update-view-loses-query',
    about: 'an update of a view loses its query',
    kills: ['VIEW-READ'],
    changes: askedBody('update-view', ({ query: _, ...sent }) => sent),
  },
  {
    name: 'update-alert-loses-view',
    about: 'an update of an alert loses its view',
    kills: ['ALERT-READ'],
    changes: afterwards(
      'update-alert',
      () => undefined,
      ({ state, params }) => {
        const alert = state.alerts.get(params.alert_id ?? '')
        if (alert) alert.body = { ...alert.body, viewid: undefined }
      },
    ),
  },
  {
    name: 'update-screen-moves',
    about: 'a screen that was updated has another id from then on',
    kills: ['SCREEN-UPDATE'],
    changes: moved('update-screen', 'screen_id', (state) => state.screens),
  },
  {
    name: 'list-preset-alerts-without-channels',
    about: 'preset alerts are listed without their channels',
    kills: ['PRESET-READ'],
    changes: success('list-preset-alerts', (answer) => ({
      ...answer,
      json: (answer.json as Json[]).map((preset) => ({ ...preset, channels: [] })),
    })),
  },
  {
    name: 'list-preset-alerts-forgets',
    about: 'a preset alert that was updated is not listed any more',
    kills: ['PRESET-LIST'],
    changes: forgetful(),
  },
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

function firstChannel(sent: Json): Json {
  return Array.isArray(sent.channels) ? { ...sent, channels: sent.channels.slice(0, 1) } : sent
}

/** Faults in what is stored of preset alerts, and in how many there are. */
export const presetFaults: readonly Fault[] = [
  {
    name: 'preset-create-forgotten',
    about: 'a preset alert that is created is not kept',
    kills: ['PRESET-CREATE-MAKES'],
    changes: notApplied('create-preset-alert'),
  },
  {
    name: 'preset-create-nameless',
    about: 'a preset alert is created without its name',
    kills: ['PRESET-CREATE-MAKES'],
    changes: askedBody('create-preset-alert', ({ name: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-not-applied',
    about: 'an update of a preset alert changes nothing',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: notApplied('update-preset-alert'),
  },
  {
    name: 'preset-update-no-channels',
    about: 'an update of a preset alert drops its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent) => ({ ...sent, channels: [] })),
  },
  {
    name: 'preset-update-hides-channels',
    about: 'a preset alert that was updated is read without its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', ({ channels: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-no-headers',
    about: 'an update of a preset alert drops the headers of its channels',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent) => ({
      ...sent,
      channels: ((sent.channels ?? []) as object[]).map((channel) => ({ ...channel, headers: undefined })),
    })),
  },
  {
    name: 'preset-update-keeps-more',
    about: 'an update of a preset alert with fewer channels leaves the others as they are',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      const [now, kept] = [sent.channels, before].map((list): unknown[] => (Array.isArray(list) ? list : []))
      return { ...sent, channels: [...(now ?? []), ...(kept ?? []).slice((now ?? []).length)] }
    }),
  },
  {
    name: 'preset-update-adds-channels',
    about: 'an update of a preset alert adds its channels to those that are there',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      return { ...sent, channels: [...(Array.isArray(before) ? before : []), ...((sent.channels ?? []) as object[])] }
    }),
  },
  {
    name: 'preset-delete-not-applied',
    about: 'a deleted preset alert stays',
    kills: ['PRESET-DELETE-REMOVES'],
    changes: notApplied('delete-preset-alert'),
  },
  {
    name: 'preset-create-first-channel',
    about: 'of the channels of a new preset alert the first one is stored',
    kills: ['PRESET-READ'],
    changes: askedBody('create-preset-alert', firstChannel),
  },
  {
    name: 'preset-update-first-channel',
    about: 'of the channels that an update of a preset alert sends the first one is stored',
    kills: ['PRESET-READ'],
    changes: askedBody('update-preset-alert', firstChannel),
  },
  {
    name: 'preset-create-no-channels',
    about: 'a new preset alert has no channels until it is updated',
    kills: ['PRESET-READ'],
    changes: askedBody('create-preset-alert', (sent) => ({ ...sent, channels: [] })),
  },
  {
    name: 'preset-create-twice',
    about: 'one creation makes two preset alerts',
    kills: ['PRESET-CREATE-MAKES'],
    changes: {
      handlers: {
        'create-preset-alert': (inner) => (call) => {
          inner(call)
          return inner(call)
        },
      },
    },
  },
]
