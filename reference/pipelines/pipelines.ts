import { invalid } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Pipeline } from '../model/pipelines.ts'
import { deployTypeOf, found, pipelineOf, textOf } from './lookup.ts'
import { pipelineRecord, pipelineSummary, wrapped, wrappedList } from './views.ts'

const create: Handler = (call) => {
  const body = bodyOf(call)
  const now = call.env.now()
  const pipeline: Pipeline = {
    id: call.env.newId(),
    title: textOf(body.title),
    description: textOf(body.description),
    deployType: deployTypeOf(body.deploy_type),
    processing: 'enabled',
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
    sources: new Map(),
    transforms: new Map(),
    placedGroups: new Map(),
    stateVariables: { id: call.env.newId(), state: {} },
  }
  call.state.pipelines.set(pipeline.id, pipeline)
  return wrapped('pipeline', pipelineRecord(pipeline))
}

const get: Handler = (call) => wrapped('pipeline', pipelineRecord(pipelineOf(call)))

const list: Handler = (call) => wrappedList('pipeline', [...call.state.pipelines.values()].map(pipelineSummary))

/** Replaces: fields that are not sent are unset. */
const update: Handler = (call) => {
  const pipeline = pipelineOf(call)
  const body = bodyOf(call)
  pipeline.title = textOf(body.title)
  pipeline.description = textOf(body.description)
  pipeline.deployType = deployTypeOf(body.deploy_type)
  pipeline.updatedAt = call.env.now()
  return wrapped('pipeline', pipelineRecord(pipeline))
}

const remove: Handler = (call) => {
  const pipeline = pipelineOf(call)
  call.state.pipelines.delete(pipeline.id)
  return wrapped('pipeline', { id: pipeline.id, deleted: true })
}

const publish: Handler = (call) => {
  const pipeline = pipelineOf(call)
  pipeline.publishedAt = call.env.now()
  return wrapped('pipeline', pipelineRecord(pipeline))
}

/** Rule 10. A body that names no status, like the empty one of the specification's sample, changes nothing. */
function switchProcessing(call: Call): ReturnType<Handler> {
  const pipeline = pipelineOf(call)
  const { processing_status: status } = bodyOf(call)
  if (status !== undefined) {
    if (status !== 'enabled' && status !== 'disabled') {
      throw invalid('/processing_status', 'must be one of "enabled", "disabled"')
    }
    pipeline.processing = status
    pipeline.updatedAt = call.env.now()
  }
  return wrapped('pipeline', pipelineSummary(pipeline))
}

const v3 = family('v3', 'v3')

export const pipelineRoutes: readonly Route[] = [
  v3('create-pipeline', 'POST', '/v3/pipeline', create, 'pipeline-body'),
  v3('list-pipelines', 'GET', '/v3/pipeline', list),
  v3('get-pipeline', 'GET', '/v3/pipeline/{pipeline_id}', get),
  v3('update-pipeline', 'PUT', '/v3/pipeline/{pipeline_id}', update, 'pipeline-body'),
  v3('delete-pipeline', 'DELETE', '/v3/pipeline/{pipeline_id}', remove),
  v3('publish-pipeline', 'POST', '/v3/pipeline/{pipeline_id}/publish', publish),
  v3(
    'update-processing-status',
    'PUT',
    '/v3/pipeline/{pipeline_id}/processing-status',
    switchProcessing,
    'processing-status',
  ),
]

/** Rule 9: sets the variables that are named, making new ones, and leaves all others. */
const patchVariables: Handler = (call) => {
  const body = bodyOf(call)
  if (body.pipeline_id === undefined) throw invalid('/pipeline_id', 'must be there')
  const pipeline = found(call.state.pipelines, String(body.pipeline_id), 'pipeline')
  const own = pipeline.stateVariables
  own.state = { ...own.state, ...(body.state as Record<string, unknown> | undefined) }
  return variables(pipeline)
}

const getVariables: Handler = (call) => {
  const id = call.query.get('pipeline_id')
  if (id === null) throw invalid('query parameter pipeline_id', 'must be there')
  return variables(found(call.state.pipelines, id, 'pipeline'))
}

const replaceVariables: Handler = (call) => {
  const byId = new Map([...call.state.pipelines.values()].map((one) => [one.stateVariables.id, one]))
  const pipeline = found(byId, param(call, 'state_variable_id'), 'set of state variables')
  pipeline.stateVariables.state = (bodyOf(call).state ?? {}) as Record<string, unknown>
  return variables(pipeline)
}

function variables(pipeline: Pipeline): ReturnType<Handler> {
  const { id, state } = pipeline.stateVariables
  return wrapped('state-variable', { id, pipeline_id: pipeline.id, state })
}

export const stateVariableRoutes: readonly Route[] = [
  v3('update-state-variables', 'PATCH', '/v3/pipeline/state-variable', patchVariables, 'state-variable-patch'),
  v3('get-state-variables', 'GET', '/v3/pipeline/state-variable', getVariables),
  v3(
    'replace-state-variables',
    'PUT',
    '/v3/pipeline/state-variable/{state_variable_id}',
    replaceVariables,
    'state-variable-patch',
  ),
]
