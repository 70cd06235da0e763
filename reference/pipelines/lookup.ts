import { invalid, notFound } from '../core/refusal.ts'
import { type Call, param } from '../core/route.ts'
import type { DeployType, Pipeline } from '../model/pipelines.ts'

/** A connection between two components of a pipeline: `from` is a node id or one output of a node. */
interface Edge {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Splits a component id into node and output. Undefined where it is no component id (rule 4: `^([^\.]+)(?:\.(.+))?$`). */
export function splitOutput(
  component: string,
): { readonly node: string; readonly output: string | undefined } | undefined {
  const found = /^([^.]+)(?:\.(.+))?$/.exec(component)
  return found ? { node: found[1] ?? '', output: found[2] } : undefined
}

/** All connections of a pipeline, in the order in which the fed components were made. */
export function edgesOf(pipeline: Pipeline): Edge[] {
  const fed = [...pipeline.transforms.values(), ...pipeline.placedGroups.values()]
  return fed.flatMap(({ id, inputs }) => inputs.map((from) => ({ id: `${from}->${id}`, from, to: id })))
}

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
