import { invalid, notFound, Refusal } from '../../core/refusal.ts'
import { bodyOf, type Call, param } from '../../core/route.ts'
import { askedBody, demands, named } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { things, within } from '../../model/state.ts'
import { type Variant, variant } from '../core/variant.ts'

/** The state variables that a request names and that are not there. */
function unknownVariables(call: Call): string[] {
  const { state } = bodyOf<{ state: object }>(call)
  const known = named(call, 'state-variables')?.body.state ?? {}
  return Object.keys(state ?? {}).filter((name) => !(name in (known as object)))
}

/** Operations by which something comes to stand in a pipeline, or is made of one. */
const DEPLOYED =
  'create-transform create-source update-transform update-source add-group-to-pipeline create-group-from-pipeline'

/** Looks at the deploy type of what a pipeline gets, beside its own. */
function deployed(check: (sent: unknown, pipeline: unknown) => void): Changes {
  return demands(DEPLOYED, (call) => {
    const { deploy_type: sent, pipeline_id: id = call.params.pipeline_id } = bodyOf(call)
    const pipeline = things(call.state, 'pipeline').get(String(id))
    if (sent !== undefined && pipeline) check(sent, pipeline.body.deploy_type)
  })
}

/** What parts of pipelines are made of and switched to, refused where other targets take it. */
export const pipelineDemandVariants: readonly Variant[] = [
  variant('stale-generation-refused', 'an update of a node with another than its newest generation is refused', () =>
    demands('update-transform update-source', (call) => {
      const { generation_id: now } = (named(call, 'transform') ?? named(call, 'source'))?.body ?? {}
      const sent = bodyOf(call).generation_id
      if (now !== undefined && sent !== undefined && sent !== now)
        throw new Refusal('Conflict', 'somebody else was faster')
    }),
  ),
  variant('deploy-type-of-pipeline', 'what stands in a pipeline has its deploy type; another one is refused', () =>
    deployed((sent, pipeline) => {
      if (sent !== pipeline) throw invalid('/deploy_type', 'is not that of the pipeline')
    }),
  ),
  variant('tap-fewer-events', 'a tap returns half of what was asked for', () =>
    askedBody('start-tap', (sent) => ({ ...sent, limit: Math.ceil(Number(sent.limit) / 2) })),
  ),
  variant('tap-of-nothing-empty', 'a tap of a component that is not there is carried out, and finds no events', () => ({
    handlers: {
      'start-tap': (inner) => (call) => {
        try {
          return inner(call)
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error
          return { status: 200, json: { data: { events: [] } } }
        }
      },
    },
  })),
  variant('ten-pipelines', 'an account has at most ten pipelines', () =>
    demands('create-pipeline', ({ state }) => {
      if (things(state, 'pipeline').size >= 10) throw new Refusal('Conflict', 'there are ten pipelines already')
    }),
  ),
  variant(
    'patch-busy',
    'the first two changes of a gateway route are refused with 409, as another one is in progress',
    () => {
      const counts = new Map<string, number>()
      return demands('update-gateway-route', (call) => {
        const id = param(call, 'gateway_route_id')
        const count = (counts.get(id) ?? 0) + 1
        counts.set(id, count)
        if (count <= 2) throw new Refusal('Conflict', 'another change is in progress')
      })
    },
  ),
  variant('group-placed-once', 'a pipeline takes a transform group once', () =>
    demands('add-group-to-pipeline', (call) => {
      const placed = within(call.state, 'placed-group', call.params.pipeline_id)
      const { transform_group_id } = bodyOf(call)
      if (placed.some(({ body }) => body.transform_group_id === transform_group_id))
        throw new Refusal('Conflict', 'the group is in the pipeline already')
    }),
  ),
  variant('state-known-only', 'state variables that do not exist yet are not found', () =>
    demands('update-state-variables', (call) => {
      if (unknownVariables(call).length > 0) throw notFound('there is no such variable')
    }),
  ),
  variant('state-known-some', 'state variables have to exist, and at least one has to be named', () =>
    demands('update-state-variables', (call) => {
      if (unknownVariables(call).length > 0) throw notFound('there is no such variable')
      if (Object.keys(bodyOf<{ state: object }>(call).state ?? {}).length === 0)
        throw invalid('/state', 'must name a variable')
    }),
  ),
  variant('status-of-published', 'a pipeline is enabled and disabled once it is published', () =>
    demands('update-processing-status', (call) => {
      if (named(call, 'pipeline')?.body.published_at === null)
        throw new Refusal('Conflict', 'the pipeline is not published')
    }),
  ),
  variant('signing-key-once', 'a gateway route takes one signing key', () =>
    demands('add-signing-key', (call) => {
      const { signing_keys: keys } = named(call, 'gateway-route')?.body ?? {}
      if (Array.isArray(keys) && keys.length > 0) throw new Refusal('Conflict', 'it is so already')
    }),
  ),
  variant('switch-once', 'a second enable in a row is refused, and so is a second disable', () =>
    demands('update-processing-status', (call) => {
      const pipeline = named(call, 'pipeline')
      if (pipeline && pipeline.body.processing_status === bodyOf(call).processing_status)
        throw new Refusal('Conflict', 'it is so already')
    }),
  ),
]
