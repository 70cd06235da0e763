import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { pathOf } from '../../schemas/url.ts'

/** An operation that changes or removes what a request may have changed, and the ids that the path names. */
export interface Touched {
  readonly operation: TargetOperation
  readonly params: Readonly<Record<string, string>>
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** A client that does not know of a removal knows nothing at all. */
const BY_METHOD = ['DELETE', 'PUT', 'PATCH', 'POST']
const ANY = 'ANY'

/** Whether a request may change something. */
export function mayChange(method: string): boolean {
  return !READING.has(method)
}

/**
 * The things that a request of no known operation may have changed, from its method and whole URL. Its path, or the
 * beginning of its path, names them. A binding need not know all that a target offers.
 */
export function createTouchFinder(
  binding: Binding,
  basePath: string,
): (method: string, url: string) => Touched | undefined {
  const changers = new Map<string, TargetOperation>()
  for (const operation of binding.operations.values()) {
    if (operation.path === '' || !mayChange(operation.method)) continue
    const shape = operation.path.replaceAll(/\{[^}]+\}/g, '{}')
    const known = changers.get(shape)
    if (!known || rank(operation) < rank(known)) changers.set(shape, operation)
  }
  const match = createMatcher([...changers.values()].map(({ id, path }) => ({ id, method: ANY, path })))
  return (method, url) => {
    if (!mayChange(method)) return undefined
    const parts = pathOf(url, basePath).split('/')
    for (let length = parts.length; length > 2; length -= 1) {
      const found = match(ANY, parts.slice(0, length).join('/'))
      const operation = found && binding.operations.get(found.operation.id)
      if (operation) return { operation, params: found.params }
    }
    return undefined
  }
}

function rank({ method }: TargetOperation): number {
  const place = BY_METHOD.indexOf(method)
  return place < 0 ? BY_METHOD.length : place
}
