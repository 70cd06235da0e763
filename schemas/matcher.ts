import { percentDecoded, percentEncoded } from './url.ts'
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

/** An operation without a path, which a gap leaves open, is that of no request. */
export function createMatcher<O extends Routed>(operations: Iterable<O>): Matcher<O> {
  // method -> number of segments -> routes
  const routes = new Map<string, Route<O>[][]>()
  for (const operation of operations) {
    if (operation.path === '') continue
    const segments = operation.path.split('/').map((segment) => {
      const placeholder = /^\{(.+)\}$/.exec(segment)?.[1]
      return placeholder === undefined ? { literal: segment, name: '' } : { literal: undefined, name: placeholder }
    })
    const own = routes.get(operation.method) ?? []
    routes.set(operation.method, own)
    own[segments.length] = [...(own[segments.length] ?? []), { operation, segments }].sort(
      (a, b) => literals(b) - literals(a),
    )
  }

  return (method, path) => {
    const own = routes.get(method)
    if (!own) return undefined
    const parts = path.split('/')
    for (const route of own[parts.length] ?? []) {
      if (fits(route, parts)) return { operation: route.operation, params: paramsOf(route, parts) }
    }
    return undefined
  }
}

/** Fills the placeholders of a path template. Throws where one has no value. */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for {${name}} in ${template}`)
    return percentEncoded(value)
  })
}

function literals(route: Route<unknown>): number {
  return route.segments.filter((segment) => segment.literal !== undefined).length
}

function fits({ segments }: Route<unknown>, parts: readonly string[]): boolean {
  for (let index = 0; index < segments.length; index += 1) {
    const literal = segments[index]?.literal
    const part = parts[index]
    if (literal === undefined ? part === '' : literal !== part) return false
  }
  return true
}

function paramsOf({ segments }: Route<unknown>, parts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index]
    if (segment && segment.literal === undefined) params[segment.name] = percentDecoded(parts[index] ?? '')
  }
  return params
}

/** The names in the braces of a path. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
}
