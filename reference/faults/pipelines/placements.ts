import { invalid } from '../../core/refusal.ts'
import type { PlacedGroup } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

function lastPlaced(state: State, pipelineId: string | undefined): PlacedGroup | undefined {
  return [...(state.pipelines.get(pipelineId ?? '')?.placedGroups.values() ?? [])].at(-1)
}

/** Faults in how groups are placed and moved to another revision. */
export const placementFaults: readonly Fault[] = [
  {
    name: 'placement-first-input',
    about: 'a group is placed with the first of several inputs',
    kills: ['PLACEMENT-PLACES'],
    changes: askedBody('add-group-to-pipeline', (sent) => ({
      ...sent,
      inputs: Array.isArray(sent.inputs) ? sent.inputs.slice(0, 1) : sent.inputs,
    })),
  },
  {
    name: 'placement-forgotten',
    about: 'a group that is placed in a pipeline does not stay there',
    kills: ['PLACEMENT-PLACES'],
    changes: notApplied('add-group-to-pipeline'),
  },
  {
    name: 'placement-no-inputs',
    about: 'a group is placed without its inputs',
    kills: ['PLACEMENT-PLACES'],
    changes: askedBody('add-group-to-pipeline', ({ inputs: _, ...sent }) => sent),
  },
  {
    name: 'placement-deploy-type-fixed',
    about: 'a group is placed as saas whatever is sent',
    kills: ['PLACEMENT-READ'],
    changes: askedBody('add-group-to-pipeline', (sent) => ({ ...sent, deploy_type: 'saas' })),
  },
  {
    name: 'placement-fed-twice',
    about: 'a placed group is fed from each input twice',
    kills: ['PLACEMENT-PLACES'],
    changes: askedBody('add-group-to-pipeline', (sent) => {
      const inputs = (sent.inputs ?? []) as string[]
      return { ...sent, inputs: [...inputs, ...inputs] }
    }),
  },
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
