import { loadResourceSchemas } from '../../../schemas/load.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { createValidator, type Validator } from '../../../schemas/validator.ts'
import { authorize } from '../../core/auth.ts'
import { parseJson } from '../../core/handle.ts'
import { Refusal, violated } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { withShapes } from '../../core/shapes.ts'
import { asked, refusalBody } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
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

/** Carries out an operation for everybody, and answers as if those without right credentials had been sent away. */
function doneForAll(operation: string): Changes {
  return {
    routes: {
      [operation]: (route) => ({
        ...route,
        access: 'open',
        handler: (call) => {
          const reply = route.handler(call)
          if (authorize(route.access, call.request.headers, call.state)) return reply
          throw new Refusal('NotAuthorized', 'the request carries no valid credential for this operation')
        },
      }),
    },
  }
}

/** Carries out an operation for those who send no credentials, and answers as if they had been sent away. */
function doneForNobody(operation: string): Changes {
  const all = doneForAll(operation)
  return {
    routes: {
      [operation]: (route) => {
        const open = all.routes?.[operation]?.(route) ?? route
        const handler: Handler = (call) => {
          const { authorization, servicekey, 'enterprise-servicekey': enterprise } = call.request.headers
          if (authorization === undefined && servicekey === undefined && enterprise === undefined)
            return open.handler(call)
          if (authorize(route.access, call.request.headers, call.state)) return route.handler(call)
          throw new Refusal('NotAuthorized', 'the request carries no valid credential for this operation')
        }
        return { ...open, handler }
      },
    },
  }
}

let proper: Validator | undefined

/** Carries out an operation without the fields that are wrong, and refuses it all the same. */
function doneInPart(operation: string): Changes {
  const schema = specifiedOperations().find(({ id }) => id === operation)?.request?.schema ?? ''
  return {
    routes: {
      [operation]: ({ schema: _, ...route }) => ({
        ...route,
        handler: (call) => partly(call, operation, schema, route.handler),
      }),
    },
  }
}

function partly(call: Call, operation: string, schema: string, handler: Handler): ReturnType<Handler> {
  proper ??= createValidator(withShapes(loadResourceSchemas()))
  const body = parseJson(call.request.body)
  const violations = proper.violations(schema, body)
  if (violations.length === 0) return handler({ ...call, body })
  const wrong = new Set(violations.map(({ pointer }) => pointer.split('/')[1] ?? ''))
  const rest = wrong.has('')
    ? {}
    : Object.fromEntries(Object.entries(body as object).filter(([name]) => !wrong.has(name)))
  handler({ ...call, body: standIn(operation, rest, call.state) })
  throw violated(violations)
}

/** family -> operations of it that are carried out though they are refused */
const DONE: Readonly<Record<string, readonly string[]>> = {
  V1: [
    ...['board', 'member', 'preset-alert'].map((type) => `create-${type}`),
    ...['board', 'exclusion', 'member', 'screen'].map((type) => `delete-${type}`),
    'update-preset-alert',
  ],
  V3: [
    ...['gateway-route', 'processing-status', 'source', 'state-variables', 'transform'].map((part) => `update-${part}`),
    'add-group-to-pipeline',
    'create-group-from-pipeline',
    'create-transform',
    'delete-gateway-route',
    'switch-group-revision',
  ],
  ENTERPRISE: ['create-enterprise-key', 'delete-enterprise-key'],
}

const NODE = ['NODE-TITLE-MAX', 'NODE-TITLE-PATTERN', 'NODE-DESCRIPTION-MIN', 'NODE-DEPLOY-TYPE-VALUES']

const PARTLY: readonly (readonly [operation: string, kills: readonly string[]])[] = [
  ['update-transform', NODE],
  ['update-source', NODE],
  ['create-group-from-pipeline', ['GROUP-DEPLOY-TYPE-VALUES', 'GROUP-DESCRIPTION-MIN', 'GROUP-IDS-MIN']],
  ['add-group-to-pipeline', ['PLACEMENT-DEPLOY-TYPE-VALUES', 'PLACEMENT-INPUTS-TYPE']],
  ['update-gateway-route', ['ROUTE-LEGACY-ROUTING-TYPE', 'ROUTE-DESCRIPTION-TYPE']],
  ['create-preset-alert', ['PRESET-CHANNELS-TYPE']],
  ['update-preset-alert', ['PRESET-CHANNELS-TYPE']],
]

/** Faults in what becomes of requests that are refused. */
export const refusalFaults: readonly Fault[] = [
  ...Object.entries(DONE)
    .flatMap(([family, operations]) => operations.map((operation) => [operation, `AUTH-${family}-REQUIRED`] as const))
    .flatMap(([operation, requirement]): Fault[] => [
      {
        name: `${operation}-sent-away-and-done`,
        about: `${operation} is carried out for anybody, and those with wrong credentials are told that it is not`,
        kills: [requirement],
        changes: doneForAll(operation),
      },
      {
        name: `${operation}-nobody-and-done`,
        about: `${operation} is carried out without credentials, and the answer is that it is not`,
        kills: [requirement],
        changes: doneForNobody(operation),
      },
    ]),
  ...PARTLY.map(
    ([operation, kills]): Fault => ({
      name: `${operation}-refused-and-done`,
      about: `${operation} is carried out without what is wrong with it, and refused`,
      kills,
      changes: doneInPart(operation),
    }),
  ),
]
