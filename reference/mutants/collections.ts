import { randomUUID } from 'node:crypto'
import { isPending } from '../core/message.ts'
import { notFound } from '../core/refusal.ts'
import type { Document } from '../model/config.ts'
import type { State } from '../model/state.ts'
import { afterwards, asked, askedBody, body, notApplied, refusalBody, success } from './changes.ts'
import type { Changes, Mutant } from './mutant.ts'

type Json = Readonly<Record<string, unknown>>

/** The list leaves out its newest element, where there are others. */
function withoutNewest(operation: string, pointer: 'data' | '' = ''): Changes {
  const cut = (list: unknown): unknown => (Array.isArray(list) && list.length > 1 ? list.slice(0, -1) : list)
  return success(operation, (answer) => {
    const json = answer.json as Json
    return { ...answer, json: pointer === '' ? cut(json) : { ...json, data: cut(json.data) } }
  })
}

/** A request about any but the newest of the documents finds nothing. */
function onlyNewest(operation: string, placeholder: string, of: (state: State) => Map<string, Document>): Changes {
  return asked(operation, (call) => {
    const newest = [...of(call.state).keys()].at(-1)
    if (newest !== call.params[placeholder]) throw notFound('only the newest is here')
    return call
  })
}

/** What is removed is no longer listed, but found by its id. */
function ghosts(read: string, remove: string): Changes {
  const gone = new Map<string, unknown>()
  return {
    handlers: {
      [remove]: (inner) => (call) => {
        const id = Object.values(call.params)[0] ?? ''
        const board = call.state.boards.get(id)
        if (board) gone.set(id, { ...board.body, id })
        return inner(call)
      },
      [read]: (inner) => (call) => {
        const kept = gone.get(Object.values(call.params)[0] ?? '')
        return kept === undefined ? inner(call) : { status: 200, json: kept }
      },
    },
  }
}

/** What is updated stands under another id afterwards. */
function moved(operation: string, placeholder: string, of: (state: State) => Map<string, Document>): Changes {
  return afterwards(
    operation,
    () => undefined,
    ({ state, params }) => {
      const id = params[placeholder] ?? ''
      const document = of(state).get(id)
      if (!document || !of(state).delete(id)) return
      of(state).set(randomUUID(), document)
    },
  )
}

/** A read that is right the first time only. */
function fades(operation: string, change: (json: Json) => unknown): Changes {
  const seen = new Set<string>()
  return success(operation, (answer, request) => {
    const key = `${request.path}?${request.search} ${JSON.stringify((answer.json as Json).data)}`
    if (!seen.has(key)) {
      seen.add(key)
      return answer
    }
    return { ...answer, json: change(answer.json as Json) }
  })
}

function lost(type: string, operation: string, requirement: string): Mutant {
  return {
    name: `${operation}-lost`,
    about: `a ${type} whose creation is answered with success is not stored`,
    kills: [requirement],
    changes: notApplied(operation),
  }
}

function unchanged(type: string, operation: string, requirement: string): Mutant {
  return {
    name: `${operation}-unchanged`,
    about: `an update of a ${type} is answered with success and changes nothing`,
    kills: [requirement],
    changes: notApplied(operation),
  }
}

function stays(type: string, operation: string, requirement: string): Mutant {
  return {
    name: `${operation}-stays`,
    about: `a deleted ${type} stays`,
    kills: [requirement],
    changes: notApplied(operation),
  }
}

function unlisted(type: string, operation: string, requirement: string, pointer: 'data' | '' = ''): Mutant {
  return {
    name: `${operation}-without-newest`,
    about: `the newest ${type} is not listed`,
    kills: [requirement],
    changes: withoutNewest(operation, pointer),
  }
}

function written(type: string, operation: string, requirement: string, field: string, value: unknown): Mutant {
  return {
    name: `${operation}-${field}-spoilt`,
    about: `a new ${type} is stored with another ${field} than was sent`,
    kills: [requirement],
    changes: askedBody(operation, (sent) => ({ ...sent, [field]: value })),
  }
}

