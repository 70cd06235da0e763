import { invalid } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Pipeline, PlacedGroup } from '../model/pipelines.ts'
import { deployTypeOf, disconnect, found, inputsOf, pipelineOf } from './lookup.ts'
import { placedGroupRecord, wrapped, wrappedList } from './views.ts'

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

const get: Handler = (call) => {
  const pipeline = pipelineOf(call)
  return wrapped('pipeline-transform-group', placedGroupRecord(pipeline, placedOf(call, pipeline)))
}

const list: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const records = [...pipeline.placedGroups.values()].map((placed) => placedGroupRecord(pipeline, placed))
  return wrappedList('pipeline-transform-group', records)
}

const remove: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const placed = placedOf(call, pipeline)
  pipeline.placedGroups.delete(placed.id)
  disconnect(pipeline, placed.id)
  return wrapped('pipeline-transform-group', { id: placed.id, deleted: true })
}

function placedOf(call: Call, pipeline: Pipeline): PlacedGroup {
  return found(pipeline.placedGroups, param(call, 'pipeline_transform_group_id'), 'placed transform group')
}

const v3 = family('v3', 'v3')
const all = '/v3/pipeline/{pipeline_id}/transform-group'
const one = `${all}/{pipeline_transform_group_id}`

export const placedGroupRoutes: readonly Route[] = [
  v3('add-group-to-pipeline', 'POST', all, place, 'group-placement'),
  v3('list-placed-groups', 'GET', all, list),
  v3('get-placed-group', 'GET', one, get),
  v3('switch-group-revision', 'PUT', one, switchRevision, 'revision-switch'),
  v3('delete-placed-group', 'DELETE', one, remove),
]
