import { invalid } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Group, Node, Pipeline, PlacedGroup, Revision } from '../model/pipelines.ts'
import { deployTypeOf, disconnect, found, inputsOf, pipelineOf, splitOutput, textOf } from './lookup.ts'
import { groupRecord, placedGroupRecord, revisionRecord, wrapped, wrappedList } from './views.ts'

/** Rule 3: copies transforms of a pipeline into a new group. */
const createFromPipeline: Handler = (call) => {
  const body = bodyOf(call)
  const pipeline = namedPipeline(call, body.pipeline_id)
  const picked = namedTransforms(pipeline, body.pipeline_transform_ids)
  const now = call.env.now()
  const id = call.env.newId()
  const group: Group = {
    id,
    title: textOf(body.title),
    description: textOf(body.description),
    deployType: deployTypeOf(body.deploy_type),
    pipelineId: pipeline.id,
    createdAt: now,
    revisions: [],
  }
  group.revisions.push(revisionOf(call, group, copied(call, picked), textOf(body.description)))
  call.state.groups.set(id, group)
  return wrapped('transform-group', groupRecord(group))
}

/**
 * Makes the next revision of a group: copied from a pipeline where the body names one, else from the revision before.
 */
const createRevision: Handler = (call) => {
  const group = groupOf(call)
  const body = bodyOf(call)
  const before = group.revisions.at(-1)?.transforms ?? []
  const picked =
    body.pipeline_id === undefined
      ? before
      : namedTransforms(namedPipeline(call, body.pipeline_id), body.pipeline_transform_ids)
  const revision = revisionOf(call, group, copied(call, picked), textOf(body.description))
  group.revisions.push(revision)
  return wrapped('transform-group-revision', revisionRecord(revision))
}

const get: Handler = (call) => wrapped('transform-group', groupRecord(groupOf(call)))

const list: Handler = (call) => wrappedList('transform-group', [...call.state.groups.values()].map(groupRecord))

const listRevisions: Handler = (call) =>
  wrappedList('transform-group-revision', groupOf(call).revisions.map(revisionRecord))

const getRevision: Handler = (call) => {
  const revisions = new Map(groupOf(call).revisions.map((revision) => [revision.id, revision]))
  const revision = found(revisions, param(call, 'transform_group_revision_id'), 'revision')
  return wrapped('transform-group-revision', revisionRecord(revision))
}

/** Its placements go with it, so that no pipeline keeps a group that is not there. */
const remove: Handler = (call) => {
  const group = groupOf(call)
  for (const pipeline of call.state.pipelines.values()) {
    for (const placed of [...pipeline.placedGroups.values()].filter(({ groupId }) => groupId === group.id)) {
      pipeline.placedGroups.delete(placed.id)
      disconnect(pipeline, placed.id)
    }
  }
  call.state.groups.delete(group.id)
  return wrapped('transform-group', { id: group.id, deleted: true })
}

function groupOf(call: Call): Group {
  return found(call.state.groups, param(call, 'transform_group_id'), 'transform group')
}

function namedPipeline(call: Call, id: unknown): Pipeline {
  const pipeline = call.state.pipelines.get(String(id))
  if (!pipeline) throw invalid('/pipeline_id', 'names no pipeline')
  return pipeline
}

function namedTransforms(pipeline: Pipeline, ids: unknown): Node[] {
  if (!Array.isArray(ids)) throw invalid('/pipeline_transform_ids', 'must name the transforms to copy')
  return [...new Set<string>(ids)].map((id, index) => {
    const transform = pipeline.transforms.get(id)
    if (!transform) throw invalid(`/pipeline_transform_ids/${index}`, 'names no transform of the pipeline')
    return transform
  })
}

/** Copies with ids of their own. Connections among the copies are kept; what came from outside becomes the group's input. */
function copied(call: Call, transforms: readonly Node[]): Node[] {
  const now = call.env.now()
  const ids = new Map(transforms.map(({ id }) => [id, call.env.newId()]))
  return transforms.map((transform) => ({
    ...transform,
    id: ids.get(transform.id) ?? '',
    inputs: transform.inputs.flatMap((input) => {
      const from = splitOutput(input)
      const id = ids.get(from?.node ?? '')
      if (id === undefined) return []
      return [from?.output === undefined ? id : `${id}.${from.output}`]
    }),
    generation: 1,
    createdAt: now,
    updatedAt: now,
  }))
}

