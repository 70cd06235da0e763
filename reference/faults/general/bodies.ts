import { specifiedOperations } from '../../../schemas/operations.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { asked } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'
import { standIn } from '../core/repair.ts'

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
