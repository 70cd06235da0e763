import { specifiedOperations } from '../../schemas/operations.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call } from '../core/route.ts'
import type { PlacedGroup } from '../model/pipelines.ts'
import type { State } from '../model/state.ts'
import { afterwards, asked, askedBody, body, notApplied, rule, success } from './core/changes.ts'
import type { Fault } from './core/fault.ts'
import { standIn } from './core/repair.ts'

type Json = Readonly<Record<string, unknown>>

/** Operations of the specification whose requests have a body. */
const WITH_BODY = specifiedOperations().flatMap(({ id, request }) => (request === undefined ? [] : [id]))

const groupFaults: readonly Fault[] = [
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
]

function lastPlaced(state: State, pipelineId: string | undefined): PlacedGroup | undefined {
  return [...(state.pipelines.get(pipelineId ?? '')?.placedGroups.values() ?? [])].at(-1)
}

const placementFaults: readonly Fault[] = [
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
]

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

const bodyFaults: readonly Fault[] = [
  {
    name: 'transform-kind-unchecked',
    about: 'a transform is given any kind',
    kills: ['NODE-TRANSFORM-KIND'],
    changes: rule('node', '/$defs/transform_kind', ({ enum: _, ...kind }) => kind),
  },
  {
    name: 'source-kind-unchecked',
    about: 'a source is given any kind',
    kills: ['NODE-SOURCE-KIND'],
    changes: rule('node', '/$defs/source_kind', ({ enum: _, ...kind }) => kind),
  },
  {
    name: 'transform-kind-missing',
    about: 'a transform cannot be of the kind trace-sampling',
    kills: ['NODE-TRANSFORM-KIND-ACCEPTED'],
    changes: rule('node', '/$defs/transform_kind', (kind) => ({ ...kind, enum: kind.enum?.slice(0, -1) ?? [] })),
  },
  {
    name: 'source-kind-missing',
    about: 'a source cannot be of the kind open-telemetry-traces',
    kills: ['NODE-SOURCE-KIND-ACCEPTED'],
    changes: rule('node', '/$defs/source_kind', (kind) => ({ ...kind, enum: kind.enum?.slice(0, -1) ?? [] })),
  },
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
]

/** The body that was sent; where it is no JSON one that says no more than it has to. */
function leniently({ request, state }: Call, operation: string): unknown {
  try {
    return JSON.parse(Buffer.from(request.body).toString())
  } catch {
    return standIn(operation, {}, state)
  }
}

/** The events in the answer of a tap. */
function events(change: (events: readonly unknown[], data: Json) => readonly unknown[]): Fault['changes'] {
  return body('start-tap', (json) => {
    const data = json.data as Json
    return { ...json, data: { ...data, events: change(data.events as unknown[], data) } }
  })
}

const tapFaults: readonly Fault[] = [
  {
    name: 'tap-one-more',
    about: 'a tap returns one event more than was asked for',
    kills: ['TAP-LIMIT'],
    changes: events((list) => [...list, ...list.slice(0, 1)]),
  },
  {
    name: 'tap-limit-ignored',
    about: 'a tap returns ten events whatever is asked for',
    kills: ['TAP-LIMIT'],
    changes: askedBody('start-tap', (sent) => ({ ...sent, limit: 10 })),
  },
  {
    name: 'tap-limit-two',
    about: 'a tap returns at least two events',
    kills: ['TAP-LIMIT'],
    changes: askedBody('start-tap', (sent) => ({ ...sent, limit: Math.max(2, Number(sent.limit)) })),
  },
  {
    name: 'tap-timeout-ignored',
    about: 'a tap waits for 14 seconds whatever is asked for',
    kills: ['TAP-TIMEOUT'],
    changes: askedBody('start-tap', (sent) => ({ ...sent, timeout: 14 })),
  },
  {
    name: 'tap-filter-ignored',
    about: 'a tap does not look at its filter',
    kills: ['TAP-FILTER'],
    changes: askedBody('start-tap', ({ filter: _, ...sent }) => sent),
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
  {
    name: 'tap-edge-ignored',
    about: 'a tap does not look at its edge',
    kills: ['TAP-EDGE'],
    changes: askedBody('start-tap', ({ edge_id: _, ...sent }) => sent),
  },
  {
    name: 'tap-edge-needed',
    about: 'a tap without an edge is refused',
    kills: ['TAP-EDGE-OPTIONAL'],
    changes: askedBody('start-tap', (sent) => {
      if (sent.edge_id === undefined) throw invalid('/edge_id', 'must be there')
      return sent
    }),
  },
  {
    name: 'tap-component-unchecked',
    about: 'a tap takes a component that begins with a dot for the first source',
    kills: ['TAP-COMPONENT-PATTERN'],
    changes: {
      handlers: {
        'start-tap': (inner) => (call) => {
          const sources = call.state.pipelines.get(call.params.pipeline_id ?? '')?.sources.keys()
          const [first] = sources ?? []
          const strange = !/^([^.]+)(?:\.(.+))?$/s.test(call.params.component_id ?? '')
          return inner(
            strange && first !== undefined ? { ...call, params: { ...call.params, component_id: first } } : call,
          )
        },
      },
    },
  },
  {
    name: 'tap-empty-answer',
    about: 'a tap is answered with 204',
    kills: ['TAP-STATUS'],
    changes: success('start-tap', () => ({ status: 204 })),
  },
]

/** Faults in groups, placements, taps and bodies of pipeline operations. */
export const pipelineFaults: readonly Fault[] = [...groupFaults, ...placementFaults, ...bodyFaults, ...tapFaults]
