import type { Binding, TargetOperation } from '../binding.ts'
import { placeholders } from '../template.ts'
import type { Json } from './components.ts'
import type { NamedPath } from './requests.ts'

/** An operation and the names that its path goes by in the document. */
export interface Placed {
  readonly target: TargetOperation
  readonly named: NamedPath
  /** name of a path parameter -> the resource placeholder that it stands for, where the two differ */
  readonly stands: ReadonlyMap<string, string>
}

/**
 * What can be done with the thing that an operation makes: for each operation that takes its id in the path or in the
 * query, a link that tells where in the answer the id stands. Empty where the operation makes nothing, or its answer
 * is not known.
 */
export function linksOf(maker: TargetOperation, all: readonly Placed[], binding: Binding): Json {
  const pointer = maker.answer.id
  const resource = [...binding.resources.values()].find(({ create }) => create === maker.id)
  if (pointer === undefined || !resource) return {}
  const id = `$response.body#${pointer}`
  const links: Record<string, Json> = {}
  for (const { target, named, stands } of all) {
    if (target.id === maker.id) continue
    const path = [...named.names].filter(([name]) => (stands.get(name) ?? name) === resource.id)
    const query = Object.entries(target.query).filter(([, value]) => placeholders(value).has(resource.id))
    const taken = [
      ...path.map(([, shown]): [string, string] => [`path.${shown}`, id]),
      ...query.map(([name]): [string, string] => [`query.${name}`, id]),
    ]
    if (taken.length === 0) continue
    // What else the two paths have in common is the same for both: the pipeline of a transform.
    const shared = [...named.names.values()].filter((name) => maker.path.includes(`{${name}}`))
    const parameters = [...shared.map((name): [string, string] => [`path.${name}`, `$request.path.${name}`]), ...taken]
    links[target.id] = { operationId: target.id, parameters: Object.fromEntries(parameters) }
  }
  return links
}
