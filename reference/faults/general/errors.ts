import { specifiedOperations } from '../../../schemas/operations.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { asked, refusalBody } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'
import { standIn } from '../core/repair.ts'

/** Faults in the form of errors. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'error-no-code',
    about: 'the error of an unknown member has no code',
    kills: ['ERROR-BODY-CODE-PRESENT'],
    changes: refusalBody('delete-member', ({ code: _, ...json }) => json),
  },
  {
    name: 'error-no-text',
    about: 'the error of an unknown screen has no text',
    kills: ['ERROR-BODY-ERROR-PRESENT'],
    changes: refusalBody('delete-screen', ({ error: _, ...json }) => json),
  },
  {
    name: 'error-message',
    about: 'the text of an error stands in a field message',
    kills: ['ERROR-BODY-ERROR-PRESENT'],
    changes: refusalBody('delete-screen', ({ error, ...json }) => ({ message: error, ...json })),
  },
  {
    name: 'error-nested',
    about: 'the text of an error stands in an object',
    kills: ['ERROR-BODY-ERROR-TYPE'],
    changes: refusalBody('delete-member', ({ error, ...json }) => ({ ...json, error: { message: error } })),
  },
  {
    name: 'error-code-number',
    about: 'the code of an error is a number',
    kills: ['ERROR-BODY-CODE-TYPE'],
    changes: refusalBody('delete-screen', (json) => ({ ...json, code: 404 })),
  },
  {
    name: 'error-status-number',
    about: 'the status in an error is a number',
    kills: ['ERROR-BODY-STATUS-TYPE'],
    changes: refusalBody('delete-screen', (json) => ({ ...json, status: 404 })),
  },
  {
    name: 'error-status-capital',
    about: 'the status in an error is written with a capital',
    kills: ['ERROR-BODY-STATUS-VALUE'],
    changes: refusalBody('delete-member', (json) => ({ ...json, status: 'Error' })),
  },
  {
    name: 'error-list',
    about: 'an error is an array',
    kills: ['ERROR-BODY-OBJECT'],
    changes: refusalBody('delete-screen', (json) => [json]),
  },
  {
    name: 'error-text',
    about: 'an error is a bare text',
    kills: ['ERROR-BODY-OBJECT'],
    changes: refusalBody('delete-member', ({ error }) => error),
  },
  {
    name: 'error-empty',
    about: 'an error has no body',
    kills: ['ERROR-BODY-OBJECT'],
    changes: {
      answer: (answer, _, operation) =>
        operation === 'delete-screen' && answer.status === 404 ? { status: 404 } : answer,
    },
  },
  {
    name: 'preset-error-without-code',
    about: 'the error of a bad preset alert has no code',
    kills: ['ERROR-BODY-SHAPE'],
    changes: refusalBody('create-preset-alert', ({ code: _, ...json }) => json),
  },
  {
    name: 'preset-error-list',
    about: 'the error of a bad preset alert says in a list what is wrong',
    kills: ['ERROR-BODY-SHAPE'],
    changes: refusalBody('update-preset-alert', ({ error, code }) => ({ code, error: [error] })),
  },
]

/** Operations of the specification whose requests have a body. */
const WITH_BODY = specifiedOperations().flatMap(({ id, request }) => (request === undefined ? [] : [id]))

const MALFORMED = [
  'create-preset-alert',
  'update-preset-alert',
  'update-transform',
  'update-source',
  'create-group-from-pipeline',
  'start-tap',
  'add-group-to-pipeline',
  'switch-group-revision',
  'update-gateway-route',
  'add-signing-key',
  'update-state-variables',
  'update-processing-status',
]

/** The body that was sent; where it is no JSON one that says no more than it has to. */
function leniently({ request, state }: Call, operation: string): unknown {
  try {
    return JSON.parse(Buffer.from(request.body).toString())
  } catch {
    return standIn(operation, {}, state)
  }
}

/** Faults in which forms of a body are taken. */
export const bodyFaults: readonly Fault[] = [
  ...MALFORMED.map(
    (operation): Fault => ({
      name: `${operation}-malformed`,
      about: `${operation} reads a body that is no JSON as an empty object`,
      kills: ['REQUEST-BODY-JSON'],
      changes: {
        routes: { [operation]: ({ schema: _, ...route }) => route },
        handlers: { [operation]: (inner) => (call) => inner({ ...call, body: leniently(call, operation) }) },
      },
    }),
  ),
  ...WITH_BODY.map(
    (operation): Fault => ({
      name: `${operation}-plain-json`,
      about: `${operation} refuses bodies that come as application/json, without a character set`,
      kills: ['REQUEST-CONTENT-TYPE'],
      changes: asked(operation, (call) => {
        if (call.request.headers['content-type'] !== 'application/json') return call
        throw new Refusal('UnsupportedMediaType', 'the body is expected with a character set')
      }),
    }),
  ),
]
