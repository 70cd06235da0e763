import { invalid } from '../core/refusal.ts'
import { bodyOf, family, type Handler, param, type Route } from '../core/route.ts'
import type { Pipeline } from '../model/pipelines.ts'
import { found } from './lookup.ts'
import { wrapped } from './views.ts'

/** Rule 9: sets the variables that are named, making new ones, and leaves all others. */
const patch: Handler = (call) => {
  const body = bodyOf(call)
  if (body.pipeline_id === undefined) throw invalid('/pipeline_id', 'must be there')
  const pipeline = found(call.state.pipelines, String(body.pipeline_id), 'pipeline')
  const variables = pipeline.stateVariables
  variables.state = { ...variables.state, ...(body.state as Record<string, unknown> | undefined) }
  return answer(pipeline)
}

const get: Handler = (call) => {
  const id = call.query.get('pipeline_id')
  if (id === null) throw invalid('query parameter pipeline_id', 'must be there')
  return answer(found(call.state.pipelines, id, 'pipeline'))
}

const replace: Handler = (call) => {
  const byId = new Map([...call.state.pipelines.values()].map((one) => [one.stateVariables.id, one]))
  const pipeline = found(byId, param(call, 'state_variable_id'), 'set of state variables')
  pipeline.stateVariables.state = (bodyOf(call).state ?? {}) as Record<string, unknown>
  return answer(pipeline)
}

function answer(pipeline: Pipeline): ReturnType<Handler> {
  const { id, state } = pipeline.stateVariables
  return wrapped('state-variable', { id, pipeline_id: pipeline.id, state })
}

const v3 = family('v3', 'v3')

export const stateVariableRoutes: readonly Route[] = [
  v3('update-state-variables', 'PATCH', '/v3/pipeline/state-variable', patch, 'state-variable-patch'),
  v3('get-state-variables', 'GET', '/v3/pipeline/state-variable', get),
  v3(
    'replace-state-variables',
    'PUT',
    '/v3/pipeline/state-variable/{state_variable_id}',
    replace,
    'state-variable-patch',
  ),
]
