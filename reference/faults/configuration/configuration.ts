import { type Call, isPending, ok } from '../../core/route.ts'
import { idIn } from '../../core/things.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import { asked, askedBody, demands, handler, type Json, named, refused, success } from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

/** Asks an operation about another thing than the path names. */
function redirected(call: Call, id: string | undefined): Call {
  const place = Object.keys(call.params).at(-1) ?? ''
  return id === undefined ? call : { ...call, params: { ...call.params, [place]: id } }
}

function newestBoard({ state }: Call): string | undefined {
  return [...things(state, 'board').keys()].at(-1)
}

/** Removed boards, which can be got all the same. */
function ghosts(): Changes {
  const gone = new Map<string, Thing>()
  return {
    handlers: {
      ...demands('delete-board', (call) => {
        const one = named(call, 'board')
        if (one) gone.set(one.id, one)
      }).handlers,
      'get-board': (inner) => (call) => {
        const { id, body: kept } = gone.get(idIn(call)) ?? {}
        return kept === undefined ? inner(call) : ok({ ...kept, id })
      },
    },
  }
}

/** A screen that was updated has another id from then on. */
const moved = handler('update-screen', (inner) => (call) => {
  const reply = inner(call)
  const thing = named(call, 'screen')
  if (thing && things(call.state, 'screen').delete(thing.id)) {
    const id = call.env.newId()
    things(call.state, 'screen').set(id, { id, body: thing.body })
  }
  return reply
})

/** Screens can be deleted once. */
function onlyFirst(): Changes {
  const done = new WeakSet<State>()
  return handler('delete-screen', (inner) => (call) => {
    if (done.has(call.state) && named(call, 'screen')) return ok({ deleted: true })
    done.add(call.state)
    return inner(call)
  })
}

/** The removal of an address is that of the member whose address begins like it. */
const byBeginning = asked('delete-member', (call) => {
  const [local = '', domain = ''] = idIn(call).toLowerCase().split('@')
  const all = [...things(call.state, 'member').keys()]
  const alike = all.find((one) => one.startsWith(local) && one.endsWith(domain))
  return redirected(call, named(call, 'member') ? undefined : alike)
})

/** The owner is an administrator like others: from the start, or once a call asks for it. */
function unowned(member: Thing | undefined): void {
  if (member?.body.role === 'owner') member.body = { ...member.body, role: 'admin' }
}

/** The removal of the owner is refused and carried out. */
const refusedAndRemoved = handler('delete-member', (inner) => (call) => {
  const member = named(call, 'member')
  try {
    return inner(call)
  } finally {
    if (member?.body.role === 'owner') things(call.state, 'member').delete(idIn(call).toLowerCase())
  }
})

/** Service keys of the organisation can be made. */
const serviceKeys = handler('create-key', (inner) => (call) => {
  if (call.query.get('type') !== 'service') return inner(call)
  const reply = inner({ ...call, query: new URLSearchParams({ type: 'ingestion' }) })
  const made = [...things(call.state, 'key').values()].at(-1)
  if (isPending(reply) || !made) return reply
  made.body = { ...made.body, type: 'service' }
  return { ...reply, json: { ...(reply.json as Json), type: 'service' } }
})

/** The times of keys that were there from the start are in seconds. */
const secondsOfOld = success('list-enterprise-keys', ({ json, ...answer }) => {
  const told = (created: number, { name }: Json): number =>
    /^first /.test(String(name)) ? Math.floor(created / 1000) : created
  return { ...answer, json: (json as Json[]).map((key) => ({ ...key, created: told(Number(key.created), key) })) }
})

/** A preset alert that was updated is not listed any more. */
function forgetful(): Changes {
  const updated = new Set<string>()
  return {
    ...demands('update-preset-alert', (call) => void updated.add(idIn(call))),
    ...success('list-preset-alerts', ({ json, ...answer }) => ({
      ...answer,
      json: (json as Json[]).filter(({ presetid }) => !updated.has(String(presetid))),
    })),
  }
}

/** The channels that an update of a preset alert sends, and those that are there. */
function channels(change: (sent: readonly Json[], before: readonly Json[]) => readonly unknown[]): Changes {
  return askedBody('update-preset-alert', (sent, call) => {
    const before = named(call, 'preset-alert')?.body.channels
    return { ...sent, channels: change((sent.channels ?? []) as Json[], (before ?? []) as Json[]) }
  })
}

/** Faults of boards, views, alerts, screens, members, archiving, keys and preset alerts. */
export const configurationFaults: Coded = {
  'get-board-only-newest': refused('get-board', (call) => newestBoard(call) !== idIn(call), 'NotFound'),
  'get-board-other': asked('get-board', (call) => (named(call, 'board') ? redirected(call, newestBoard(call)) : call)),
  'delete-board-ghost': ghosts(),
  'update-screen-moves': moved,
  'screen-deletion-only-first': onlyFirst(),
  'owner-removed': { state: (state) => things(state, 'member').forEach(unowned) },
  'owner-removed-and-refused': refusedAndRemoved,
  'owner-removed-in-capitals': demands('delete-member', (call) => {
    if (idIn(call) !== idIn(call).toLowerCase()) unowned(named(call, 'member'))
  }),
  'member-deletion-by-beginning': byBeginning,
  'member-not-decoded': asked('delete-member', (call) => redirected(call, call.request.path.split('/').at(-1))),
  'keys-created-seconds-of-old': secondsOfOld,
  'create-enterprise-key-name-in-bytes': refused('create-enterprise-key', ({ body }) => {
    return Buffer.byteLength(String((body as Json).name)) > 30
  }),
  'create-key-service': serviceKeys,
  'list-preset-alerts-forgets': forgetful(),
  'preset-update-keeps-more': channels((now, before) => [...now, ...before.slice(now.length)]),
  'preset-update-adds-channels': channels((now, before) => [...before, ...now]),
}
