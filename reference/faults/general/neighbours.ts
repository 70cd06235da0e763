import { bodyOf, type Call } from '../../core/route.ts'
import type { Document } from '../../model/configuration.ts'
import type { Node } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

type Sent = Readonly<Record<string, unknown>>

/** What is wrong with the others once an operation was carried out on one. */
function beside(operation: string, spoil: (call: Call) => void): Changes {
  return afterwards(operation, () => undefined, spoil)
}

/** An update of a node gives its title to the others of its pipeline. */
function titled(word: 'transform' | 'source'): Fault {
  return {
    name: `${word}-update-titles-others`,
    about: `an update of a ${word} gives its title to every other ${word} of the pipeline`,
    kills: [`${word.toUpperCase()}-UPDATE-REPLACES`],
    changes: beside(`update-${word}`, ({ state, params, body }) => {
      const nodes = state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`] ?? new Map<string, Node>()
      for (const node of nodes.values()) node.title = String((body as Sent).title ?? node.title)
    }),
  }
}

/** A deletion takes along another thing of the kind, the one that was made last. */
function takesAnother(
  word: string,
  operation: string,
  requirement: string,
  of: (state: State) => Map<string, unknown>,
  spared: (thing: unknown) => boolean = () => false,
): Fault {
  return {
    name: `${operation}-takes-another`,
    about: `the removal of a ${word} removes another one as well`,
    kills: [requirement],
    changes: beside(operation, ({ state }) => {
      const things = of(state)
      const other = [...things].findLast(([, thing]) => !spared(thing))
      if (other) things.delete(other[0])
    }),
  }
}

/** Faults that reach another thing than the one that a request names. */
export const neighbourFaults: readonly Fault[] = [
  titled('transform'),
  titled('source'),
  {
    name: 'preset-update-reaches-others',
    about: 'an update of a preset alert gives its name to every other one',
    kills: ['PRESET-UPDATE-APPLIES'],
    changes: beside('update-preset-alert', ({ state, body }) => {
      for (const preset of state.presets.values() as Iterable<Document>)
        preset.body = { ...preset.body, name: (body as Sent).name }
    }),
  },
  {
    name: 'route-patch-reaches-others',
    about: 'a patch of a gateway route gives its title to every other one',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: beside('update-gateway-route', (call) => {
      const { title } = bodyOf(call)
      if (typeof title === 'string') for (const route of call.state.gatewayRoutes.values()) route.title = title
    }),
  },
  {
    name: 'state-shared',
    about: 'state variables are those of all pipelines',
    kills: ['STATEVAR-APPLIES'],
    changes: beside('update-state-variables', (call) => {
      const sent = bodyOf(call).state as Sent
      for (const { stateVariables } of call.state.pipelines.values())
        stateVariables.state = { ...stateVariables.state, ...sent }
    }),
  },
  {
    name: 'revision-switch-reaches-others',
    about: 'a placed group takes along every other placement of its group when it is moved',
    kills: ['REVISION-MOVES'],
    changes: beside('switch-group-revision', ({ state, params }) => {
      const placed = state.pipelines.get(params.pipeline_id ?? '')?.placedGroups
      const moved = placed?.get(params.pipeline_transform_group_id ?? '')
      for (const other of placed?.values() ?? [])
        if (moved && other.groupId === moved.groupId) other.revisionId = moved.revisionId
    }),
  },
  {
    name: 'processing-switch-reaches-others',
    about: 'a switch of the processing status is one of all pipelines',
    kills: ['PROCESSING-STATUS-SWITCHES'],
    changes: beside('update-processing-status', ({ state, params }) => {
      const { processing } = state.pipelines.get(params.pipeline_id ?? '') ?? {}
      if (processing !== undefined) for (const pipeline of state.pipelines.values()) pipeline.processing = processing
    }),
  },
  takesAnother(
    'member',
    'delete-member',
    'MEMBER-DELETE-REMOVES',
    ({ members }) => members,
    (member) => (member as { role: string }).role === 'owner',
  ),
  takesAnother('exclusion rule', 'delete-exclusion', 'EXCLUSION-DELETE-REMOVES', ({ exclusions }) => exclusions),
  takesAnother('screen', 'delete-screen', 'SCREEN-DELETE-REMOVES', ({ screens }) => screens),
]
