import { RecordingWriter } from '../../fixtures/recording/write.ts'
import type { Exchange, HarHeader } from '../../schemas/types/exchange.ts'

export interface TrafficSize {
  readonly exchanges: number
  /** pipelines that the traffic is about, each with a transform, a source, a gateway route and state variables */
  readonly pipelines: number
  /** credentials that send it, each over a connection of its own */
  readonly clients: number
  /** bytes after which a segment is closed */
  readonly segmentBytes?: number
  readonly compress: boolean
  /** no read shows the title that was written last */
  readonly contradicts?: boolean
}

const BASE = 'http://logs.example.com'
const START = Date.UTC(2026, 0, 1)
/** Milliseconds from one request to the next, and from each to its answer. */
const PACE = 0.1
const LATENCY = 0.8

/** What the account holds of one pipeline: how often each part of it was written. */
interface Stored {
  readonly number: number
  transform: number
  source: number
  route: number
  state: number
}

interface Message {
  readonly method: 'GET' | 'PUT' | 'PATCH'
  readonly path: string
  readonly operation: string
  readonly sent?: unknown
  readonly got: unknown
}

/**
 * Writes a recording as a proxy does, of the traffic of configuration tools: three reads to two updates, bodies of 300
 * bytes to 2 KB. An exchange takes some 2 KB on disk. The target keeps every rule. The same size gives the same
 * recording.
 */
export async function writeTraffic(folder: string, size: TrafficSize): Promise<void> {
  const about = { tool: 'bench', startedAt: new Date(START).toISOString(), target: BASE, binding: 'reference' }
  const { compress, segmentBytes } = size
  const bounds = segmentBytes === undefined ? {} : { segmentBytes }
  const writer = new RecordingWriter(folder, { base: BASE, about, compress, ...bounds })
  const account = Array.from({ length: size.pipelines }, (_, number): Stored => {
    return { number, transform: 0, source: 0, route: 0, state: 0 }
  })
  const next = generator()
  for (let index = 0; index < size.exchanges; index += 1) {
    const stored = account[next() % size.pipelines]
    const pick = PICKS[next() % PICKS.length]
    if (!stored || !pick) continue
    // The client that made a thing manages it; one request in eight is another client's.
    const owner = next() % 8 > 0 ? stored.number : next()
    const message = pick(stored)
    const shown = size.contradicts === true && message.method === 'GET' ? contradicted(message) : message
    writer.append(exchangeOf(index, owner % size.clients, shown))
    // The disk is slower than this loop: what waits for it should not fill the memory.
    if (index % 50_000 === 49_999) await writer.flush()
  }
  await writer.close()
}

type Pick = (stored: Stored) => Message

const PICKS: readonly Pick[] = [
  ...times(4, (stored) => read('get-pipeline', pipelinePath(stored), pipeline(stored))),
  ...times(4, (stored) => read('get-transform', nodePath(stored, 'transform'), node(stored, 'transform'))),
  ...times(4, (stored) => writeNode(stored, 'transform')),
  ...times(2, (stored) => writeNode(stored, 'source')),
  (stored) => read('get-source', nodePath(stored, 'source'), node(stored, 'source')),
  (stored) =>
    read('get-state-variables', `/v3/pipeline/state-variable?pipeline_id=${id(stored, 1)}`, {
      meta: { type: 'state-variable', pk: 'id' },
      data: { id: id(stored, 5), pipeline_id: id(stored, 1), state: stateOf(stored) },
    }),
  writeState,
  writeRoute,
  () => read('list-views', '/v1/config/view', VIEWS),
  () => read('list-enterprise-keys', '/v1/enterprise/keys', KEYS),
]

function read(operation: string, path: string, got: unknown): Message {
  return { method: 'GET', path, operation, got }
}

function contradicted(message: Message): Message {
  return { ...message, got: JSON.parse(JSON.stringify(message.got).replaceAll(' of round ', ' of no round ')) }
}

function pipelinePath(stored: Stored): string {
  return `/v3/pipeline/${id(stored, 1)}`
}

function nodePath(stored: Stored, kind: 'transform' | 'source'): string {
  return `${pipelinePath(stored)}/${kind}/${id(stored, kind === 'transform' ? 2 : 3)}`
}

function pipeline(stored: Stored): object {
  const stages = [3, 6, 7, 8].map((part) => id(stored, part))
  return {
    meta: { type: 'pipeline', pk: 'id' },
    data: {
      id: id(stored, 1),
      title: `pipeline ${stored.number}`,
      description: text(stored.number, 200),
      deploy_type: 'saas',
      processing_status: 'enabled',
      ...STAMPS,
      published_at: null,
      sources: stages.slice(0, 1),
      transforms: stages.slice(1),
      transform_groups: [],
      edges: [],
    },
  }
}

/** The fields of a transform or a source that a client writes. */
function written(stored: Stored, kind: 'transform' | 'source'): Record<string, unknown> {
  const round = stored[kind]
  return {
    user_config: kind === 'source' ? { decoding: 'bytes' } : { rate: 50 + (round % 50) },
    generation_id: round + 1,
    ...(kind === 'source' ? {} : { inputs: [id(stored, 3)] }),
    title: `${kind} ${stored.number} of round ${round}`,
    description: text(stored.number + round, 100 + ((stored.number * 37) % 500)),
    deploy_type: 'saas',
  }
}

