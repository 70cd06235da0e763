import { Refusal } from '../core/refusal.ts'
import type { Group, Node, Pipeline } from '../model/pipelines.ts'
import { type Condition, compileConditional, fieldPath, valueAt } from './conditional.ts'
import { splitOutput } from './lookup.ts'

/** An event as pipelines carry it. */
export type PipelineEvent = Readonly<Record<string, unknown>>

const LEVELS = ['info', 'debug', 'warn', 'info', 'error'] as const
const METHODS = ['GET', 'POST', 'GET', 'PUT', 'DELETE', 'GET'] as const
const STATUSES = [200, 201, 200, 404, 500, 200, 304] as const

/**
 * The nth event of a demo source, n from 1: one a millisecond, counted from the creation of the source. It depends on
 * nothing else, so that events need neither a timer nor a store.
 */
function demoEvent(source: { readonly id: string; readonly createdAt: number }, n: number): PipelineEvent {
  const method = METHODS[n % METHODS.length]
  const status = STATUSES[n % STATUSES.length]
  const path = `/items/${n % 97}`
  return {
    id: `${source.id}:${n}`,
    source: source.id,
    number: n,
    timestamp: source.createdAt + n,
    level: LEVELS[n % LEVELS.length],
    host: `demo-host-${n % 3}`,
    app: `demo-app-${n % 4}`,
    ip: `192.0.2.${n % 256}`,
    method,
    path,
    status,
    duration_ms: (n * 7) % 1000,
    message: `${method} ${path} answered ${status}`,
  }
}

/** An event on its way out of a transform; `output` is set where the transform has several. */
interface Outgoing {
  readonly event: PipelineEvent
  readonly output: string | undefined
}

/** What a transform makes of one event: nothing where it drops it. */
type Transformation = (event: PipelineEvent) => readonly Outgoing[]

/** Output of a route for events that no condition selects. */
const UNMATCHED = '_unmatched'

const pass: Transformation = (event) => [{ event, output: undefined }]

type Config = Readonly<Record<string, unknown>>

/**
 * The kinds that drop, divide or change events as their `user_config` says. All other kinds, and these where the
 * configuration is not of the known form, hand every event on as it is.
 */
const KINDS: Readonly<Record<string, (config: Config) => Transformation>> = {
  filter: ({ action, conditional }) => {
    const holds = compileConditional(conditional, '')
    const keep = action !== 'drop'
    return (event) => (holds(event) === keep ? pass(event) : [])
  },
  sample: ({ rate }) => {
    const every = wholeNumber(rate)
    return (event) => (Number(event.number) % every === 0 ? pass(event) : [])
  },
  throttle: ({ threshold, window_ms: window }) => {
    const [most, width] = [wholeNumber(threshold), wholeNumber(window)]
    return (event) => (Number(event.timestamp) % width < most ? pass(event) : [])
  },
  'drop-fields': ({ fields }) => {
    const names = new Set(names_(fields))
    return (event) => pass(Object.fromEntries(Object.entries(event).filter(([name]) => !names.has(name))))
  },
  'map-fields': ({ mappings }) => {
    const moves = (Array.isArray(mappings) ? mappings : []).map((mapping: Config) => ({
      from: fieldPath(String(mapping.source_field)),
      to: fieldPath(String(mapping.target_field)).join('.'),
      drop: mapping.drop_source === true,
      overwrite: mapping.overwrite_target === true,
    }))
    return (event) => {
      const changed: Record<string, unknown> = { ...event }
      for (const { from, to, drop, overwrite } of moves) {
        const value = valueAt(changed, from)
        if (value !== undefined && (overwrite || !Object.hasOwn(changed, to))) changed[to] = value
        if (drop) delete changed[from.join('.')]
      }
      return pass(changed)
    }
  },
  route: ({ conditionals }) => {
    const branches = (Array.isArray(conditionals) ? conditionals : []).map(
      (branch: Config): readonly [string, Condition] => [
        String(branch.label),
        compileConditional(branch.conditional, ''),
      ],
    )
    return (event) => {
      const taken = branches.filter(([, holds]) => holds(event)).map(([output]) => ({ event, output }))
      return taken.length > 0 ? taken : [{ event, output: UNMATCHED }]
    }
  },
}

/** What the transform does to events. */
function transformationOf(node: Pick<Node, 'kind' | 'userConfig'>): Transformation {
  const make = Object.hasOwn(KINDS, node.kind) ? KINDS[node.kind] : undefined
  if (!make) return pass
  try {
    return make(node.userConfig)
  } catch (error) {
    if (error instanceof Refusal) return pass
    throw error
  }
}

/** The names of a transform's outputs; none where it has a single one. */
export function outputsOf(node: Pick<Node, 'kind' | 'userConfig'>): string[] {
  const { conditionals } = node.userConfig
  if (node.kind !== 'route' || !Array.isArray(conditionals)) return []
  return [...conditionals.map((branch: Config) => String(branch?.label)), UNMATCHED]
}

function names_(fields: unknown): string[] {
  return (Array.isArray(fields) ? fields : []).map((field) => fieldPath(String(field)).join('.'))
}

// 1 where it is no positive whole number: a sample of one in one, which is all.
function wholeNumber(value: unknown): number {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : 1
}

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
