import { specifiedOperations } from '../../../schemas/operations.ts'
import { operationRow } from '../../../schemas/service.ts'
import { authorize } from '../../core/auth.ts'
import { parseJson } from '../../core/handle.ts'
import { Refusal, violated } from '../../core/refusal.ts'
import type { Call, Handler } from '../../core/route.ts'
import { asked, handler, refused } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import { properViolations, standIn } from '../core/repair.ts'
import type { Coded } from '../core/rows.ts'

/** Operations of the specification whose requests have a body. */
const WITH_BODY = specifiedOperations().flatMap(({ id, request }) => (request === undefined ? [] : [id]))

/** The body that was sent; where it is no JSON one that says no more than it has to. */
function leniently({ request, state }: Call, operation: string): unknown {
  try {
    return JSON.parse(Buffer.from(request.body).toString())
  } catch {
    return standIn(operation, {}, state)
  }
}

function malformed(operation: string): Changes {
  return {
    routes: { [operation]: ({ schema: _, ...route }) => route },
    ...asked(operation, (call) => ({ ...call, body: leniently(call, operation) })),
  }
}

const isPlain = ({ request }: Call): boolean => request.headers['content-type'] === 'application/json'

/**
 * Carries an operation out, and answers as if those without right credentials had been sent away. `done`: for everybody,
 * or for those who send none.
 */
function doneFor(operation: string, done: 'all' | 'nobody'): Changes {
  return {
    routes: {
      [operation]: (route) => ({
        ...route,
        access: 'open',
        handler: (call) => {
          const { authorization, servicekey, 'enterprise-servicekey': enterprise } = call.request.headers
          const bare = authorization === undefined && servicekey === undefined && enterprise === undefined
          const right = authorize(route.access, call.request.headers, call.state)
          const reply = right || bare || done === 'all' ? route.handler(call) : undefined
          if (right && reply) return reply
          throw new Refusal('NotAuthorized', 'the request carries no valid credential for this operation')
        },
      }),
    },
  }
}

/** Carries out an operation without the fields that are wrong, and refuses it all the same. */
function doneInPart(operation: string): Changes {
  const schema = operationRow(operation)?.request?.schema ?? ''
  return {
    routes: { [operation]: ({ schema: _, ...route }) => route },
    ...handler(operation, (inner) => (call) => partly(call, operation, schema, inner)),
  }
}

function partly(call: Call, operation: string, schema: string, inner: Handler): ReturnType<Handler> {
  const body = parseJson(call.request.body)
  const violations = properViolations(schema, body)
  if (violations.length === 0) return inner({ ...call, body })
  const wrong = new Set(violations.map(({ pointer }) => pointer.split('/')[1] ?? ''))
  const rest = wrong.has('')
    ? {}
    : Object.fromEntries(Object.entries(body as object).filter(([name]) => !wrong.has(name)))
  inner({ ...call, body: standIn(operation, rest, call.state) })
  throw violated(violations)
}

const PAGE = { headers: { 'content-type': 'text/html' }, text: ['<!doctype html><title>Bad request</title>'] }

/** Operations that are carried out though they are refused. */
const DONE = [
  ...['board', 'member', 'preset-alert', 'transform', 'enterprise-key'].map((type) => `create-${type}`),
  ...['board', 'exclusion', 'member', 'screen', 'gateway-route', 'enterprise-key'].map((type) => `delete-${type}`),
  ...['preset-alert', 'gateway-route', 'processing-status', 'source', 'state-variables', 'transform'].map(
    (type) => `update-${type}`,
  ),
  ...['add-group-to-pipeline', 'create-group-from-pipeline', 'switch-group-revision'],
]

const NODE = 'NODE-TITLE-MAX NODE-TITLE-PATTERN NODE-DESCRIPTION-MIN NODE-DEPLOY-TYPE-VALUES'

const PARTLY: Readonly<Record<string, string>> = {
  'update-transform': NODE,
  'update-source': NODE,
  'create-group-from-pipeline': 'GROUP-DEPLOY-TYPE-VALUES GROUP-DESCRIPTION-MIN GROUP-IDS-MIN',
  'add-group-to-pipeline': 'PLACEMENT-DEPLOY-TYPE-VALUES PLACEMENT-INPUTS-TYPE',
  'update-gateway-route': 'ROUTE-LEGACY-ROUTING-TYPE ROUTE-DESCRIPTION-TYPE',
  'create-preset-alert': 'PRESET-CHANNELS-TYPE',
  'update-preset-alert': 'PRESET-CHANNELS-TYPE',
}

/** Faults in which bodies are taken, and in what becomes of requests that are refused: made by rule. */
export const bodyFaults: readonly Fault[] = [
  ...WITH_BODY.flatMap((id) => [
    fault(
      `${id}-malformed`,
      'REQUEST-BODY-JSON',
      `${id} reads a body that is no JSON as an empty object`,
      malformed(id),
    ),
    fault(
      `${id}-plain-json`,
      'REQUEST-CONTENT-TYPE',
      `${id} refuses application/json without a character set`,
      refused(id, isPlain, 'UnsupportedMediaType'),
    ),
  ]),
  ...DONE.flatMap((id) => {
    const requirement = `AUTH-${operationRow(id)?.family.toUpperCase()}-REQUIRED`
    const all = `${id} is carried out for anybody, and those with wrong credentials are told that it is not`
    const nobody = `${id} is carried out without credentials, and the answer is that it is not`
    return [
      fault(`${id}-sent-away-and-done`, requirement, all, doneFor(id, 'all')),
      fault(`${id}-nobody-and-done`, requirement, nobody, doneFor(id, 'nobody')),
    ]
  }),
  ...Object.entries(PARTLY).map(([id, kills]) =>
    fault(`${id}-refused-and-done`, kills, `${id} is carried out without what is wrong, and refused`, doneInPart(id)),
  ),
]

/** Other faults in the form of errors. */
export const errorFaults: Coded = {
  'errors-html': {
    answer: ({ json, ...answer }) => (answer.status === 400 ? { ...answer, ...PAGE } : { ...answer, json }),
  },
}
