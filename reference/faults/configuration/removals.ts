import { ok } from '../../core/message.ts'
import type { State } from '../../model/state.ts'
import { afterwards, asked, notApplied } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** What is gone comes back with the next deletion. */
function comesBack(operation: string, of: (state: State) => Map<string, unknown>): Fault['changes'] {
  return afterwards(
    operation,
    ({ state }) => new Map(of(state)),
    ({ state }, before) => {
      const things = of(state)
      const gone = [...before].filter(([id]) => !things.has(id))
      for (const [id, thing] of gone) things.set(id, thing)
    },
  )
}

function onlyFirst(): Fault['changes'] {
  const done = new WeakSet<State>()
  return {
    handlers: {
      'delete-screen': (inner) => (call) => {
        if (done.has(call.state) && call.state.screens.has(call.params.screen_id ?? '')) return ok({ deleted: true })
        done.add(call.state)
        return inner(call)
      },
    },
  }
}

/** Faults in the removal of members and screens. */
export const removalFaults: readonly Fault[] = [
  {
    name: 'member-deletion-not-applied',
    about: 'a removed member stays',
    kills: ['MEMBER-DELETE-REMOVES'],
    changes: notApplied('delete-member'),
  },
  {
    name: 'member-deletion-other',
    about: 'another member is removed than the one that was named',
    kills: ['MEMBER-DELETE-REMOVES'],
    changes: asked('delete-member', (call) => {
      const named = call.state.members.get((call.params.email ?? '').toLowerCase())
      const [other] = [...call.state.members.values()].filter((one) => one !== named && one.role !== 'owner')
      return named?.role === 'owner' || !named || !other ? call : { ...call, params: { email: other.email } }
    }),
  },
  {
    name: 'member-deletion-by-beginning',
    about: 'the removal of an address removes the member whose address begins like it',
    kills: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    changes: asked('delete-member', (call) => {
      const [local = '', domain = ''] = (call.params.email ?? '').toLowerCase().split('@')
      if (call.state.members.has(`${local}@${domain}`)) return call
      const near = [...call.state.members.keys()].find((email) => email.startsWith(local) && email.endsWith(domain))
      return near === undefined ? call : { ...call, params: { email: near } }
    }),
  },
  {
    name: 'member-not-decoded',
    about: 'the e-mail address in the path is not decoded',
    kills: ['MEMBER-DELETE-STATUS'],
    changes: asked('delete-member', (call) => ({
      ...call,
      params: { email: call.request.path.split('/').at(-1) ?? '' },
    })),
  },
  {
    name: 'screen-deletion-comes-back',
    about: 'a deleted screen is there again at once',
    kills: ['SCREEN-DELETE-REMOVES'],
    changes: comesBack('delete-screen', ({ screens }) => screens),
  },
  {
    name: 'screen-deletion-only-first',
    about: 'screens can be deleted once; every other one stays',
    kills: ['SCREEN-DELETE-REMOVES'],
    changes: onlyFirst(),
  },
]
