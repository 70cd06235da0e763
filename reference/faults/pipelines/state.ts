import { isPending } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import { bodyOf } from '../../core/route.ts'
import type { GatewayRoute } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied, success } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Faults in what patches of state variables change and leave. */
export const stateFaults: readonly Fault[] = [
  {
    name: 'state-falsy-ignored',
    about: 'state variables that are set to 0, false or nothing keep their values',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(Object.entries((sent.state ?? {}) as object).filter(([, value]) => Boolean(value))),
    })),
  },
  {
    name: 'state-not-applied',
    about: 'a patch of state variables changes nothing',
    kills: ['STATEVAR-APPLIES'],
    changes: notApplied('update-state-variables'),
  },
  {
    name: 'state-replaced',
    about: 'a patch of state variables drops those that it does not name',
    kills: ['STATEVAR-PARTIAL'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const pipeline = call.state.pipelines.get(String(bodyOf(call).pipeline_id))
          if (pipeline) pipeline.stateVariables.state = {}
          return inner(call)
        },
      },
    },
  },
  {
    name: 'state-first-only',
    about: 'a patch of state variables takes the first one only',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(Object.entries((sent.state ?? {}) as object).slice(0, 1)),
    })),
  },
  {
    name: 'state-new-only',
    about: 'a patch sets new state variables and leaves those that are there',
    kills: ['STATEVAR-APPLIES'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const before = call.state.pipelines.get(String(bodyOf(call).pipeline_id))?.stateVariables.state
          return inner({ ...call, body: { ...bodyOf(call), state: { ...(bodyOf(call).state as object), ...before } } })
        },
      },
    },
  },
  {
    name: 'state-known-only',
    about: 'a patch does not make new state variables once there are some',
    kills: ['STATEVAR-APPLIES'],
    changes: {
      handlers: {
        'update-state-variables': (inner) => (call) => {
          const { pipeline_id: id, state = {} } = bodyOf(call)
          const before = call.state.pipelines.get(String(id))?.stateVariables.state ?? {}
          const known = Object.entries(state as object).filter(([name]) => name in before)
          const kept = Object.keys(before).length === 0 ? state : Object.fromEntries(known)
          return inner({ ...call, body: { ...bodyOf(call), state: kept } })
        },
      },
    },
  },
  {
    name: 'state-text',
    about: 'state variables are stored as text',
    kills: ['STATEVAR-APPLIES'],
    changes: askedBody('update-state-variables', (sent) => ({
      ...sent,
      state: Object.fromEntries(
        Object.entries((sent.state ?? {}) as object).map(([name, value]) => [name, String(value)]),
      ),
    })),
  },
]

/** What faults remember: pipelines that were switched. */
const switchedOnce = new WeakSet<object>()

/** Faults in how the processing of a pipeline is switched. */
export const processingFaults: readonly Fault[] = [
  {
    name: 'processing-status-text',
    about: 'the update of the processing status is answered with a text',
    kills: ['BODY-JSON'],
    changes: success('update-processing-status', ({ json: _, ...answer }) => ({ ...answer, text: ['OK'] })),
  },
  {
    name: 'processing-not-switched',
    about: 'the processing status of a pipeline stays as it is',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: notApplied('update-processing-status'),
  },
  {
    name: 'processing-not-enabled',
    about: 'a disabled pipeline cannot be enabled again',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: askedBody('update-processing-status', (sent, { state, params }) =>
      state.pipelines.get(params.pipeline_id ?? '')?.processing === 'disabled' ? {} : sent,
    ),
  },
  {
    name: 'processing-third-status',
    about: 'a pipeline that was never switched has a status of its own',
    kills: ['PROCESSING-STATUS-STATES'],
    changes: {
      handlers: {
        'update-processing-status': (inner) => (call) => {
          const pipeline = call.state.pipelines.get(call.params.pipeline_id ?? '')
          if (pipeline) switchedOnce.add(pipeline)
          return inner(call)
        },
        'get-pipeline': (inner) => (call) => {
          const reply = inner(call)
          const pipeline = call.state.pipelines.get(call.params.pipeline_id ?? '')
          if (!pipeline || switchedOnce.has(pipeline) || isPending(reply) || reply.status >= 300) return reply
          const { data, ...json } = reply.json as { data: object }
          return { ...reply, json: { ...json, data: { ...data, processing_status: 'new' } } }
        },
      },
    },
  },
  {
    name: 'processing-empty-refused',
    about: 'an empty object is refused as the body that updates the processing status',
    kills: ['PROCESSING-STATUS-EMPTY'],
    changes: askedBody('update-processing-status', (sent) => {
      if (Object.keys(sent).length === 0) throw invalid('', 'is empty')
      return sent
    }),
  },
  {
    name: 'processing-toggles',
    about: 'each update of the processing status switches over, whatever it says',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: askedBody('update-processing-status', (_, { state, params }) => ({
      processing_status:
        state.pipelines.get(params.pipeline_id ?? '')?.processing === 'disabled' ? 'enabled' : 'disabled',
    })),
  },
]

