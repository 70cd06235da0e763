import { ok } from '../../core/message.ts'
import type { State } from '../../model/state.ts'
import { afterwards, asked, body, notApplied, status, success } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Faults in what good requests about the configuration are answered with. */
export const configurationAnswerFaults: readonly Fault[] = [
  {
    name: 'preset-update-body',
    about: 'the update of a preset alert is answered with the preset alert',
    kills: ['PRESET-UPDATE-BODY'],
    changes: success('update-preset-alert', (answer, { body: sent }) => ({
      ...answer,
      json: JSON.parse(Buffer.from(sent).toString()),
    })),
  },
  {
    name: 'preset-create-null',
    about: 'the creation of a preset alert is answered with the body null',
    kills: ['PRESET-CREATE-BODY'],
    changes: success('create-preset-alert', (answer) => ({ ...answer, json: null })),
  },
  {
    name: 'preset-update-text',
    about: 'the update of a preset alert is answered with a text',
    kills: ['PRESET-UPDATE-BODY'],
    changes: success('update-preset-alert', (answer) => ({ ...answer, text: ['OK'] })),
  },
  {
    name: 'member-delete-empty',
    about: 'the removal of a member is answered without a body',
    kills: ['MEMBER-DELETE-BODY'],
    changes: success('delete-member', ({ json: _, ...answer }) => answer),
  },
  {
    name: 'screen-delete-text',
    about: 'the deletion of a screen is answered with a body that is not JSON',
    kills: ['SCREEN-DELETE-BODY'],
    changes: success('delete-screen', ({ json: _, ...answer }) => ({ ...answer, text: ['deleted'] })),
  },
  {
    name: 'screen-delete-error-body',
    about: 'the deletion of a screen is carried out and answered with 200 and the body of an error',
    kills: ['SCREEN-RESULT-DELETED-PRESENT'],
    changes: body('delete-screen', () => ({ error: 'no screen', code: 'NotFound', status: 'error' })),
  },
  {
    name: 'member-delete-error-body',
    about: 'the removal of a member is carried out and answered with 200 and the body of an error',
    kills: ['MEMBER-RESULT-DELETED-PRESENT', 'MEMBER-RESULT-MESSAGE-PRESENT'],
    changes: body('delete-member', () => ({ error: 'no member', code: 'NotFound', status: 'error' })),
  },
  {
    name: 'screen-delete-wrapped',
    about: 'the result of the deletion of a screen stands in a field data',
    kills: ['SCREEN-RESULT-DELETED-PRESENT'],
    changes: body('delete-screen', (data) => ({ data })),
  },
  {
    name: 'screen-delete-list',
    about: 'the result of the deletion of a screen stands in an array',
    kills: ['SCREEN-DELETE-BODY'],
    changes: body('delete-screen', (data) => [data]),
  },
  {
    name: 'screen-delete-false',
    about: 'a deleted screen is said not to be deleted',
    kills: ['SCREEN-RESULT-DELETED-TRUE'],
    changes: body('delete-screen', () => ({ deleted: false })),
  },
  {
    name: 'screen-delete-number',
    about: 'deleted of a deleted screen is 1',
    kills: ['SCREEN-RESULT-DELETED-TYPE'],
    changes: body('delete-screen', () => ({ deleted: 1 })),
  },
  {
    name: 'member-delete-false',
    about: 'a removed member is said not to be removed',
    kills: ['MEMBER-RESULT-DELETED-TRUE'],
    changes: body('delete-member', (json) => ({ ...json, deleted: false })),
  },
  {
    name: 'member-delete-text-true',
    about: 'deleted of a removed member is the text true',
    kills: ['MEMBER-RESULT-DELETED-TYPE'],
    changes: body('delete-member', (json) => ({ ...json, deleted: 'true' })),
  },
  {
    name: 'member-delete-null-message',
    about: 'the message about a removed member is null',
    kills: ['MEMBER-RESULT-MESSAGE-TYPE'],
    changes: body('delete-member', (json) => ({ ...json, message: null })),
  },
  {
    name: 'member-delete-no-message',
    about: 'there is no message about a removed member',
    kills: ['MEMBER-RESULT-MESSAGE-PRESENT'],
    changes: body('delete-member', ({ deleted }) => ({ deleted })),
  },
  {
    name: 'member-delete-no-content',
    about: 'the removal of a member is answered with 204',
    kills: ['MEMBER-DELETE-STATUS'],
    changes: status('delete-member', 204),
  },
]

/** A removed thing comes back with the next deletion. */
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
