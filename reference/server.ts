import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonSchema, loadResourceSchemas } from '../schemas/load.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import { createValidator } from '../schemas/validator.ts'
import { type Authorize, authorize } from './core/auth.ts'
import { createHandle, type Handle, LARGEST_BODY } from './core/handle.ts'
import { mapAnswer, type Overlay, overlayRoutes } from './core/overlay.ts'
import { Refusal, refusalAnswer } from './core/refusal.ts'
import {
  type Answer,
  type Delivery,
  type Env,
  isPending,
  type PlainRequest,
  type Reply,
  type Route,
} from './core/route.ts'
import { withShapes } from './core/shapes.ts'
import { type Credentials, type Plan, type State, things } from './model/state.ts'
import { routes } from './routes.ts'
import { createCredentials, createState, OWNER } from './seed.ts'

export interface ReferenceOptions extends Partial<AppOptions> {
  /** 0, the default: one that is free */
  readonly port?: number
  readonly host?: string
  /** told of an error of the reference itself, which a client sees as 500; written to stderr where left out */
  readonly onFault?: (error: unknown) => void
}

/** A running reference target, and what a client needs to know of it. */
export interface Reference {
  readonly url: string
  readonly credentials: Credentials
  /** what exists from the start, in the form of a target configuration */
  readonly resources: NonNullable<TargetConfig['resources']>
  /** stops listening and ends every connection */
  close(): Promise<void>
}

/** Idle connections live longer than those of clients, so that none is closed under a request; long URLs are taken. */
const SERVER_OPTIONS = { keepAliveTimeout: 65_000, headersTimeout: 70_000, maxHeaderSize: 65_536 }

interface Serving {
  readonly app: App
  readonly onFault: (error: unknown) => void
}

