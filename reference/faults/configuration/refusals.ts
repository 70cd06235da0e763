import { type Answer, ok } from '../../core/message.ts'
import { Refusal } from '../../core/refusal.ts'
import { asked, refusal, refusalBody } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Answers a refusal of one kind otherwise. */
function when(operation: string, code: string, change: (answer: Answer) => Answer): Fault['changes'] {
  return refusal(operation, (answer) =>
    (answer.json as { code?: unknown } | undefined)?.code === code ? change(answer) : answer,
  )
}

/** The answer with other fields in its body; undefined leaves one out. */
function spoilt(answer: Answer, fields: Readonly<Record<string, unknown>>): Answer {
  return { ...answer, json: { ...(answer.json as object), ...fields } }
}

/** Answers a removal otherwise where the id is of a form that nobody thought of. */
function odd(operation: string, placeholder: string, form: RegExp, answer: Answer): Fault['changes'] {
  return {
    handlers: {
      [operation]: (inner) => (call) =>
        form.test(call.params[placeholder] ?? call.params.id ?? '') ? answer : inner(call),
    },
  }
}

const BROKEN: Answer = { status: 500, json: { error: 'something went wrong', code: 'Internal', status: 'error' } }

/** Faults in how requests about members, screens and keys are refused. */
export const configurationRefusalFaults: readonly Fault[] = [
  {
    name: 'screen-word-500',
    about: 'an id of a screen that is no UUID breaks the server',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: odd('delete-screen', 'screen_id', /^(?![0-9a-f-]{36}$)/i, BROKEN),
  },
  {
    name: 'screen-wide-500',
    about: 'an id of a screen with letters outside ASCII breaks the server',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: odd('delete-screen', 'screen_id', /[^ -~]/, BROKEN),
  },
  {
    name: 'screen-long-ok',
    about: 'the deletion of a screen with a long id is answered with success',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: odd('delete-screen', 'screen_id', /^.{256}/, ok({ deleted: true })),
  },
  {
    name: 'member-quote-500',
    about: 'an address with a quote breaks the server',
    kills: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    changes: odd('delete-member', 'email', /'/, BROKEN),
  },
  {
    name: 'keys-invalid-ignored',
    about: 'a query that is invalid for the list of keys is ignored',
    kills: ['ENT-KEYS-INVALID-REFUSED'],
    changes: asked('list-enterprise-keys', (call) => ({ ...call, query: new URLSearchParams() })),
  },
  {
    name: 'keys-invalid-422',
    about: 'an invalid query for the list of keys is answered with 422',
    kills: ['ENT-KEYS-INVALID-STATUS'],
    changes: refusal('list-enterprise-keys', (answer) => ({ ...answer, status: 422 })),
  },
  {
    name: 'keys-invalid-500',
    about: 'an invalid query breaks the list of keys',
    kills: ['ENT-KEYS-INVALID-REFUSED'],
    changes: refusal('list-enterprise-keys', (answer) => ({ ...answer, status: 500 })),
  },
  {
    name: 'keys-invalid-200',
    about: 'the error of an invalid query for the list of keys comes with 200',
    kills: ['ENT-KEYS-INVALID-REFUSED'],
    changes: refusal('list-enterprise-keys', (answer) => ({ ...answer, status: 200 })),
  },
  {
    name: 'keys-invalid-code-spelling',
    about: 'the code of an invalid query is spelt Bad_Request',
    kills: ['ENT-KEYS-INVALID-CODE'],
    changes: refusalBody('list-enterprise-keys', (json) => ({ ...json, code: 'Bad_Request' })),
  },
  {
    name: 'keys-invalid-no-status',
    about: 'the error of an invalid query has no status',
    kills: ['ENT-KEYS-INVALID-BODY-STATUS'],
    changes: refusalBody('list-enterprise-keys', ({ status: _, ...json }) => json),
  },
  {
    name: 'member-unknown-ok',
    about: 'the removal of an unknown member is answered with success',
    kills: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    changes: when('delete-member', 'NotFound', () => ok({ message: 'nobody was removed', deleted: false })),
  },
  {
    name: 'member-unknown-500',
    about: 'the removal of an unknown member breaks the server',
    kills: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    changes: when('delete-member', 'NotFound', (answer) => ({ ...answer, status: 500 })),
  },
  {
    name: 'member-unknown-code-owner',
    about: 'an unknown member has the code of the owner',
    kills: ['MEMBER-DELETE-UNKNOWN-CODE'],
    changes: when('delete-member', 'NotFound', (answer) => spoilt(answer, { code: 'Conflict' })),
  },
  {
    name: 'member-unknown-no-status',
    about: 'the error of an unknown member has no status',
    kills: ['MEMBER-DELETE-UNKNOWN-STATUS'],
    changes: when('delete-member', 'NotFound', (answer) => spoilt(answer, { status: undefined })),
  },
  {
    name: 'member-unknown-status-fail',
    about: 'the error of an unknown member has the status fail',
    kills: ['MEMBER-DELETE-UNKNOWN-STATUS'],
    changes: when('delete-member', 'NotFound', (answer) => spoilt(answer, { status: 'fail' })),
  },
  {
    name: 'owner-removed',
    about: 'the owner of the account can be removed',
    kills: ['MEMBER-DELETE-OWNER-REFUSED'],
    changes: {
      state: ({ members }) => {
        for (const member of members.values()) if (member.role === 'owner') member.role = 'admin'
      },
    },
  },
  {
    name: 'owner-code-forbidden',
    about: 'the code of the removal of the owner is Forbidden',
    kills: ['MEMBER-DELETE-OWNER-CODE'],
    changes: when('delete-member', 'Conflict', (answer) => spoilt(answer, { code: 'Forbidden' })),
  },
  {
    name: 'owner-forbidden',
    about: 'the removal of the owner is refused as if the caller were not allowed to remove members',
    kills: ['MEMBER-DELETE-OWNER-CODE'],
    changes: when('delete-member', 'Conflict', (answer) => spoilt({ ...answer, status: 403 }, { code: 'Forbidden' })),
  },
  ...['member', 'screen'].map(
    (type): Fault => ({
      name: `${type}-listed-not-found`,
      about: `every other ${type} is not found when it is to be removed`,
      kills: [`${type.toUpperCase()}-DELETE-STATUS`],
      changes: {
        handlers: {
          [`delete-${type}`]: (inner) => {
            let count = 0
            return (call) => {
              count += 1
              if (count % 2 === 1) throw new Refusal('NotFound', `there is no such ${type}`)
              return inner(call)
            }
          },
        },
      },
    }),
  ),
  {
    name: 'owner-unknown',
    about: 'the owner is said not to be a member',
    kills: ['MEMBER-DELETE-OWNER-CODE'],
    changes: when('delete-member', 'Conflict', (answer) => spoilt({ ...answer, status: 404 }, { code: 'NotFound' })),
  },
  {
    name: 'owner-no-status',
    about: 'the error of the removal of the owner has no status',
    kills: ['MEMBER-DELETE-OWNER-STATUS'],
    changes: when('delete-member', 'Conflict', (answer) => spoilt(answer, { status: undefined })),
  },
  {
    name: 'screen-unknown-ok',
    about: 'the deletion of an unknown screen is answered with success',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: when('delete-screen', 'NotFound', () => ok({ deleted: true })),
  },
  {
    name: 'screen-unknown-200',
    about: 'the error of an unknown screen comes with 200',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: when('delete-screen', 'NotFound', (answer) => ({ ...answer, status: 200 })),
  },
  {
    name: 'screen-unknown-500',
    about: 'the deletion of an unknown screen breaks the server',
    kills: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    changes: when('delete-screen', 'NotFound', (answer) => ({ ...answer, status: 500 })),
  },
  {
    name: 'screen-unknown-code-long',
    about: 'the code of an unknown screen is ScreenNotFound',
    kills: ['SCREEN-DELETE-UNKNOWN-CODE'],
    changes: when('delete-screen', 'NotFound', (answer) => spoilt(answer, { code: 'ScreenNotFound' })),
  },
  {
    name: 'screen-unknown-no-status',
    about: 'the error of an unknown screen has no status',
    kills: ['SCREEN-DELETE-UNKNOWN-STATUS'],
    changes: when('delete-screen', 'NotFound', (answer) => spoilt(answer, { status: undefined })),
  },
]
