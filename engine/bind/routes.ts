import type { TargetOperation } from '../../schemas/binding.ts'
import { namesInPath } from '../../schemas/matcher.ts'
import { escapeRegExp } from '../../schemas/pattern.ts'
import { shipped } from './shipped.ts'
import { collectionOf, howWell, isCollection, PATTERNS, plain, wordsIn } from './vocabulary.ts'

/** A request that a document describes, or that traffic shows. */
export interface Route {
  readonly method: string
  /** with the placeholders of the document */
  readonly path: string
  /** what else names it: an operation id, a summary */
  readonly names: readonly string[]
  /** the part of the path that names an account, as `/accounts/1001`: the interface has no such thing */
  readonly account?: string
}

/** Which route each operation is. */
export interface Assigned<R extends Route> {
  readonly routes: ReadonlyMap<string, R>
  /** operation -> why none was taken */
  readonly open: ReadonlyMap<string, string>
}

/** Scores from which on a path alone says enough. */
const EXACT = 2
const NAMED = 1.5
/** If two are this near, neither is taken. */
const CLOSE = 0.05
const LESS_USUAL = 0.06

/**
 * Finds the route of each operation. It compares the paths of the specification and of shipped bindings, the words of a
 * path, and names in a document. Where two fit as well, none is taken.
 */
export function assign<R extends Route>(routes: readonly R[]): Assigned<R> {
  const candidates = [...shipped()[0].operations.values()]
    .filter(({ path }) => path !== '')
    .flatMap((operation) => routes.map((route) => ({ operation, route, score: scoreOf(operation, route) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const found = new Map<string, R>()
  const open = new Map<string, string>()
  const taken = new Set<R>()
  for (const { operation, route, score } of candidates) {
    if (found.has(operation.id) || open.has(operation.id) || taken.has(route)) continue
    const rival = candidates.find(
      (one) => one.operation === operation && one.route !== route && !taken.has(one.route) && score - one.score < CLOSE,
    )
    if (rival && score < NAMED) {
      const [one, other] = [route, rival.route].map(({ method, path }) => `${method} ${path}`)
      open.set(operation.id, `${one} and ${other} fit equally well`)
      continue
    }
    found.set(operation.id, route)
    taken.add(route)
  }
  return { routes: found, open }
}

function scoreOf(operation: TargetOperation, { method, path: whole, names, account = '' }: Route): number {
  const path = whole.replace(account, '')
  const isSame = method === operation.method && outline(path) === outline(operation.path)
  if (isSame) return EXACT
  // Where the specification gives the path, nothing else is meant.
  if (operation.specified) return 0
  const named = names.some((name) => keyOf(name) === keyOf(operation.id)) ? 0.5 : 0
  // The usual methods come first: where a service has two, it is the first of them.
  const each = (PATTERNS.get(operation.id) ?? []).map((pattern, index) => {
    const [wanted, ...rest] = pattern.split(' ')
    return wanted === method ? howWell(rest.join(' '), path) - index * LESS_USUAL : 0
  })
  const fits = Math.max(0, ...each)
  if (fits > 0) return fits + named
  // The collection of another kind of thing, whatever a document calls it.
  if (named === 0 || isElsewhere(operation, path)) return 0
  const methods = operation.id.startsWith('update-') ? ['PUT', 'PATCH', 'POST'] : [operation.method]
  const sameForm =
    methods.includes(method) && path.endsWith('}') === operation.path.endsWith('}') && !isOther(operation, path)
  return sameForm ? 0.9 + named : 0
}

function isElsewhere({ type = '' }: TargetOperation, path: string): boolean {
  const collection = path.replace(/\/\{[^}]*\}$/, '')
  return [...shipped()[0].resources.keys()].some(
    (other) =>
      other !== type && collectionOf(other) !== collectionOf(type) && howWell(collectionOf(other), collection) === 1,
  )
}

/** A path of another version of the interface than the operation's. */
function isOther({ path }: TargetOperation, other: string): boolean {
  const version = /^\/v\d/.exec(path)?.[0]
  const theirs = /^(?:\/api)?(\/v\d)/.exec(other)?.[1]
  return theirs !== undefined && theirs !== version
}

/** So many collections of the interface stand in an account. */
const MANY = 5
/** An account before its id, and the segment after that, as far as it is not one for the configuration. */
const IN_ACCOUNT = /^[^{]*\/([^/{]+)\/\{[^}]*\}\/(?:config\/|configuration\/|settings\/)?([^/{]+)/

/**
 * Routes of a target that has everything in an account, a tenant or the like: `/v1/accounts/{account_id}/boards`. Its id is
 * no placeholder, since all requests have the same. `idOf`: that id, by its name in the paths.
 */
export function withAccount<R extends Route>(
  routes: readonly R[],
  idOf: (name: string, inside: readonly R[]) => string | undefined,
): readonly R[] {
  const collections = new Map<string, Set<string>>()
  for (const { path } of routes) {
    const [, holder = '', collection = ''] = IN_ACCOUNT.exec(path) ?? []
    if (!isCollection(collection) || isCollection(holder)) continue
    collections.set(holder, (collections.get(holder) ?? new Set()).add(plain(collection)))
  }
  const [holder] = [...collections].find(([, words]) => words.size >= MANY) ?? []
  if (holder === undefined) return routes
  const place = new RegExp(`^([^{]*/${escapeRegExp(holder)}/)\\{([^}]*)\\}(?=/|$)`)
  const inside = routes.filter(({ path }) => place.test(path))
  const id = idOf(place.exec(inside[0]?.path ?? '')?.[2] ?? '', inside)
  if (id === undefined) return routes
  const own = encodeURIComponent(id)
  return routes.map((route) => {
    const path = route.path.replace(place, (_, before: string) => before + own)
    return path === route.path ? route : { ...route, path, account: `/${holder}/${own}` }
  })
}

/** A path without the names of its placeholders. */
export function outline(path: string): string {
  return path.replace(/\/$/, '').replaceAll(/\{[^}]*\}/g, '{}')
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  create: ['add', 'new', 'post'],
  get: ['read', 'fetch', 'show', 'retrieve'],
  list: ['index'],
  update: ['edit', 'change', 'modify', 'patch', 'put'],
  delete: ['remove', 'destroy'],
}

/** `listGatewayRoutes`, `gateway_routes.list` and `list-gateway-route` are one. */
function keyOf(name: string): string {
  const words = wordsIn(name)
    .filter((word) => !['a', 'an', 'the', 'by', 'id', 'of', 'all'].includes(word))
    .map((word) => Object.keys(VERBS).find((verb) => VERBS[verb]?.includes(word)) ?? plain(word))
  return words.sort().join(' ')
}

/** A path under our names of its placeholders: those that the shipped path of the operation has, in their order. */
export function withOurNames(path: string, operation: TargetOperation): string {
  const ours = namesInPath(operation.path)
  const theirs = namesInPath(path).length
  const alone = /archiving$/.test(operation.id) ? 'archiving_id' : 'pipeline_id'
  const names = ours.length === theirs || theirs !== 1 ? ours : [alone]
  let index = 0
  return path.replaceAll(/\{([^}]*)\}/g, (_, theirName: string) => {
    const name = names[index] ?? theirName
    index += 1
    return `{${name}}`
  })
}