/** Starts the service on a socket. Rejects where the address cannot be had. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const app = createApp({ ...options, now: options.now ?? Date.now, newId: options.newId ?? randomUUID })
  const serving: Serving = { app, onFault: options.onFault ?? console.error }
  const { now } = options
  const server = createServer(SERVER_OPTIONS, (incoming, outgoing) => {
    // Its responses tell the time by the clock that it goes by.
    if (now) outgoing.setHeader('date', new Date(now()).toUTCString())
    receive(serving, incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    credentials: app.state.credentials,
    resources: resourcesOf(app.state),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function resourcesOf(state: State): Reference['resources'] {
  const members = [...things(state, 'member').values()].filter(({ body }) => body.role !== 'owner')
  return {
    ownerEmail: OWNER,
    memberEmails: members.map(({ body }) => String(body.email)),
    screenIds: [...things(state, 'screen').keys()],
    exclusionIds: [...things(state, 'exclusion').keys()],
  }
}

function receive(serving: Serving, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const chunks: Buffer[] = []
  let size = 0
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
    else chunks.length = 0
  })
  incoming.on('end', () => {
    const request = plain(incoming, chunks)
    if (size > LARGEST_BODY) {
      // The rest of the body has been read and dropped, so that the connection stays of use.
      const refusal = new Refusal('PayloadTooLarge', `a body may have ${LARGEST_BODY} bytes`)
      send(outgoing, refusalAnswer(refusal, styleOf(request)))
      return
    }
    const { handle, state, env } = serving.app
    settle(serving, outgoing, request, () => handle(state, request, env))
  })
  incoming.on('error', () => outgoing.destroy())
}

function plain(incoming: IncomingMessage, chunks: readonly Buffer[]): PlainRequest {
  // An absolute form (`GET http://host/path`) is what clients of a proxy send.
  const target = (incoming.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    search: mark === -1 ? '' : target.slice(mark + 1),
    // Only set-cookie, which no request carries to any effect, is an array.
    headers: incoming.headers as PlainRequest['headers'],
    body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
  }
}

// Asks for the reply, and again when a pending one is due; gives up when the client has gone.
function settle(serving: Serving, outgoing: ServerResponse, request: PlainRequest, ask: () => Reply): void {
  if (outgoing.destroyed) return
  let reply: Reply
  try {
    reply = ask()
  } catch (error) {
    serving.onFault(error)
    reply = refusalAnswer(new Refusal('InternalServerError', 'the request could not be handled'), styleOf(request))
  }
  if (isPending(reply)) {
    const { resume, resumeAt } = reply
    const wait = Math.max(0, resumeAt - serving.app.env.now())
    setTimeout(() => settle(serving, outgoing, request, resume), wait)
    return
  }
  send(outgoing, reply)
}

function send(outgoing: ServerResponse, answer: Answer): void {
  if (answer.text !== undefined) {
    const { delivery } = answer
    // Without either of the two headers the end of the connection is all that is left.
    if (delivery?.untilClose) outgoing.removeHeader('transfer-encoding')
    outgoing.writeHead(answer.status, { ...answer.headers, ...(delivery?.untilClose && { connection: 'close' }) })
    stream(outgoing, answer.text[Symbol.iterator](), delivery)
    return
  }
  if (answer.json === undefined) {
    outgoing
      .writeHead(answer.status, { ...answer.headers, ...(answer.status !== 204 && { 'content-length': 0 }) })
      .end()
    return
  }
  const { coding, charset = 'utf-8' } = answer.delivery ?? {}
  const body = Buffer.from(JSON.stringify(answer.json), coding)
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    'content-type': `application/json; charset=${charset}`,
    'content-length': body.length,
  })
  outgoing.end(body)
}

// Makes the next piece only when the client has taken the ones before, and not before the pause is over.
function stream(outgoing: ServerResponse, pieces: Iterator<string>, delivery: Delivery = {}): void {
  const { everyMs = 0, coding = 'utf8' } = delivery
  for (;;) {
    const next = pieces.next()
    if (next.done) {
      outgoing.end()
      return
    }
    const more = outgoing.write(next.value, coding)
    if (everyMs > 0) {
      setTimeout(() => stream(outgoing, pieces, delivery), everyMs)
      return
    }
    if (!more) {
      outgoing.once('drain', () => stream(outgoing, pieces))
      return
    }
  }
}

function styleOf(request: PlainRequest): Route['errors'] {
  return request.path.startsWith('/v3/') ? 'v3' : 'v1'
}

export interface AppOptions {
  /** milliseconds since the epoch */
  readonly now: () => number
  /** a fresh UUID */
  readonly newId: () => string
  /** rules for request bodies; the specification's where left out */
  readonly schemas?: ReadonlyMap<string, JsonSchema>
  /** laid over each other, the last one on top */
  readonly overlays?: readonly Overlay[]
  readonly credentials?: Partial<Credentials>
  readonly plan?: Partial<Plan>
}

/** The service with its state, ready to answer. */
export interface App {
  readonly handle: Handle
  readonly state: State
  readonly env: Env
}

/** Puts state, rules, operations and overlays together. */
export function createApp(options: AppOptions): App {
  const overlays = options.overlays ?? []
  let schemas: ReadonlyMap<string, JsonSchema> = withShapes(options.schemas ?? loadResourceSchemas())
  let operations: readonly Route[] = routes
  let mayPass: Authorize = authorize
  for (const overlay of overlays) {
    schemas = overlay.schemas?.(schemas) ?? schemas
    operations = overlayRoutes(operations, overlay)
    mayPass = overlay.authorize?.(mayPass) ?? mayPass
  }
  const { now, newId } = options
  const state = createState(createCredentials(newId, options.credentials), options, options.plan)
  for (const overlay of overlays) overlay.state?.(state)
  const handle = createHandle(operations, mayPass, (reply, request, env, operation) =>
    overlays.reduce((before, { answer, reply: change }) => {
      const answered = answer ? mapAnswer(before, (one) => answer(one, request, operation)) : before
      return change ? change(answered, request, env, operation) : answered
    }, reply),
  )
  return { handle, state, env: { now, newId, validator: createValidator(schemas) } }
}
