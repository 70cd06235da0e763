import { invalid, notFound } from '../core/refusal.ts'
import { bodyOf, type Call, type Handler, param, type Reply } from '../core/route.ts'
import { found, wrapped } from '../core/things.ts'
import type { Fields, State, Thing } from '../model/state.ts'
import { componentIn, edgesOf, inputsOf, nodeIn } from './kinds.ts'

const DEFAULT_LIMIT = 10
const DEFAULT_TIMEOUT = 5
/** milliseconds between two looks at what has happened, at most */
const LONGEST_STEP = 100

type Condition = (event: Fields) => boolean

interface Tap {
  readonly pipelineId: string
  readonly component: string
  /** what the events have to leave: the node, unless an edge is named that starts elsewhere */
  readonly from: string | undefined
  readonly limit: number
  readonly matches: Condition
  /** milliseconds since the epoch */
  readonly deadline: number
}

/** Rule 4: waits for events that leave the component from now on, up to `limit` of them or `timeout` seconds. */
export const startTap: Handler = (call) => {
  const pipeline = found(call, 'pipeline', param(call, 'pipeline_id'))
  const component = param(call, 'component_id')
  if (call.env.validator.violations('parameters#component_id', component).length > 0)
    throw invalid('component_id', 'must be a component id, or one and its output')
  const node = nodeIn(component)
  const known = componentIn(call.state, pipeline.id, node)
  // Of all nodes routes alone have outputs of their own.
  if (!known || (component !== node && known.body.type !== 'route'))
    throw notFound(`there is no component ${component} in the pipeline`)
  const { edge_id: edge, filter, limit = DEFAULT_LIMIT, timeout = DEFAULT_TIMEOUT } = bodyOf(call)
  // An edge that is not there, or starts elsewhere, is one that no event of the component passes.
  const passes = (one: { id: string; from: string }): boolean => one.id === edge && nodeIn(one.from) === node
  const began = call.env.now()
  const tap: Tap = {
    pipelineId: pipeline.id,
    component,
    from: edge === undefined || edgesOf(call.state, pipeline.id).some(passes) ? node : undefined,
    limit: Number(limit),
    matches: filter === undefined ? () => true : conditionOf(filter),
    deadline: began + 1000 * Number(timeout),
  }
  return step(call, tap, [], began, 1)
}

// Looks at the events since `after`; where they do not suffice, looks again after a while that grows.
function step(call: Call, tap: Tap, seen: readonly Fields[], after: number, wait: number): Reply {
  const now = Math.min(call.env.now(), tap.deadline)
  const events = [...seen]
  for (const event of eventsLeaving(call.state, tap, after, now)) {
    if (events.length === tap.limit) break
    if (tap.matches(event)) events.push(event)
  }
  if (events.length === tap.limit || now >= tap.deadline) {
    return wrapped('tap', {
      component_id: tap.component,
      timed_out: events.length < tap.limit,
      events: events.map((event) => ({ id: event.id, timestamp: event.timestamp, event })),
    })
  }
  const pause = Math.min(LONGEST_STEP, Math.max(tap.limit - events.length, wait))
  return {
    resumeAt: Math.min(now + pause, tap.deadline),
    resume: () => step(call, tap, events, Math.max(after, now), wait * 2),
  }
}

/**
 * The events that leave a node after `after` and up to `until`, in the order of their times. They are those of the demo
 * sources that feed it, one a millisecond each. No node drops or changes any. A disabled pipeline carries nothing.
 */
function* eventsLeaving(state: State, { pipelineId, from }: Tap, after: number, until: number): Generator<Fields> {
  const pipeline = state.things.get('pipeline')?.get(pipelineId)
  if (from === undefined || pipeline?.body.processing_status !== 'enabled') return
  const sources = feeding(state, pipelineId, from, new Set())
  for (let time = after + 1; sources.length > 0 && time <= until; time += 1) {
    for (const source of sources) {
      const number = time - Date.parse(String(source.body.created_at))
      if (number > 0) yield demoEvent(source.id, number, time)
    }
  }
}

/** The demo sources that feed a node. All other kinds wait for senders that a test target does not have. */
function feeding(state: State, pipeline: string, node: string, seen: Set<string>): Thing[] {
  const thing = componentIn(state, pipeline, node)
  if (!thing || seen.has(node)) return []
  seen.add(node)
  if (thing.body.type === 'demo-logs') return [thing]
  return inputsOf(thing).flatMap((input) => feeding(state, pipeline, nodeIn(input), seen))
}

const LEVELS = ['info', 'debug', 'warn', 'info', 'error'] as const

/** It depends on nothing else, so that events need neither a timer nor a store. */
function demoEvent(source: string, number: number, timestamp: number): Fields {
  const message = `GET /items/${number % 97} answered 200`
  return { id: `${source}:${number}`, source, number, timestamp, level: LEVELS[number % LEVELS.length], message }
}

/** A filter: expressions that all have to hold. Throws a Refusal (400) where one cannot be understood. */
function conditionOf(filter: unknown): Condition {
  const { expressions, logical_operation: operation = 'AND' } = (filter ?? {}) as Fields
  if (!Array.isArray(expressions)) throw invalid('/filter/expressions', 'must be an array')
  if (operation !== 'AND') throw invalid('/filter/logical_operation', 'must be AND')
  const conditions = (expressions as readonly (Fields | null)[]).map((expression): Condition => {
    const { field, str_operator: operator, value } = expression ?? {}
    const name = String(field).replace(/^\./, '')
    if (operator === 'exists') return (event) => event[name] !== undefined
    if (operator === 'equal') return (event) => String(event[name]) === String(value)
    throw invalid('/filter/expressions', 'must have the operator equal or exists')
  })
  return (event) => conditions.every((holds) => holds(event))
}
