import { invalid, notFound, Refusal } from '../../core/refusal.ts'
import { bodyOf, type Call, param } from '../../core/route.ts'
import { demands, handler, named, refused } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { things, within } from '../../model/state.ts'
import type { CodedVariants } from '../core/variant.ts'

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

function conflictWhere(operations: string, isSo: (call: Call) => unknown): () => Changes {
  return () => refused(operations, (call) => isSo(call) === true, 'Conflict')
}

/** Whether an update of a node names another generation than its newest. */
function isStale(call: Call): boolean {
  const { generation_id: now } = (named(call, 'transform') ?? named(call, 'source'))?.body ?? {}
  const sent = bodyOf(call).generation_id
  return now !== undefined && sent !== undefined && sent !== now
}

/** A tap of a component that is not there is carried out, and finds no events. */
function ofNothing(): Changes {
  return handler('start-tap', (inner) => (call) => {
    try {
      return inner(call)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error
      return { status: 200, json: { data: { events: [] } } }
    }
  })
}

/** The first two changes of a gateway route are refused. */
function busy(): Changes {
  const counts = new Map<string, number>()
  const isBusy = (call: Call): boolean => {
    const id = param(call, 'gateway_route_id')
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count <= 2
  }
  return refused('update-gateway-route', isBusy, 'Conflict')
}

/** What parts of pipelines are made of and switched to, refused where other targets take it. */
export const pipelineDemandVariants: CodedVariants = {
  'stale-generation-refused': conflictWhere('update-transform update-source', isStale),
  'deploy-type-of-pipeline': () =>
    deployed((sent, pipeline) => {
      if (sent !== pipeline) throw invalid('/deploy_type', 'is not that of the pipeline')
    }),
  'tap-of-nothing-empty': ofNothing,
  'ten-pipelines': conflictWhere('create-pipeline', ({ state }) => things(state, 'pipeline').size >= 10),
  'patch-busy': busy,
  'group-placed-once': conflictWhere('add-group-to-pipeline', (call) => {
    const placed = within(call.state, 'placed-group', call.params.pipeline_id)
    return placed.some(({ body }) => body.transform_group_id === bodyOf(call).transform_group_id)
  }),
  'state-known-only': () => refused('update-state-variables', (call) => unknownVariables(call).length > 0, 'NotFound'),
  'state-known-some': () =>
    demands('update-state-variables', (call) => {
      if (unknownVariables(call).length > 0) throw notFound('there is no such variable')
      if (Object.keys(bodyOf<{ state: object }>(call).state ?? {}).length === 0)
        throw invalid('/state', 'must name a variable')
    }),
  'switch-once': conflictWhere('update-processing-status', (call) => {
    return named(call, 'pipeline')?.body.processing_status === bodyOf(call).processing_status
  }),
}