function revisionOf(call: Call, group: Group, transforms: readonly Node[], description: string | null): Revision {
  return {
    id: call.env.newId(),
    groupId: group.id,
    number: group.revisions.length + 1,
    description,
    transforms,
    createdAt: call.env.now(),
  }
}

const v3 = family('v3', 'v3')
const one = '/v3/transform-group/{transform_group_id}'

export const groupRoutes: readonly Route[] = [
  v3(
    'create-group-from-pipeline',
    'POST',
    '/v3/transform-group/from-pipeline',
    createFromPipeline,
    'group-from-pipeline',
  ),
  v3('list-groups', 'GET', '/v3/transform-group', list),
  v3('get-group', 'GET', one, get),
  v3('delete-group', 'DELETE', one, remove),
  v3('create-group-revision', 'POST', `${one}/revision`, createRevision, 'group-revision-body'),
  v3('list-group-revisions', 'GET', `${one}/revision`, listRevisions),
  v3('get-group-revision', 'GET', `${one}/revision/{transform_group_revision_id}`, getRevision),
]

/** Rule 5: places a group at its latest revision. */
const place: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const body = bodyOf(call)
  const group = call.state.groups.get(String(body.transform_group_id))
  const latest = group?.revisions.at(-1)
  if (!group || !latest) throw invalid('/transform_group_id', 'names no transform group')
  const inputs = inputsOf(pipeline, body.inputs)
  const now = call.env.now()
  const placed: PlacedGroup = {
    id: call.env.newId(),
    groupId: group.id,
    revisionId: latest.id,
    inputs,
    deployType: deployTypeOf(body.deploy_type),
    createdAt: now,
    updatedAt: now,
  }
  pipeline.placedGroups.set(placed.id, placed)
  return wrapped('pipeline-transform-group', placedGroupRecord(pipeline, placed))
}

/** Rule 6: moves to another revision of the same group and sets the inputs. Not sent: the revision stays, no inputs. */
const switchRevision: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const placed = placedOf(call, pipeline)
  const body = bodyOf(call)
  const wanted = body.transform_group_revision_id ?? placed.revisionId
  const revisions = call.state.groups.get(placed.groupId)?.revisions ?? []
  const revision = revisions.find(({ id }) => id === wanted)
  if (!revision) throw invalid('/transform_group_revision_id', 'names no revision of this group')
  placed.inputs = inputsOf(pipeline, body.inputs)
  placed.revisionId = revision.id
  placed.updatedAt = call.env.now()
  return wrapped('pipeline-transform-group', placedGroupRecord(pipeline, placed))
}

const getPlaced: Handler = (call) => {
  const pipeline = pipelineOf(call)
  return wrapped('pipeline-transform-group', placedGroupRecord(pipeline, placedOf(call, pipeline)))
}

const listPlaced: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const records = [...pipeline.placedGroups.values()].map((placed) => placedGroupRecord(pipeline, placed))
  return wrappedList('pipeline-transform-group', records)
}

const removePlaced: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const placed = placedOf(call, pipeline)
  pipeline.placedGroups.delete(placed.id)
  disconnect(pipeline, placed.id)
  return wrapped('pipeline-transform-group', { id: placed.id, deleted: true })
}

function placedOf(call: Call, pipeline: Pipeline): PlacedGroup {
  return found(pipeline.placedGroups, param(call, 'pipeline_transform_group_id'), 'placed transform group')
}

const allPlaced = '/v3/pipeline/{pipeline_id}/transform-group'
const onePlaced = `${allPlaced}/{pipeline_transform_group_id}`

export const placedGroupRoutes: readonly Route[] = [
  v3('add-group-to-pipeline', 'POST', allPlaced, place, 'group-placement'),
  v3('list-placed-groups', 'GET', allPlaced, listPlaced),
  v3('get-placed-group', 'GET', onePlaced, getPlaced),
  v3('switch-group-revision', 'PUT', onePlaced, switchRevision, 'revision-switch'),
  v3('delete-placed-group', 'DELETE', onePlaced, removePlaced),
]
