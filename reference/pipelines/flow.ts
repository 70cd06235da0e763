import type { Group, Node, Pipeline } from '../model/pipelines.ts'
import { demoEvent, type PipelineEvent } from './demo-events.ts'
import { splitOutput } from './edges.ts'
import { type Outgoing, transformationOf } from './transformations.ts'

/** What leaves a component for one event of a source. */
type Leaving = (event: PipelineEvent) => readonly Outgoing[]

interface Network {
  readonly sources: ReadonlyMap<string, Node>
  readonly transforms: ReadonlyMap<string, Node>
  readonly placed: ReadonlyMap<string, { readonly inputs: readonly string[]; readonly transforms: readonly Node[] }>
}

/**
 * The events that leave a component after `after` and up to `until` (milliseconds since the epoch), in the order of
 * their times. `component`: a node, or one output of it. A disabled pipeline carries nothing.
 */
export function* eventsLeaving(
  pipeline: Pipeline,
  groups: ReadonlyMap<string, Group>,
  component: string,
  after: number,
  until: number,
): Generator<PipelineEvent> {
  if (pipeline.processing === 'disabled') return
  const sources = demoSources(pipeline)
  const leaving = leavingOf(component, networkOf(pipeline, groups), new Set())
  for (let time = after + 1; sources.length > 0 && time <= until; time += 1) {
    for (const source of sources) {
      if (time <= source.createdAt) continue
      for (const { event } of leaving(demoEvent(source, time - source.createdAt))) yield event
    }
  }
}

/** The sources that make events; all other kinds wait for senders that a test target does not have. */
export function demoSources(pipeline: Pipeline): Node[] {
  return [...pipeline.sources.values()].filter(({ kind }) => kind === 'demo-logs')
}

function networkOf(pipeline: Pipeline, groups: ReadonlyMap<string, Group>): Network {
  const placed = [...pipeline.placedGroups.values()].map((group) => {
    const revisions = groups.get(group.groupId)?.revisions ?? []
    const transforms = revisions.find(({ id }) => id === group.revisionId)?.transforms ?? []
    return [group.id, { inputs: group.inputs, transforms }] as const
  })
  return { sources: pipeline.sources, transforms: pipeline.transforms, placed: new Map(placed) }
}

// `above`: components on the way here; a component that feeds itself adds nothing the second time.
function leavingOf(component: string, network: Network, above: ReadonlySet<string>): Leaving {
  const { node: id, output } = splitOutput(component) ?? { node: component, output: undefined }
  if (above.has(id)) return () => []
  const all = ofNode(id, network, new Set([...above, id]))
  if (output === undefined) return all
  return (event) => all(event).filter((one) => one.output === output)
}

function ofNode(id: string, network: Network, above: ReadonlySet<string>): Leaving {
  if (network.sources.has(id)) return (event) => (event.source === id ? [{ event, output: undefined }] : [])
  const transform = network.transforms.get(id)
  if (transform) return transformed(transform, fedBy(transform.inputs, network, above))
  const group = network.placed.get(id)
  if (group) return throughGroup(group.transforms, fedBy(group.inputs, network, above))
  return () => []
}

function fedBy(inputs: readonly string[], network: Network, above: ReadonlySet<string>): Leaving {
  const feeds = inputs.map((input) => leavingOf(input, network, above))
  return (event) => feeds.flatMap((feed) => feed(event))
}

function transformed(node: Node, fed: Leaving): Leaving {
  const transformation = transformationOf(node)
  return (event) => fed(event).flatMap((incoming) => transformation(incoming.event))
}

// Transforms of a group without inputs take what the group is fed with; those that feed no other give what leaves it.
function throughGroup(transforms: readonly Node[], fed: Leaving): Leaving {
  if (transforms.length === 0) return fed
  const byId = new Map(transforms.map((node) => [node.id, node]))
  const inside = (component: string, above: ReadonlySet<string>): Leaving => {
    const { node: id, output } = splitOutput(component) ?? { node: component, output: undefined }
    const node = byId.get(id)
    if (!node || above.has(id)) return () => []
    const next = new Set([...above, id])
    const feeds = node.inputs.map((input) => inside(input, next))
    const all = transformed(node, feeds.length === 0 ? fed : (event) => feeds.flatMap((feed) => feed(event)))
    return output === undefined ? all : (event) => all(event).filter((one) => one.output === output)
  }
  const feeding = new Set(transforms.flatMap(({ inputs }) => inputs.map((input) => splitOutput(input)?.node)))
  const last = transforms.filter(({ id }) => !feeding.has(id)).map(({ id }) => inside(id, new Set()))
  return (event) => last.flatMap((leaving) => leaving(event).map((one) => ({ ...one, output: undefined })))
}
