import { invalid, violated } from '../core/refusal.ts'
import { bodyOf, type Call, type Handler } from '../core/route.ts'
import { found, idIn, type Kind, keep, nowOf, record, wrapped } from '../core/things.ts'
import { type Fields, type State, type Thing, things, within } from '../model/state.ts'

/** A connection between two components of a pipeline: `from` is a node id or one output of a node. */
interface Edge {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** The node of a component id: `<node>` or `<node>.<output>` (rule 4: `^([^\.]+)(?:\.(.+))?$`). */
export function nodeIn(component: string): string {
  return component.split('.')[0] ?? ''
}

export function inputsOf({ body }: Thing): readonly string[] {
  return (body.inputs ?? []) as readonly string[]
}

const COMPONENTS = ['source', 'transform', 'placed-group']

/** The component of a pipeline with this id. */
export function componentIn(state: State, pipeline: string, id: string): Thing | undefined {
  return COMPONENTS.map((type) => things(state, type).get(id)).find((thing) => thing?.in === pipeline)
}

/** All connections of a pipeline, in the order in which the fed components were made. */
export function edgesOf(state: State, pipeline: string): Edge[] {
  const fed = COMPONENTS.flatMap((type) => within(state, type, pipeline))
  return fed.flatMap((thing) => inputsOf(thing).map((from) => ({ id: `${from}->${thing.id}`, from, to: thing.id })))
}

/** The `inputs` of a body, each of which has to name a component of the pipeline. */
function checkInputs({ state, params }: Call, inputs: unknown): void {
  for (const [index, id] of (inputs as readonly string[]).entries()) {
    if (!componentIn(state, params.pipeline_id ?? '', nodeIn(id)))
      throw invalid(`/inputs/${index}`, 'names no component of the pipeline')
  }
}

/** Takes a component that goes out of the inputs of all others. */
function disconnect({ id, in: pipeline }: Thing, { state }: Call): void {
  for (const fed of COMPONENTS.flatMap((type) => within(state, type, pipeline))) {
    if (inputsOf(fed).some((input) => nodeIn(input) === id))
      fed.body = { ...fed.body, inputs: inputsOf(fed).filter((input) => nodeIn(input) !== id) }
  }
}

const TEXTS = { title: null, description: null }

/**
 * Rules 1 and 2: an update replaces the configuration with the fields of the body. The kind stays where the body names
 * none. Any `generation_id` is taken; the record carries the node's own count of writes.
 */
function node(word: 'source' | 'transform', fed: Fields): Kind {
  return {
    fields: { ...TEXTS, user_config: {}, deploy_type: 'saas', ...fed },
    settled(body, call, before) {
      const { type = before?.body.type } = bodyOf(call)
      const violations = call.env.validator.violations(`node#${word}_kind`, type)
      if (violations.length > 0) throw violated(violations.map((one) => ({ ...one, pointer: `/type${one.pointer}` })))
      checkInputs(call, body.inputs ?? [])
      return { ...body, type, generation_id: Number(before?.body.generation_id ?? 0) + 1 }
    },
    leaving: disconnect,
  }
}

/** The transforms of a pipeline that a body lists. */
function listed({ state, body }: Call): Thing[] {
  const { pipeline_id: pipeline, pipeline_transform_ids: ids } = body as Fields
  if (!things(state, 'pipeline').has(String(pipeline))) throw invalid('/pipeline_id', 'names no pipeline')
  if (!Array.isArray(ids)) throw invalid('/pipeline_transform_ids', 'must name the transforms to copy')
  return [...new Set<string>(ids)].map((id, index) => {
    const transform = things(state, 'transform').get(id)
    if (transform?.in !== pipeline)
      throw invalid(`/pipeline_transform_ids/${index}`, 'names no transform of the pipeline')
    return transform as Thing
  })
}

/** Copies with ids of their own. Connections among the copies are kept; what came from outside becomes the group's input. */
function copied(call: Call, transforms: readonly Pick<Thing, 'id' | 'body'>[]): Fields[] {
  const ids = new Map(transforms.map(({ id }) => [id, call.env.newId()]))
  return transforms.map(({ id, body }) => ({
    ...body,
    id: ids.get(id),
    generation_id: 1,
    inputs: (body.inputs as string[]).flatMap((input) => {
      const copy = ids.get(nodeIn(input))
      return copy === undefined ? [] : [copy + input.slice(nodeIn(input).length)]
    }),
  }))
}

function revisionsOf(state: State, group: string): Thing[] {
  return within(state, 'group-revision', group)
}

/** Keys of a route are shown once, in the answer that makes them, and never read back. */
function withoutKeys({ body }: Thing): Fields {
  const hidden = (keys: unknown): unknown => (keys as Fields[]).map(({ key: _, ...shown }) => shown)
  return { ...body, signing_keys: hidden(body.signing_keys), access_keys: hidden(body.access_keys) }
}

export const pipelineKinds: Readonly<Record<string, Kind>> = {
  pipeline: {
    fields: { ...TEXTS, deploy_type: 'saas' },
    fresh: () => ({ processing_status: 'enabled', published_at: null }),
    made: ({ id }, call) => {
      const variables = { id: call.env.newId(), in: id, body: { pipeline_id: id, state: {} } }
      things(call.state, 'state-variables').set(id, variables)
    },
  },
  source: node('source', {}),
  transform: node('transform', { inputs: [] }),
  // Rule 3: a group holds copies of transforms of a pipeline, in its revisions; a read shows the latest.
  group: {
    fields: { ...TEXTS, deploy_type: 'saas', pipeline_id: null },
    settled(body, call) {
      listed(call)
      return body
    },
    made(group, call) {
      const { description } = group.body
      const body = { description, revision: 1, transforms: copied(call, listed(call)), created_at: nowOf(call) }
      keep(call, 'group-revision', body, {}, group.id)
    },
    shown({ id, body }, { state }) {
      const latest = revisionsOf(state, id).at(-1)
      const { revision, transforms } = latest?.body ?? {}
      return { ...body, transform_group_revision_id: latest?.id, revision, transforms }
    },
    // Its placements go with it, so that no pipeline keeps a group that is not there.
    leaving({ id }, call) {
      for (const [key, placed] of things(call.state, 'placed-group')) {
        if (placed.body.transform_group_id !== id) continue
        disconnect(placed, call)
        things(call.state, 'placed-group').delete(key)
      }
    },
  },
  // The next revision of a group: copied from a pipeline where the body names one, else from the revision before.
  'group-revision': {
    fields: { description: null },
    settled(body, call) {
      const before = revisionsOf(call.state, call.params.transform_group_id ?? '')
      const last = (before.at(-1)?.body.transforms ?? []) as (Fields & { id: string })[]
      const from =
        bodyOf(call).pipeline_id === undefined ? last.map((copy) => ({ id: copy.id, body: copy })) : listed(call)
      return { ...body, revision: before.length + 1, transforms: copied(call, from) }
    },
  },
  // Rule 5: a group is placed at its latest revision. Rule 6: it moves to another one of the same group, and its inputs
  // are set. Not sent: the revision stays, no inputs.
  'placed-group': {
    fields: { transform_group_id: '', inputs: [], deploy_type: 'saas' },
    settled(body, call, before) {
      const { transform_group_id: group } = before?.body ?? body
      const revisions = revisionsOf(call.state, String(group))
      if (revisions.length === 0) throw invalid('/transform_group_id', 'names no transform group')
      const wanted = bodyOf(call).transform_group_revision_id ?? before?.body.transform_group_revision_id
      const revision = before ? revisions.find(({ id }) => id === wanted) : revisions.at(-1)
      if (!revision) throw invalid('/transform_group_revision_id', 'names no revision of this group')
      checkInputs(call, body.inputs)
      return { ...(before?.body ?? body), inputs: body.inputs, transform_group_revision_id: revision.id }
    },
    leaving: disconnect,
  },
  'gateway-route': {
    fields: { ...TEXTS, legacy_routing: false },
    fresh: () => ({ signing_keys: [], access_keys: [] }),
    shown: withoutKeys,
  },
}

function pipelineIn(call: Call): Thing {
  return found(call, 'pipeline', call.params.pipeline_id ?? '')
}

/** The route that a key is added to, and the key. */
function withKey(call: Call, list: 'signing_keys' | 'access_keys', key: string): readonly [route: Thing, id: string] {
  const route = found(call, 'gateway-route', idIn(call))
  const made = { id: call.env.newId(), key, created_at: nowOf(call) }
  route.body = { ...route.body, [list]: [...(route.body[list] as Fields[]), made], updated_at: nowOf(call) }
  return [route, made.id]
}

function variablesOf(call: Call, id: string): Thing {
  return found(call, 'state-variables', id, id)
}

const shownVariables = ({ id, body }: Thing): ReturnType<typeof wrapped> => wrapped('state-variables', { id, ...body })

/** What pipelines do beside what all things do. */
export const pipelineHandlers: Readonly<Record<string, Handler>> = {
  /** The pipeline with everything that stands in it. */
  'get-pipeline'(call) {
    const pipeline = pipelineIn(call)
    const all = (type: string): Fields[] =>
      within(call.state, type, pipeline.id).map((thing) =>
        record(thing, call, pipelineKinds[type] ?? {}, 'pipeline_id'),
      )
    const parts = { sources: all('source'), transforms: all('transform'), transform_groups: all('placed-group') }
    return wrapped('pipeline', { ...record(pipeline, call, {}), ...parts, edges: edgesOf(call.state, pipeline.id) })
  },
  'publish-pipeline'(call) {
    const pipeline = pipelineIn(call)
    pipeline.body = { ...pipeline.body, published_at: nowOf(call) }
    return wrapped('pipeline', record(pipeline, call, {}))
  },
  /** Rule 10. A body that names no status, like the empty one of the specification's sample, changes nothing. */
  'update-processing-status'(call) {
    const pipeline = pipelineIn(call)
    const { processing_status: status = pipeline.body.processing_status } = bodyOf(call)
    if (status !== 'enabled' && status !== 'disabled')
      throw invalid('/processing_status', 'must be one of "enabled", "disabled"')
    pipeline.body = { ...pipeline.body, processing_status: status }
    return wrapped('pipeline', record(pipeline, call, {}))
  },
  /** Rule 9: sets the variables that are named, making new ones, and leaves all others. */
  'update-state-variables'(call) {
    const { pipeline_id: pipeline, state } = bodyOf(call)
    if (pipeline === undefined) throw invalid('/pipeline_id', 'must be there')
    const variables = variablesOf(call, String(pipeline))
    variables.body = { ...variables.body, state: { ...(variables.body.state as Fields), ...(state as Fields) } }
    return shownVariables(variables)
  },
  'get-state-variables'(call) {
    const id = call.query.get('pipeline_id')
    if (id === null) throw invalid('query parameter pipeline_id', 'must be there')
    return shownVariables(variablesOf(call, id))
  },
  /** Rule 8: adds to the keys that are there. */
  'add-signing-key'(call) {
    const { key } = bodyOf(call)
    if (typeof key !== 'string') throw invalid('/key', 'must be there')
    const [route] = withKey(call, 'signing_keys', key)
    return wrapped('gateway-route', record(route, call, { shown: withoutKeys }))
  },
  /** The new key is shown in this answer only. */
  'create-access-key'(call) {
    const key = call.env.newId()
    const [route, id] = withKey(call, 'access_keys', key)
    return wrapped('access-key', { id, key, gateway_route_id: route.id })
  },
}
