/** What the matcher needs of an operation. */
export interface Routed {
  readonly id: string
  readonly method: string
  readonly path: string
}

export interface Match<O extends Routed> {
  readonly operation: O
  /** decoded values of the path's placeholders */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the operation of a request. A literal segment wins over a placeholder, wherever it stands. */
export type Matcher<O extends Routed> = (method: string, path: string) => Match<O> | undefined

interface Route<O> {
  readonly operation: O
  readonly segments: readonly { readonly literal: string | undefined; readonly name: string }[]
}

export function createMatcher<O extends Routed>(operations: Iterable<O>): Matcher<O> {
  const routes = new Map<string, Route<O>[]>()
  for (const operation of operations) {
    const segments = operation.path.split('/').map((segment) => {
      const placeholder = /^\{(.+)\}$/.exec(segment)?.[1]
      return placeholder === undefined ? { literal: segment, name: '' } : { literal: undefined, name: placeholder }
    })
    const key = `${operation.method} ${segments.length}`
    routes.set(key, [...(routes.get(key) ?? []), { operation, segments }])
  }
  for (const list of routes.values()) list.sort((a, b) => literals(b) - literals(a))

  return (method, path) => {
    const parts = path.split('/')
    for (const route of routes.get(`${method} ${parts.length}`) ?? []) {
      const params = match(route, parts)
      if (params) return { operation: route.operation, params }
    }
    return undefined
  }
}

/** Fills the placeholders of a path template. Throws where one has no value. */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for {${name}} in ${template}`)
    return encodeURIComponent(value)
  })
}

function literals(route: Route<unknown>): number {
  return route.segments.filter((segment) => segment.literal !== undefined).length
}

function match(route: Route<unknown>, parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, segment] of route.segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.literal !== undefined) {
      if (segment.literal !== part) return undefined
    } else {
      if (part === '') return undefined
      params[segment.name] = decode(part)
    }
  }
  return params
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
