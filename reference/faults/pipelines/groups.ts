import { isPending } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import { bodyOf } from '../../core/route.ts'
import type { Node, PlacedGroup } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, type Json, notApplied, status } from '../core/changes.ts'
import { fades, stays, unchanged, unlisted, written } from '../core/collections.ts'
import { type Changes, each, type Fault } from '../core/fault.ts'

/** Something that is wrong with the copies in a new group. */
function spoiltCopies(spoil: (copy: Node, place: number, copies: readonly Node[]) => Partial<Node>): Fault['changes'] {
  return afterwards(
    'create-group-from-pipeline',
    () => undefined,
    ({ state }) => {
      const revision = [...state.groups.values()].at(-1)?.revisions[0]
      const copies = revision?.transforms ?? []
      if (revision) {
        Object.assign(revision, {
          transforms: copies.map((copy, place) => ({ ...copy, ...spoil(copy, place, copies) })),
        })
      }
    },
  )
}

/** A group holds its transforms as they are now. `shown`: what of them. */
function refers(
  shown: (now: Node, copy: Node) => Partial<Node> = ({ kind, userConfig }) => ({ kind, userConfig }),
): Changes {
  const made = new WeakMap<State, { readonly ids: readonly string[]; readonly copies: readonly Node[] }[]>()
  const noted = afterwards(
    'create-group-from-pipeline',
    ({ body }) => (body as { pipeline_transform_ids: string[] }).pipeline_transform_ids,
    ({ state }, ids) => {
      const copies = [...state.groups.values()].at(-1)?.revisions[0]?.transforms ?? []
      made.set(state, [...(made.get(state) ?? []), { ids, copies }])
    },
  )
  return {
    handlers: {
      ...noted.handlers,
      'update-transform': (inner) => (call) => {
        const reply = inner(call)
        const { state, params } = call
        const id = params.pipeline_transform_id ?? ''
        const now = state.pipelines.get(params.pipeline_id ?? '')?.transforms.get(id)
        for (const { ids, copies } of isPending(reply) ? [] : (made.get(state) ?? [])) {
          const copy = copies[ids.indexOf(id)]
          if (copy && now) Object.assign(copy, shown(now, copy))
        }
        return reply
      },
    },
  }
}

function lastPlaced(state: State, pipelineId: string | undefined): PlacedGroup | undefined {
  return [...(state.pipelines.get(pipelineId ?? '')?.placedGroups.values() ?? [])].at(-1)
}

const placed = each((change: Parameters<typeof askedBody>[1]) => askedBody('add-group-to-pipeline', change))

/** Faults in what groups hold that are made of a pipeline, and in how they are placed and moved to another revision. */
/** Gives a placed group other inputs after it was moved to another revision. */
function inputsAfterMove(inputs: (before: readonly string[], set: readonly string[]) => readonly string[]): Changes {
  return afterwards(
    'switch-group-revision',
    ({ state, params }) => lastPlaced(state, params.pipeline_id)?.inputs ?? [],
    ({ state, params }, before) => {
      const placed = lastPlaced(state, params.pipeline_id)
      if (placed) placed.inputs = inputs(before, placed.inputs)
    },
  )
}

