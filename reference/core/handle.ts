import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { operationRow } from '../../schemas/service.ts'
import type { State } from '../model/state.ts'
import type { Authorize } from './auth.ts'
import { Refusal, refusalAnswer, violated } from './refusal.ts'
import { type Answer, type Call, type Env, isPending, type PlainRequest, type Reply, type Route } from './route.ts'

/**
 * The whole service as a function. Its only effect is that it changes the given state in place. The same state, request
 * and environment give the same reply and the same new state.
 */
export type Handle = (state: State, request: PlainRequest, env: Env) => Reply

export function createHandle(
  routes: readonly Route[],
  authorize: Authorize,
  finish: (reply: Reply, request: PlainRequest, env: Env, operation: string | undefined) => Reply = (reply) => reply,
): Handle {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] })
  // The router keeps the order in which routes are added: literal segments have to come before placeholders.
  for (const route of [...routes].sort((a, b) => placeholdersOf(a) - placeholdersOf(b))) {
    router.add(route.method, route.path.replaceAll(/\{([^}]+)\}/g, ':$1'), route)
  }
  const methods = [...new Set(routes.map((route) => route.method))]

  return (state, request, env) => {
    const found = router.match(request.method, request.path)[0][0]
    if (!found) {
      const known = (method: string): boolean => router.match(method, request.path)[0].length > 0
      return finish(unknownRoute(request, methods, known), request, env, undefined)
    }
    const [route, raw] = found as [Route, Record<string, string>]
    const reply = guarded(route.errors, () => {
      if (!authorize(route.access, request.headers, state)) {
        throw new Refusal('NotAuthorized', 'the request carries no valid credential for this operation')
      }
      const query = new URLSearchParams(request.search)
      const plain = withoutCoding(request)
      const body = route.schema === undefined ? undefined : parseBody(plain, route, env)
      const call: Call = { state, env, request: plain, params: decoded(raw), query, body }
      return route.handler(call)
    })
    return finish(reply, request, env, route.operation)
  }
}

/** bytes; the largest body that any operation takes is 10 MB */
export const LARGEST_BODY = 11_000_000

const UNDO: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The request with its content coding undone, the last one first. Throws a Refusal. */
function withoutCoding(request: PlainRequest): PlainRequest {
  const codings = (request.headers['content-encoding'] ?? '').split(',').map((one) => one.trim().toLowerCase())
  const body = codings
    .filter((one) => one !== '' && one !== 'identity')
    .reduceRight<Uint8Array>((coded, coding) => {
      const undo = Object.hasOwn(UNDO, coding) ? UNDO[coding] : undefined
      if (!undo) throw new Refusal('UnsupportedMediaType', `the content coding ${coding} is not supported`)
      try {
        return undo(coded, { maxOutputLength: LARGEST_BODY })
      } catch (error) {
        const isLong = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
        throw isLong
          ? new Refusal('PayloadTooLarge', `a body may have ${LARGEST_BODY} bytes`)
          : new Refusal('BadRequest', `the body is not ${coding}`)
      }
    }, request.body)
  return body === request.body ? request : { ...request, body }
}

/** Turns a refusal into its answer, also one that is thrown when a pending reply is resumed. */
function guarded(style: Route['errors'], run: () => Reply): Reply {
  try {
    const reply = run()
    if (!isPending(reply)) return reply
    return { resumeAt: reply.resumeAt, resume: () => guarded(style, reply.resume) }
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, style)
    throw error
  }
}

function parseBody(request: PlainRequest, { operation, schema = '' }: Route, env: Env): unknown {
  const type = request.headers['content-type']
  if (request.body.length > 0 && type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal('UnsupportedMediaType', 'the body is expected as application/json')
  }
  const body = parseJson(request.body)
  const { gap, request: stated } = operationRow(operation) ?? {}
  // Beside the form that the reference gives it: what the text says of an operation that it gives no path.
  const also = gap === undefined || !stated ? [] : [stated.schema]
  const violations = [schema, ...also].flatMap((one) => env.validator.violations(one, body))
  if (violations.length > 0) throw violated(violations)
  return body
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON value in the bytes. Throws a Refusal (400) where they are no UTF-8 or no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Refusal('BadRequest', 'the request has no body')
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new Refusal('BadRequest', 'the body is not valid JSON')
  }
}

function unknownRoute(request: PlainRequest, methods: readonly string[], known: (method: string) => boolean): Answer {
  const style: Route['errors'] = request.path.startsWith('/v3/') ? 'v3' : 'v1'
  const allowed = methods.filter(known)
  if (allowed.length === 0) return refusalAnswer(new Refusal('NotFound', 'there is nothing at this path'), style)
  const answer = refusalAnswer(new Refusal('MethodNotAllowed', `the path takes ${allowed.join(', ')}`), style)
  return { ...answer, headers: { allow: allowed.join(', ') } }
}

function placeholdersOf(route: Route): number {
  return route.path.split('/').filter((segment) => segment.startsWith('{')).length
}

function decoded(raw: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.values(raw).some((value) => value.includes('%'))) return raw
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, decode(value)]))
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