/** Faults of the account's collections. */
const accountMutants: readonly Mutant[] = [
  lost('board', 'create-board', 'BOARD-CREATE'),
  unlisted('board', 'list-boards', 'BOARD-LIST'),
  stays('board', 'delete-board', 'BOARD-DELETE'),
  unchanged('board', 'update-board', 'BOARD-UPDATE'),
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
  written('board', 'create-board', 'BOARD-READ', 'title', 'Board'),
  lost('view', 'create-view', 'VIEW-CREATE'),
  unchanged('view', 'update-view', 'VIEW-UPDATE'),
  stays('view', 'delete-view', 'VIEW-DELETE'),
  unlisted('view', 'list-views', 'VIEW-LIST'),
  written('view', 'create-view', 'VIEW-READ', 'hosts', ['other']),
  {
    name: 'update-view-name-only',
    about: 'an update of a view changes nothing but its name',
    kills: ['VIEW-UPDATE'],
    changes: askedBody('update-view', ({ name }, { state, params }) => ({
      ...state.views.get(params.view_id ?? '')?.body,
      name,
    })),
  },
  {
    name: 'update-view-ascii',
    about: 'an update of a view keeps question marks for letters beyond ASCII',
    kills: ['VIEW-UPDATE'],
    changes: askedBody('update-view', (sent) => ({ ...sent, name: String(sent.name).replaceAll(/[^ -~]/g, '?') })),
  },
  {
    name: 'update-view-name-cut',
    about: 'an update of a view cuts its name to 64 characters',
    kills: ['VIEW-UPDATE'],
    changes: askedBody('update-view', (sent) => ({ ...sent, name: String(sent.name).slice(0, 64) })),
  },
  {
    name: 'update-view-loses-query',
    about: 'an update of a view loses its query',
    kills: ['VIEW-UPDATE'],
    changes: askedBody('update-view', ({ query: _, ...sent }) => sent),
  },
  lost('category', 'create-category', 'CATEGORY-CREATE'),
  unchanged('category', 'update-category', 'CATEGORY-UPDATE'),
  stays('category', 'delete-category', 'CATEGORY-DELETE'),
  unlisted('category', 'list-categories', 'CATEGORY-LIST'),
  written('category', 'create-category', 'CATEGORY-READ', 'name', 'Category'),
  lost('alert', 'create-alert', 'ALERT-CREATE'),
  unchanged('alert', 'update-alert', 'ALERT-UPDATE'),
  stays('alert', 'delete-alert', 'ALERT-DELETE'),
  unlisted('alert', 'list-alerts', 'ALERT-LIST'),
  written('alert', 'create-alert', 'ALERT-READ', 'channels', []),
  {
    name: 'update-alert-loses-view',
    about: 'an update of an alert loses its view',
    kills: ['ALERT-UPDATE'],
    changes: afterwards(
      'update-alert',
      () => undefined,
      ({ state, params }) => {
        const alert = state.alerts.get(params.alert_id ?? '')
        if (alert) alert.body = { ...alert.body, viewid: undefined }
      },
    ),
  },
  lost('screen', 'create-screen', 'SCREEN-CREATE'),
  unchanged('screen', 'update-screen', 'SCREEN-UPDATE'),
  unlisted('screen', 'list-screens', 'SCREEN-LIST'),
  written('screen', 'create-screen', 'SCREEN-READ', 'title', 'Screen'),
  {
    name: 'update-screen-moves',
    about: 'a screen that was updated has another id from then on',
    kills: ['SCREEN-UPDATE'],
    changes: moved('update-screen', 'screen_id', (state) => state.screens),
  },
  lost('member', 'create-member', 'MEMBER-CREATE'),
  unchanged('member', 'update-member', 'MEMBER-UPDATE'),
  unlisted('member', 'list-members', 'MEMBER-LIST'),
  written('member', 'create-member', 'MEMBER-READ', 'role', 'admin'),
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
]

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

/** Faults of keys, archiving, and what is said to whoever removes the owner. */
const singularMutants: readonly Mutant[] = [
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
  ...['create-key', 'create-enterprise-key'].map(
    (operation): Mutant => ({
      name: `${operation}-name-cut`,
      about: 'the name of a new key is cut to 30 characters, and not refused',
      kills: ['KEY-NAME-REFUSED'],
      changes: askedBody(operation, (sent) => ({ ...sent, name: String(sent.name).slice(0, 30) })),
    }),
  ),
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

/** Faults of what pipelines are made of. */
const pipelineMutants: readonly Mutant[] = [
  unlisted('pipeline', 'list-pipelines', 'PIPELINE-LIST', 'data'),
  stays('pipeline', 'delete-pipeline', 'PIPELINE-DELETE'),
  unchanged('pipeline', 'update-pipeline', 'PIPELINE-UPDATE'),
  written('pipeline', 'create-pipeline', 'PIPELINE-READ', 'title', 'Pipeline'),
  written('transform', 'create-transform', 'TRANSFORM-READ', 'description', 'other'),
  stays('transform', 'delete-transform', 'TRANSFORM-DELETE'),
  written('source', 'create-source', 'SOURCE-READ', 'title', 'Source'),
  stays('source', 'delete-source', 'SOURCE-DELETE'),
  unlisted('gateway route', 'list-gateway-routes', 'ROUTE-LIST', 'data'),
  written('gateway route', 'create-gateway-route', 'ROUTE-READ', 'legacy_routing', true),
  stays('gateway route', 'delete-gateway-route', 'ROUTE-DELETE'),
  unlisted('group', 'list-groups', 'GROUP-LIST', 'data'),
  written('group', 'create-group-from-pipeline', 'GROUP-READ', 'description', 'other'),
  stays('group', 'delete-group', 'GROUP-DELETE'),
  unlisted('revision', 'list-group-revisions', 'GROUP-REVISIONS', 'data'),
  stays('placed group', 'delete-placed-group', 'PLACEMENT-DELETE'),
  {
    name: 'get-placed-group-fades',
    about: 'the inputs of a placed group are shown once',
    kills: ['PLACEMENT-READ', 'PLACEMENT-PLACES'],
    changes: fades('get-placed-group', (json) => ({ ...json, data: { ...(json.data as Json), inputs: [] } })),
  },
  {
    name: 'get-state-variables-fades',
    about: 'state variables are shown once',
    kills: ['STATEVAR-READ', 'STATEVAR-APPLIES', 'STATEVAR-PARTIAL'],
    changes: fades('get-state-variables', (json) => ({ ...json, data: { ...(json.data as Json), state: {} } })),
  },
  {
    name: 'group-takes-transforms',
    about: 'transforms are moved into a new group, and not copied',
    kills: ['GROUP-CREATE-KEEPS'],
    changes: afterwards(
      'create-group-from-pipeline',
      ({ body: sent }) => sent as Json,
      ({ state }, sent) => {
        const transforms = state.pipelines.get(String(sent.pipeline_id))?.transforms
        for (const id of sent.pipeline_transform_ids as string[]) transforms?.delete(id)
      },
    ),
  },
]

/** Faults in what can be made, read, listed, changed and removed one by one. */
export const collectionMutants: readonly Mutant[] = [...accountMutants, ...singularMutants, ...pipelineMutants]
