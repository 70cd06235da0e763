import { Refusal, refusalAnswer, violated } from '../../core/refusal.ts'
import { bodyOf } from '../../core/route.ts'
import { admission, askedBody, body, notApplied, refusalBody, rule, success } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Ten faults of ten kinds: the least that a suite has to find, each by its one requirement. */
export const breakages: readonly Fault[] = [
  {
    name: 'node-title-513',
    about: 'the longest title of a node has 513 characters',
    kills: ['NODE-TITLE-MAX'],
    changes: rule('node', '/$defs/title', (title) => ({ ...title, maxLength: 513 })),
  },
  {
    name: 'node-title-greater-than',
    about: 'the title of a node may hold >',
    kills: ['NODE-TITLE-PATTERN'],
    changes: rule('node', '/$defs/title', (title) => ({ ...title, pattern: '^[^<"]*$' })),
  },
  {
    name: 'preset-create-body',
    about: 'the creation of a preset alert is answered with a body',
    kills: ['PRESET-CREATE-BODY'],
    changes: success('create-preset-alert', (answer) => ({ ...answer, json: { created: true } })),
  },
  {
    name: 'member-unknown-code-case',
    about: 'the code of an unknown member is written in lower case',
    kills: ['MEMBER-DELETE-UNKNOWN-CODE'],
    changes: refusalBody('delete-member', (json) => (json.code === 'NotFound' ? { ...json, code: 'notfound' } : json)),
  },
  {
    name: 'member-result-no-deleted',
    about: 'the result of the removal of a member has no field deleted',
    kills: ['MEMBER-RESULT-DELETED-PRESENT'],
    changes: body('delete-member', ({ message }) => ({ message })),
  },
  {
    name: 'v3-open',
    about: 'pipeline operations are carried out without credentials',
    kills: ['AUTH-V3-REQUIRED'],
    changes: admission((access) => (access === 'v3' ? true : undefined)),
  },
  {
    name: 'route-patch-replaces',
    about: 'a partial update of a gateway route unsets what it does not send',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: askedBody('update-gateway-route', (sent) => ({
      title: null,
      description: null,
      legacy_routing: false,
      ...sent,
    })),
  },
  {
    name: 'source-update-not-applied',
    about: 'an update of a source changes nothing',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: notApplied('update-source'),
  },
  {
    name: 'screen-deletion-not-applied',
    about: 'a deleted screen stays',
    kills: ['SCREEN-DELETE-REMOVES'],
    changes: notApplied('delete-screen'),
  },
  {
    name: 'tap-limit-server-error',
    about: 'a tap for more than 100 events breaks the server',
    kills: ['TAP-LIMIT-MAX'],
    changes: {
      routes: { 'start-tap': (route) => ({ ...route, schema: 'object-body' }) },
      handlers: {
        'start-tap': (inner) => (call) => {
          const violations = call.env.validator.violations('tap-request', bodyOf(call))
          if (violations.some(({ keyword, pointer }) => keyword === 'maximum' && pointer === '/limit')) {
            return refusalAnswer(new Refusal('InternalServerError', 'too many events'), 'v3')
          }
          if (violations.length > 0) throw violated(violations)
          return inner(call)
        },
      },
    },
  },
]