export const groupFaults: readonly Fault[] = [
  {
    name: 'group-created',
    about: 'the creation of a processor group is answered with 201',
    kills: ['GROUP-CREATE-STATUS'],
    changes: status('create-group-from-pipeline', 201),
  },
  {
    name: 'group-copies-newest',
    about: 'a processor group gets copies of the newest transforms of its pipeline, as many as were listed',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = [...(state.pipelines.get(String(sent.pipeline_id))?.transforms.keys() ?? [])]
      const { length } = (sent.pipeline_transform_ids ?? []) as string[]
      return all.length < length ? sent : { ...sent, pipeline_transform_ids: all.slice(all.length - length) }
    }),
  },
  {
    name: 'group-copies-oldest',
    about: 'a processor group gets copies of the oldest transforms of its pipeline, as many as were listed',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = [...(state.pipelines.get(String(sent.pipeline_id))?.transforms.keys() ?? [])]
      const { length } = (sent.pipeline_transform_ids ?? []) as string[]
      return all.length < length ? sent : { ...sent, pipeline_transform_ids: all.slice(0, length) }
    }),
  },
  {
    name: 'group-copies-unconfigured',
    about: 'the copies in a processor group have no configuration',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies(() => ({ userConfig: {} })),
  },
  {
    name: 'group-copies-first-config',
    about: 'the copies in a processor group all have the configuration of the first one',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, _, [first]) => ({ userConfig: first?.userConfig ?? copy.userConfig })),
  },
  {
    name: 'group-copies-first-kind',
    about: 'the copies in a processor group are all of the kind of the first one',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, _, [first]) => ({ kind: first?.kind ?? copy.kind })),
  },
  {
    name: 'group-copies-configs-rotated',
    about: 'each copy in a processor group has the configuration of the one after it',
    kills: ['GROUP-CREATE-COPIES'],
    changes: spoiltCopies((copy, place, copies) => ({
      userConfig: copies[(place + 1) % copies.length]?.userConfig ?? copy.userConfig,
    })),
  },
  {
    name: 'group-first-only',
    about: 'a processor group gets a copy of the first listed transform only',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent) => ({
      ...sent,
      pipeline_transform_ids: (sent.pipeline_transform_ids as string[]).slice(0, 1),
    })),
  },
  {
    name: 'group-whole-pipeline',
    about: 'a processor group gets copies of all transforms of its pipeline',
    kills: ['GROUP-CREATE-COPIES'],
    changes: askedBody('create-group-from-pipeline', (sent, { state }) => {
      const all = state.pipelines.get(String(sent.pipeline_id))?.transforms.keys()
      return all ? { ...sent, pipeline_transform_ids: [...all] } : sent
    }),
  },
  {
    name: 'group-empty',
    about: 'a processor group is created without its transforms',
    kills: ['GROUP-CREATE-COPIES'],
    changes: afterwards(
      'create-group-from-pipeline',
      () => undefined,
      ({ state }) => {
        const revision = [...state.groups.values()].at(-1)?.revisions[0]
        if (revision) Object.assign(revision, { transforms: [] })
      },
    ),
  },
  {
    name: 'group-moves-transforms',
    about: 'a processor group takes the listed transforms out of their pipeline',
    kills: ['GROUP-CREATE-COPIES', 'GROUP-CREATE-KEEPS'],
    changes: afterwards(
      'create-group-from-pipeline',
      () => undefined,
      (call) => {
        const { pipeline_id: id, pipeline_transform_ids: ids } = bodyOf(call)
        for (const one of ids as string[]) call.state.pipelines.get(String(id))?.transforms.delete(one)
      },
    ),
  },
  {
    name: 'group-refers',
    about: 'a processor group shows the transforms that it was made of as they are now',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(),
  },
  {
    name: 'group-refers-fields',
    about: 'a copy in a processor group gains the fields that the configuration of its original gains',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(({ userConfig }, copy) => ({ userConfig: { ...userConfig, ...copy.userConfig } })),
  },
  {
    name: 'group-refers-texts',
    about: 'a processor group shows titles and descriptions of the transforms that it was made of as they are now',
    kills: ['GROUP-CREATE-COPIES'],
    changes: refers(({ title, description }) => ({ title, description })),
  },
  placed('placement-first-input', 'PLACEMENT-PLACES', 'a group is placed with the first of several inputs', (sent) => ({
    ...sent,
    inputs: Array.isArray(sent.inputs) ? sent.inputs.slice(0, 1) : sent.inputs,
  })),
  {
    name: 'placement-forgotten',
    about: 'a group that is placed in a pipeline does not stay there',
    kills: ['PLACEMENT-PLACES'],
    changes: notApplied('add-group-to-pipeline'),
  },
  placed(
    'placement-no-inputs',
    'PLACEMENT-PLACES',
    'a group is placed without its inputs',
    ({ inputs: _, ...sent }) => sent,
  ),
  placed('placement-deploy-type-fixed', 'PLACEMENT-READ', 'a group is placed as saas whatever is sent', (sent) => ({
    ...sent,
    deploy_type: 'saas',
  })),
  placed('placement-fed-twice', 'PLACEMENT-PLACES', 'a placed group is fed from each input twice', (sent) => {
    const inputs = (sent.inputs ?? []) as string[]
    return { ...sent, inputs: [...inputs, ...inputs] }
  }),
  {
    name: 'revision-not-moved',
    about: 'a placed group stays at its revision',
    kills: ['REVISION-MOVES'],
    changes: askedBody('switch-group-revision', ({ transform_group_revision_id: _, ...sent }) => sent),
  },
  {
    name: 'revision-latest',
    about: 'a placed group moves to the latest revision whatever is sent',
    kills: ['REVISION-MOVES'],
    changes: askedBody('switch-group-revision', (sent, { state, params }) => {
      const placed = state.pipelines
        .get(params.pipeline_id ?? '')
        ?.placedGroups.get(params.pipeline_transform_group_id ?? '')
      const latest = state.groups.get(placed?.groupId ?? '')?.revisions.at(-1)?.id
      return latest === undefined ? sent : { ...sent, transform_group_revision_id: latest }
    }),
  },
  {
    name: 'revision-inputs-dropped',
    about: 'a move to another revision unsets the inputs',
    kills: ['REVISION-INPUTS-SET'],
    changes: askedBody('switch-group-revision', ({ inputs: _, ...sent }) => sent),
  },
  {
    name: 'revision-inputs-kept',
    about: 'a move to another revision keeps the inputs',
    kills: ['REVISION-INPUTS-SET'],
    changes: inputsAfterMove((before) => before),
  },
  {
    name: 'revision-inputs-added',
    about: 'a move to another revision adds its inputs to those that are there',
    kills: ['REVISION-INPUTS-SET'],
    changes: inputsAfterMove((before, set) => [...before, ...set]),
  },
  {
    name: 'placement-of-others-only',
    about: 'a group that was created from a pipeline cannot be placed',
    kills: ['PLACEMENT-OF-PROCESSOR-GROUP'],
    withheld: true,
    changes: askedBody('add-group-to-pipeline', () => {
      throw invalid('/transform_group_id', 'is the id of a processor group')
    }),
  },
]

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
