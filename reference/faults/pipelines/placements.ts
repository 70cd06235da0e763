import { invalid } from '../../core/refusal.ts'
import type { PlacedGroup } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied } from '../core/changes.ts'
import { each, type Fault } from '../core/fault.ts'

function lastPlaced(state: State, pipelineId: string | undefined): PlacedGroup | undefined {
  return [...(state.pipelines.get(pipelineId ?? '')?.placedGroups.values() ?? [])].at(-1)
}

const placed = each((change: Parameters<typeof askedBody>[1]) => askedBody('add-group-to-pipeline', change))

/** Faults in how groups are placed and moved to another revision. */
export const placementFaults: readonly Fault[] = [
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
    changes: afterwards(
      'switch-group-revision',
      ({ state, params }) => lastPlaced(state, params.pipeline_id)?.inputs ?? [],
      ({ state, params }, before) => {
        const placed = lastPlaced(state, params.pipeline_id)
        if (placed) placed.inputs = before
      },
    ),
  },
  {
    name: 'revision-inputs-added',
    about: 'a move to another revision adds its inputs to those that are there',
    kills: ['REVISION-INPUTS-SET'],
    changes: afterwards(
      'switch-group-revision',
      ({ state, params }) => lastPlaced(state, params.pipeline_id)?.inputs ?? [],
      ({ state, params }, before) => {
        const placed = lastPlaced(state, params.pipeline_id)
        if (placed) placed.inputs = [...before, ...placed.inputs]
      },
    ),
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