/** Something that is wrong with a gateway route once it was updated. */
function spoiltRoute(
  spoil: (route: GatewayRoute, before: GatewayRoute, sent: Readonly<Record<string, unknown>>) => void,
): Fault['changes'] {
  const find = (state: State, id: string | undefined): GatewayRoute | undefined => state.gatewayRoutes.get(id ?? '')
  return afterwards(
    'update-gateway-route',
    ({ state, params }) => ({ ...find(state, params.gateway_route_id) }) as GatewayRoute,
    (call, before) => {
      const route = find(call.state, call.params.gateway_route_id)
      if (route) spoil(route, before, bodyOf(call))
    },
  )
}

/** Faults in what patches of gateway routes change and leave. */
export const routeFaults: readonly Fault[] = [
  {
    name: 'route-patch-drops-keys',
    about: 'a partial update of a gateway route drops its signing keys',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: spoiltRoute((route) => {
      route.signingKeys.length = 0
    }),
  },
  {
    name: 'route-patch-not-applied',
    about: 'a partial update of a gateway route changes nothing',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: notApplied('update-gateway-route'),
  },
  {
    name: 'route-legacy-kept',
    about: 'legacy routing of a gateway route cannot be changed',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: askedBody('update-gateway-route', ({ legacy_routing: _, ...sent }) => sent),
  },
  {
    name: 'route-legacy-never-off',
    about: 'legacy routing of a gateway route cannot be turned off',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: spoiltRoute((route, before) => {
      route.legacyRouting ||= before.legacyRouting
    }),
  },
  {
    name: 'route-legacy-reset',
    about: 'a partial update of a gateway route that does not name legacy routing turns it off',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: askedBody('update-gateway-route', (sent) => ({ legacy_routing: false, ...sent })),
  },
  {
    name: 'route-description-reset',
    about: 'a new title of a gateway route unsets its description',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: askedBody('update-gateway-route', (sent) =>
      sent.title === undefined || sent.description !== undefined ? sent : { ...sent, description: null },
    ),
  },
  {
    name: 'route-rest-hidden',
    about: 'a gateway route is read without the description that a partial update did not send',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: spoiltRoute((route, _, { description }) => {
      if (description === undefined) Reflect.deleteProperty(route, 'description')
    }),
  },
  {
    name: 'route-title-hidden',
    about: 'a gateway route is read without its title once a partial update has sent one',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: spoiltRoute((route, _, { title }) => {
      if (title !== undefined) Reflect.deleteProperty(route, 'title')
    }),
  },
  {
    name: 'route-one-field',
    about: 'a partial update of a gateway route takes the first field only',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: askedBody('update-gateway-route', (sent) => Object.fromEntries(Object.entries(sent).slice(0, 1))),
  },
]