function node(stored: Stored, kind: 'transform' | 'source'): object {
  const own = { pipeline_id: id(stored, 1), id: id(stored, kind === 'transform' ? 2 : 3) }
  const type = kind === 'source' ? 'http' : 'sample'
  const round = stored[kind]
  return {
    meta: { type: kind, pk: 'id' },
    data: { ...own, type, ...written(stored, kind), generation_id: round + 2, ...STAMPS },
  }
}

function writeNode(stored: Stored, kind: 'transform' | 'source'): Message {
  stored[kind] += 1
  const sent = written(stored, kind)
  const operation = `update-${kind}`
  return { method: 'PUT', path: nodePath(stored, kind), operation, sent, got: node(stored, kind) }
}

function stateOf(stored: Stored): object {
  return { cursor: `at ${stored.state}`, region: 'eu-central', batch: stored.state, enabled: true }
}

function writeState(stored: Stored): Message {
  stored.state += 1
  const own = { pipeline_id: id(stored, 1), state: stateOf(stored) }
  return {
    method: 'PATCH',
    path: '/v3/pipeline/state-variable',
    operation: 'update-state-variables',
    sent: own,
    got: { meta: { type: 'state-variable', pk: 'id' }, data: { id: id(stored, 5), ...own } },
  }
}

function writeRoute(stored: Stored): Message {
  stored.route += 1
  const own = { title: `route ${stored.number}`, description: text(stored.route, 300), legacy_routing: false }
  return {
    method: 'PATCH',
    path: `/v3/pipeline/gateway-route/${id(stored, 4)}`,
    operation: 'update-gateway-route',
    sent: own,
    got: {
      meta: { type: 'gateway-route', pk: 'id' },
      data: { id: id(stored, 4), ...own, signing_keys: [], access_keys: [], ...STAMPS },
    },
  }
}

const STAMPS = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }

const VIEWS = Array.from({ length: 6 }, (_, number) => ({
  name: `view ${number}`,
  query: 'level:error',
  hosts: [`host-${number}`],
  apps: [`app-${number}`],
  levels: ['error', 'warn'],
  tags: ['production', 'europe'],
  category: [],
  viewid: uuid(number, 9),
}))

const KEYS = Array.from({ length: 8 }, (_, number) => ({
  id: uuid(number, 10),
  key: `<key-${String(number).padStart(8, '0')}>`,
  name: `key ${number}`,
  type: number % 2 === 0 ? 'ingestion' : 'service',
  created: START + number,
}))

function exchangeOf(index: number, client: number, message: Message): Exchange {
  const { method, path, operation, sent, got } = message
  const start = START + Math.round(index * PACE * 1000) / 1000
  const request = sent === undefined ? undefined : JSON.stringify(sent)
  const response = JSON.stringify(got)
  const enterprise = path.startsWith('/v1/enterprise')
  const number = index.toString(16).padStart(12, '0')
  return {
    startedDateTime: new Date(start).toISOString(),
    time: LATENCY,
    request: {
      method,
      url: BASE + path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers({
        host: 'logs.example.com',
        'user-agent': 'configuration-tool/3.1 (linux; x64) node/20.20.0',
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        [enterprise ? 'enterprise-servicekey' : 'authorization']: enterprise
          ? `<enterprise-key:client-${client}>`
          : `Token <access-token:client-${client}>`,
        traceparent: `00-0af7651916cd43dd8448${number}-b7ad6b7169203331-01`,
        ...(request === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(request.length) }),
      }),
      queryString: [...new URLSearchParams(path.split('?')[1] ?? '')].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: request?.length ?? 0,
      ...(request === undefined ? {} : { postData: { mimeType: 'application/json', text: request } }),
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(response.length),
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        connection: 'keep-alive',
        'keep-alive': 'timeout=65',
        'x-request-id': `5f0e9b1c-9d0a-4b8e-8a53-${number}`,
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cache-control': 'no-store',
      }),
      content: { size: response.length, mimeType: 'application/json; charset=utf-8', text: response },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.length,
    },
    cache: {},
    timings: { send: 0, wait: LATENCY, receive: 0 },
    _id: `bench-${String(index).padStart(9, '0')}`,
    _start: start,
    _end: start + LATENCY,
    _outcome: 'complete',
    _operation: operation,
    _credentials: [{ scheme: enterprise ? 'enterprise-key' : 'access-token', state: 'other' }],
    _connection: client + 1,
  }
}

function headers(named: Readonly<Record<string, string>>): HarHeader[] {
  return Object.entries(named).map(([name, value]) => ({ name, value }))
}

function id({ number }: Stored, part: number): string {
  return uuid(number, part)
}

function uuid(number: number, part: number): string {
  return `5f0e9b1c-9d0a-4b8e-8a${part.toString(16).padStart(2, '0')}-${number.toString(16).padStart(12, '0')}`
}

const WORDS = 'reads lines of the shop and keeps what is of use to those who look after it while it sells '

function text(seed: number, length: number): string {
  const from = seed % WORDS.length
  return (WORDS.slice(from) + WORDS.repeat(Math.ceil(length / WORDS.length))).slice(0, length)
}

function times(count: number, pick: Pick): Pick[] {
  return Array.from({ length: count }, () => pick)
}

/** Whole numbers that look like chance and are always the same (xorshift). */
function generator(): () => number {
  let state = 0x2545f491
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
