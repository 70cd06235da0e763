import type { Pipeline } from '../model/pipelines.ts'

/** A connection between two components of a pipeline: `from` is a node id or one output of a node. */
export interface Edge {
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
