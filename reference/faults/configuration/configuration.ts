import { notFound, Refusal } from '../../core/refusal.ts'
import { type Call, ok } from '../../core/route.ts'
import { idIn } from '../../core/things.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import { asked, askedBody, demands, handler, named } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'
import { keyFaults, presetFaults } from './keys.ts'

/** Asks an operation about another thing than the path names. */
function redirected(call: Call, id: string | undefined): Call {
  const place = Object.keys(call.params).at(-1) ?? ''
  return id === undefined ? call : { ...call, params: { ...call.params, [place]: id } }
}

const board = each((change: (call: Call, newest: string | undefined) => Call) =>
  asked('get-board', (call) => change(call, [...things(call.state, 'board').keys()].at(-1))),
)

const view = each((change: Parameters<typeof askedBody>[1]) => askedBody('update-view', change))

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

const collectionFaults: readonly Fault[] = [
  board('get-board-only-newest', 'BOARD-GET', 'only the newest board can be got', (call, newest) => {
    if (newest !== idIn(call)) throw notFound('only the newest is here')
    return call
  }),
  board(
    'get-board-other',
    'BOARD-GET BOARD-UPDATE',
    'whichever board is asked for, the newest is got',
    (call, newest) => (named(call, 'board') ? redirected(call, newest) : call),
  ),
  fault('delete-board-ghost', 'BOARD-DELETE', 'a deleted board is not listed any more, but still got', ghosts()),
  view('update-view-name-only', 'VIEW-READ', 'an update of a view changes nothing but its name', ({ name }, call) => ({
    ...named(call, 'view')?.body,
    name,
  })),
  fault('update-screen-moves', 'SCREEN-UPDATE', 'a screen that was updated has another id from then on', moved),
  fault('screen-deletion-only-first', 'SCREEN-DELETE-REMOVES', 'one screen can be deleted; others stay', onlyFirst()),
]

const removesMember = each((change: (call: Call) => Call) => asked('delete-member', change))

/** Every other removal finds nothing. */
function everyOther(type: string): Changes {
  return handler(`delete-${type}`, (inner) => {
    let count = 0
    return (call) => {
      count += 1
      if (count % 2 === 1) throw new Refusal('NotFound', `there is no such ${type}`)
      return inner(call)
    }
  })
}

/** Faults in the removal of members and screens, and in how it is refused. */
const removalFaults: readonly Fault[] = [
  fault('owner-removed', 'MEMBER-DELETE-OWNER-REFUSED', 'the owner of the account can be removed', {
    state: (state) => {
      for (const member of things(state, 'member').values())
        if (member.body.role === 'owner') member.body = { ...member.body, role: 'admin' }
    },
  }),
  fault(
    'owner-removed-and-refused',
    'MEMBER-DELETE-OWNER-REFUSED',
    'the removal of the owner is refused and carried out',
    handler('delete-member', (inner) => (call) => {
      const member = named(call, 'member')
      try {
        return inner(call)
      } finally {
        if (member?.body.role === 'owner') things(call.state, 'member').delete(idIn(call).toLowerCase())
      }
    }),
  ),
  fault(
    'owner-removed-in-capitals',
    'MEMBER-DELETE-OWNER-REFUSED',
    'the owner can be removed by an address in capitals',
    handler('delete-member', (inner) => (call) => {
      const member = named(call, 'member')
      if (member?.body.role === 'owner' && idIn(call) !== idIn(call).toLowerCase())
        member.body = { ...member.body, role: 'admin' }
      return inner(call)
    }),
  ),
  removesMember(
    'member-deletion-by-beginning',
    'MEMBER-DELETE-UNKNOWN-REFUSED',
    'the removal of an address removes the member whose address begins like it',
    (call) => {
      const [local = '', domain = ''] = idIn(call).toLowerCase().split('@')
      const all = [...things(call.state, 'member').keys()]
      return redirected(
        call,
        named(call, 'member') ? undefined : all.find((one) => one.startsWith(local) && one.endsWith(domain)),
      )
    },
  ),
  removesMember('member-not-decoded', 'MEMBER-DELETE-STATUS', 'the address in the path is not decoded', (call) =>
    redirected(call, call.request.path.split('/').at(-1)),
  ),
  ...['member', 'screen'].map((type) =>
    fault(
      `${type}-listed-not-found`,
      `${type.toUpperCase()}-DELETE-STATUS`,
      `every other ${type} is not found when it is to be removed`,
      everyOther(type),
    ),
  ),
]

/** Faults of boards, views, alerts, screens, members, archiving, keys and preset alerts. */
export const configurationFaults: readonly Fault[] = [
  ...collectionFaults,
  ...removalFaults,
  ...keyFaults,
  ...presetFaults,
]
