import { afterwards } from '../core/changes.ts'
import { fades, stays, unchanged, unlisted, written } from '../core/collections.ts'
import type { Fault } from '../core/fault.ts'
import type { Json } from '../core/lines.ts'

/** Faults of what pipelines are made of. */
export const pipelineCollectionFaults: readonly Fault[] = [
  unlisted('pipeline', 'list-pipelines', 'PIPELINE-LIST', 'data'),
  stays('pipeline', 'delete-pipeline', 'PIPELINE-DELETE'),
  unchanged('pipeline', 'update-pipeline', 'PIPELINE-UPDATE'),
  written('pipeline', 'create-pipeline', 'PIPELINE-READ', 'title', 'Pipeline'),
  written('transform', 'create-transform', 'TRANSFORM-READ', 'description', 'other'),
  stays('transform', 'delete-transform', 'TRANSFORM-DELETE'),
  written('source', 'create-source', 'SOURCE-READ', 'title', 'Source'),
  stays('source', 'delete-source', 'SOURCE-DELETE'),
  unlisted('gateway route', 'list-gateway-routes', 'ROUTE-LIST', 'data'),
  written('gateway route', 'create-gateway-route', 'ROUTE-READ', 'legacy_routing', true),
  stays('gateway route', 'delete-gateway-route', 'ROUTE-DELETE'),
  unlisted('group', 'list-groups', 'GROUP-LIST', 'data'),
  written('group', 'create-group-from-pipeline', 'GROUP-READ', 'description', 'other'),
  stays('group', 'delete-group', 'GROUP-DELETE'),
  unlisted('revision', 'list-group-revisions', 'GROUP-REVISIONS', 'data'),
  stays('placed group', 'delete-placed-group', 'PLACEMENT-DELETE'),
  {
    name: 'get-placed-group-fades',
    about: 'the inputs of a placed group are shown once',
    kills: ['PLACEMENT-READ', 'PLACEMENT-PLACES'],
    changes: fades('get-placed-group', (json) => ({ ...json, data: { ...(json.data as Json), inputs: [] } })),
  },
  {
    name: 'get-state-variables-fades',
    about: 'state variables are shown once',
    kills: ['STATEVAR-READ', 'STATEVAR-APPLIES', 'STATEVAR-PARTIAL'],
    changes: fades('get-state-variables', (json) => ({ ...json, data: { ...(json.data as Json), state: {} } })),
  },
  {
    name: 'group-takes-transforms',
    about: 'transforms are moved into a new group, and not copied',
    kills: ['GROUP-CREATE-KEEPS'],
    changes: afterwards(
      'create-group-from-pipeline',
      ({ body: sent }) => sent as Json,
      ({ state }, sent) => {
        const transforms = state.pipelines.get(String(sent.pipeline_id))?.transforms
        for (const id of sent.pipeline_transform_ids as string[]) transforms?.delete(id)
      },
    ),
  },
]
