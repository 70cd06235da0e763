import { loadResourceSchemas } from '../../../schemas/load.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { createValidator, type Validator } from '../../../schemas/validator.ts'
import { authorize } from '../../core/auth.ts'
import { parseJson } from '../../core/handle.ts'
import { Refusal, violated } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { withShapes } from '../../core/shapes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { standIn } from '../core/repair.ts'

/** Carries out an operation for whoever asks, and answers as if those without right credentials had been sent away. */
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
