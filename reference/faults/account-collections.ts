import { isPending } from '../core/message.ts'
import { notFound } from '../core/refusal.ts'
import { afterwards, asked, askedBody, success } from './core/changes.ts'
import { ghosts, lost, moved, onlyNewest, stays, unchanged, unlisted, written } from './core/collections.ts'
import type { Changes, Fault } from './core/fault.ts'

type Json = Readonly<Record<string, unknown>>

/** Faults of the account's collections. */
export const accountFaults: readonly Fault[] = [
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
