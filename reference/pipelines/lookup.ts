import { invalid, notFound } from '../core/refusal.ts'
import { type Call, param } from '../core/route.ts'
import type { DeployType, Pipeline } from '../model/pipelines.ts'
import { splitOutput } from './edges.ts'

/** The pipeline that the path names. Throws NotFound. */
export function pipelineOf(call: Call): Pipeline {
  return found(call.state.pipelines, param(call, 'pipeline_id'), 'pipeline')
}

/** The element with this id. Throws NotFound. */
export function found<T>(things: ReadonlyMap<string, T>, id: string, what: string): T {
  const thing = things.get(id)
  if (!thing) throw notFound(`there is no ${what} ${id}`)
  return thing
}

/** The `inputs` of a body, each of which has to name a component of the pipeline. Not sent: none. */
export function inputsOf(pipeline: Pipeline, inputs: unknown): string[] {
  const ids = (inputs ?? []) as string[]
  for (const [index, id] of ids.entries()) {
    const node = splitOutput(id)?.node ?? ''
    if (![pipeline.sources, pipeline.transforms, pipeline.placedGroups].some((things) => things.has(node))) {
      throw invalid(`/inputs/${index}`, 'names no component of the pipeline')
    }
  }
  return ids
}

/** Takes a deleted component out of the inputs of all others. */
export function disconnect(pipeline: Pipeline, id: string): void {
  for (const fed of [...pipeline.transforms.values(), ...pipeline.placedGroups.values()]) {
    fed.inputs = fed.inputs.filter((input) => splitOutput(input)?.node !== id)
  }
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function deployTypeOf(value: unknown): DeployType {
  return value === 'local' ? 'local' : 'saas'
}
