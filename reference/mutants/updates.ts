import { bodyOf } from '../core/route.ts'
import type { GatewayRoute, Node } from '../model/pipeline.ts'
import type { State } from '../model/state.ts'
import { afterwards, askedBody, notApplied } from './changes.ts'
import type { Mutant } from './mutant.ts'

/** Something that is wrong with a node once it was updated. */
function spoiltNode(
  word: 'transform' | 'source',
  spoil: (node: Node, before: Node, sent: Readonly<Record<string, unknown>>) => void,
): Mutant['changes'] {
  const find = (state: State, params: Readonly<Record<string, string>>): Node | undefined =>
    state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
  return afterwards(
    `update-${word}`,
    ({ state, params }) => ({ ...find(state, params) }) as Node,
    (call, before) => {
      const node = find(call.state, call.params)
      if (node) spoil(node, before, bodyOf(call))
    },
  )
}

/** Something that is wrong with a gateway route once it was updated. */
function spoiltRoute(
  spoil: (route: GatewayRoute, before: GatewayRoute, sent: Readonly<Record<string, unknown>>) => void,
): Mutant['changes'] {
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

const nodeMutants: readonly Mutant[] = [
  {
    name: 'transform-update-not-applied',
    about: 'an update of a transform changes nothing',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: notApplied('update-transform'),
  },
  {
    name: 'transform-title-kept',
    about: 'an update of a transform keeps the title',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node, before) => {
      node.title = before.title
    }),
  },
  {
    name: 'transform-title-cut',
    about: 'the title of a transform is cut to 16 characters',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.title = node.title?.slice(0, 16) ?? null
    }),
  },
  {
    name: 'transform-description-kept',
    about: 'an update of a transform keeps the description',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node, before) => {
      node.description = before.description
    }),
  },
  {
    name: 'transform-deploy-type-fixed',
    about: 'the deploy type of a transform is saas whatever is sent',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.deployType = 'saas'
    }),
  },
  {
    name: 'transform-config-emptied',
    about: 'an update of a transform empties its configuration',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.userConfig = {}
    }),
  },
  {
    name: 'transform-description-upper-case',
    about: 'the description of a transform is stored in upper case',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.description = node.description?.toUpperCase() ?? null
    }),
  },
  {
    name: 'transform-description-hidden',
    about: 'a transform that was updated is read without its description',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => void Reflect.deleteProperty(node, 'description')),
  },
  {
    name: 'source-description-hidden',
    about: 'a source that was updated is read without its description',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node) => void Reflect.deleteProperty(node, 'description')),
  },
  {
    name: 'source-title-in-description',
    about: 'the title of a source is stored as its description',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node) => {
      node.description = node.title
    }),
  },
  {
    name: 'source-deploy-type-kept',
    about: 'an update of a source keeps the deploy type',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node, before) => {
      node.deployType = before.deployType
    }),
  },
  {
    name: 'source-update-late',
    about: 'an update of a source shows with the next one only',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: late(),
  },
]

/** What the last update sent is what this one stores. */
function late(): Mutant['changes'] {
  const waiting = new WeakMap<State, Map<string, unknown>>()
  return askedBody('update-source', (sent, { state, params }) => {
    const bodies = waiting.get(state) ?? new Map<string, unknown>()
    waiting.set(state, bodies)
    const id = params.pipeline_source_id ?? ''
    const before = bodies.get(id) ?? sent
    bodies.set(id, sent)
    return before
  })
}

const presetMutants: readonly Mutant[] = [
  {
    name: 'preset-create-forgotten',
    about: 'a preset alert that is created is not kept',
    kills: ['PRESET-CREATE-MAKES'],
    changes: notApplied('create-preset-alert'),
  },
  {
    name: 'preset-create-nameless',
    about: 'a preset alert is created without its name',
    kills: ['PRESET-CREATE-MAKES'],
    changes: askedBody('create-preset-alert', ({ name: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-not-applied',
    about: 'an update of a preset alert changes nothing',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: notApplied('update-preset-alert'),
  },
  {
    name: 'preset-update-no-channels',
    about: 'an update of a preset alert drops its channels',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: askedBody('update-preset-alert', (sent) => ({ ...sent, channels: [] })),
  },
  {
    name: 'preset-update-hides-channels',
    about: 'a preset alert that was updated is read without its channels',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: askedBody('update-preset-alert', ({ channels: _, ...sent }) => sent),
  },
  {
    name: 'preset-update-no-headers',
    about: 'an update of a preset alert drops the headers of its channels',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: askedBody('update-preset-alert', (sent) => ({
      ...sent,
      channels: ((sent.channels ?? []) as object[]).map((channel) => ({ ...channel, headers: undefined })),
    })),
  },
  {
    name: 'preset-update-keeps-more',
    about: 'an update of a preset alert with fewer channels leaves the others as they are',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      const [now, kept] = [sent.channels, before].map((list): unknown[] => (Array.isArray(list) ? list : []))
      return { ...sent, channels: [...(now ?? []), ...(kept ?? []).slice((now ?? []).length)] }
    }),
  },
  {
    name: 'preset-update-adds-channels',
    about: 'an update of a preset alert adds its channels to those that are there',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: askedBody('update-preset-alert', (sent, { state, params }) => {
      const before = state.presets.get(params.presetId ?? '')?.body.channels
      return { ...sent, channels: [...(Array.isArray(before) ? before : []), ...(sent.channels as object[])] }
    }),
  },
  {
    name: 'preset-delete-not-applied',
    about: 'a deleted preset alert stays',
    kills: ['PRESET-DELETE-REMOVES'],
    changes: notApplied('delete-preset-alert'),
  },
]

const routeMutants: readonly Mutant[] = [
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

const stateMutants: readonly Mutant[] = [
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

const processingMutants: readonly Mutant[] = [
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
    name: 'processing-toggles',
    about: 'each update of the processing status switches over, whatever it says',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: askedBody('update-processing-status', (_, { state, params }) => ({
      processing_status:
        state.pipelines.get(params.pipeline_id ?? '')?.processing === 'disabled' ? 'enabled' : 'disabled',
    })),
  },
]

/** Faults in what updates change and what they leave. */
export const updateMutants: readonly Mutant[] = [
  ...nodeMutants,
  ...presetMutants,
  ...routeMutants,
  ...stateMutants,
  ...processingMutants,
]
