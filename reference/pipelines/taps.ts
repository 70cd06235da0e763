import type { Reply } from '../core/message.ts'
import { invalid, notFound } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Pipeline } from '../model/pipelines.ts'
import { type Condition, compileConditional } from './conditional.ts'
import { demoSources, eventsLeaving, outputsOf, type PipelineEvent } from './flow.ts'
import { edgesOf, pipelineOf, splitOutput } from './lookup.ts'
import { wrapped } from './views.ts'

const DEFAULT_LIMIT = 10
const DEFAULT_TIMEOUT = 5
/** milliseconds between two looks at what has happened, at most */
const LONGEST_STEP = 100

interface Tap {
  readonly pipelineId: string
  readonly component: string
  /** what the events have to leave: the component, or the one output of it that the edge starts from */
  readonly from: string | undefined
  readonly edge: string | undefined
  readonly limit: number
  readonly matches: Condition
  /** milliseconds since the epoch */
  readonly deadline: number
}

/** Rule 4: waits for events that leave the component from now on, up to `limit` of them or `timeout` seconds. */
const start: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const body = bodyOf(call)
  const component = componentOf(call, pipeline)
  const edge = body.edge_id === undefined ? undefined : String(body.edge_id)
  const began = call.env.now()
  const tap: Tap = {
    pipelineId: pipeline.id,
    component,
    from: edge === undefined ? component : edgeStart(pipeline, component, edge),
    edge,
    limit: Number(body.limit ?? DEFAULT_LIMIT),
    matches: body.filter === undefined ? () => true : compileConditional(body.filter, '/filter'),
    deadline: began + 1000 * Number(body.timeout ?? DEFAULT_TIMEOUT),
  }
  return step(call, tap, [], began, 1)
}

// Looks at the events since `after`; where they do not suffice, looks again after a while that grows.
function step(call: Call, tap: Tap, seen: readonly PipelineEvent[], after: number, wait: number): Reply {
  const now = Math.min(call.env.now(), tap.deadline)
  const pipeline = call.state.pipelines.get(tap.pipelineId)
  const events = [...seen]
  if (pipeline && tap.from !== undefined) {
    for (const event of eventsLeaving(pipeline, call.state.groups, tap.from, after, now)) {
      if (events.length === tap.limit) break
      if (tap.matches(event)) events.push(event)
    }
  }
  if (!pipeline || events.length === tap.limit || now >= tap.deadline) return answer(tap, events)
  const soonest = Math.ceil((tap.limit - events.length) / Math.max(1, demoSources(pipeline).length))
  const pause = Math.min(LONGEST_STEP, Math.max(soonest, wait))
  return {
    resumeAt: Math.min(now + pause, tap.deadline),
    resume: () => step(call, tap, events, Math.max(after, now), wait * 2),
  }
}

function answer(tap: Tap, events: readonly PipelineEvent[]): Reply {
  return wrapped('tap', {
    component_id: tap.component,
    ...(tap.edge === undefined ? {} : { edge_id: tap.edge }),
    timed_out: events.length < tap.limit,
    events: events.map((event) => ({ id: event.id, timestamp: event.timestamp, event })),
  })
}

function componentOf(call: Call, pipeline: Pipeline): string {
  const component = param(call, 'component_id')
  const violations = call.env.validator.violations('parameters#component_id', component)
  if (violations.length > 0) throw invalid('component_id', 'must be a component id, or one and its output')
  const { node, output } = splitOutput(component) ?? { node: component, output: undefined }
  const transform = pipeline.transforms.get(node)
  const known = transform ?? pipeline.sources.get(node) ?? pipeline.placedGroups.get(node)
  const outputs = transform ? outputsOf(transform) : []
  if (!known || (output !== undefined && !outputs.includes(output))) {
    throw notFound(`there is no component ${component} in the pipeline`)
  }
  return component
}

// An edge that is not there, or starts elsewhere, is one that no event of the component passes.
function edgeStart(pipeline: Pipeline, component: string, edge: string): string | undefined {
  const found = edgesOf(pipeline).find(({ id }) => id === edge)
  return found && (found.from === component || splitOutput(found.from)?.node === component) ? found.from : undefined
}

const v3 = family('v3', 'v3')

export const tapRoutes: readonly Route[] = [
  v3('start-tap', 'POST', '/v3/pipeline/{pipeline_id}/tap/{component_id}', start, 'tap-request'),
]
