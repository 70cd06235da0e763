import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { generator } from '../../../reference/variants/core/variant.ts'

/**
 * What becomes of an exchange with a target in bad weather. The target never hears of the first ones. `done`: the
 * request is carried out anyway. `late`: it is carried out after the client got a 504. `stale`: a read is answered as
 * another one was, at most `STALE_MS` before. `bytes`: the response comes byte by byte. `close`: its connection ends.
 */
export type Trouble =
  | '429'
  | '500'
  | '502'
  | '503'
  | 'reset'
  | '500-done'
  | '504-done'
  | 'reset-done'
  | 'cut'
  | 'slow'
  | 'too-slow'
  | 'late'
  | 'stale'
  | 'bytes'
  | 'close'

/** One exchange with the target, before anything has become of it. */
export interface Moment {
  /** milliseconds since the first exchange */
  readonly at: number
  /** number of the exchange, from 0 */
  readonly count: number
  readonly method: string
  readonly path: string
  /** the next random number from 0 to 1 */
  random(): number
}

export type Forecast = (moment: Moment) => Trouble | undefined

/** A target in bad weather. */
export interface Weather {
  readonly url: string
  /** from now on requests go to another target */
  moveTo(url: string): void
  /** nothing listens for so many milliseconds */
  leave(ms: number): Promise<void>
  /** no more troubles from now on */
  end(): void
  close(): Promise<void>
}

export interface WeatherOptions {
  readonly seed: number
  /** milliseconds that the client waits for an answer */
  readonly timeout: number
  readonly forecast: Forecast
  /** values of `Retry-After`, in turn */
  readonly retryAfter?: readonly string[]
  /** milliseconds after which an idle connection is closed, which the client is not told */
  readonly idleMs?: number
}

/** Draws among troubles: how often each comes, of 1,000 exchanges. */
export function atRandom(of1000: Partial<Readonly<Record<Trouble, number>>>): Forecast {
  const troubles = Object.entries(of1000) as [Trouble, number][]
  return ({ random }) => {
    let rest = random() * 1_000
    for (const [trouble, often] of troubles) {
      rest -= often
      if (rest < 0) return trouble
    }
    return undefined
  }
}

/**
 * A tenth of all exchanges fails. For more than a quarter of the failures nobody knows whether the request was carried
 * out.
 */
export const TENTH: Forecast = atRandom({
  '500': 15,
  '502': 25,
  '503': 25,
  reset: 5,
  '500-done': 10,
  '504-done': 10,
  'reset-done': 5,
  cut: 5,
  slow: 20,
  'too-slow': 1,
  late: 4,
})

const BODY = '{"error":"in bad weather","code":"Trouble","status":"error"}'
const JSON_TYPE = { 'content-type': 'application/json' }
const SLOW_MS = 100
const LATE_MS = 1_000
const STALE_MS = 2_000
/** Longer bodies come whole. */
const MOST_BYTES = 10_000

interface Answered {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** One request, read whole, and all that decides what becomes of it. */
interface Asked extends Pick<WeatherOptions, 'timeout'> {
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
  readonly random: () => number
  /** of a request that is put off */
  readonly retryAfter: () => string
  /** a response to the same read, not long ago */
  readonly earlier: Answered | undefined
  /** has the target carry it out */
  readonly carryOut: (then: (answered: Answered) => void) => void
}

function say({ response }: Asked, status: number, more: OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { ...JSON_TYPE, ...more }).end(BODY)
}

/** What happens in place of asking the target. */
const INSTEAD: Partial<Readonly<Record<Trouble, (asked: Asked) => void>>> = {
  '429': (asked) => say(asked, 429, { 'retry-after': asked.retryAfter() }),
  '500': (asked) => say(asked, 500),
  '502': (asked) => say(asked, 502),
  '503': (asked) => say(asked, 503),
  reset: ({ incoming }) => incoming.socket.destroy(),
  late(asked) {
    say(asked, 504)
    setTimeout(() => asked.carryOut(() => {}), LATE_MS * asked.random())
  },
  stale: (asked) =>
    asked.earlier ? answer(asked, asked.earlier) : asked.carryOut((answered) => answer(asked, answered)),
}

/** What happens once the target has answered. */
const AFTERWARDS: Partial<Readonly<Record<Trouble, (asked: Asked, answered: Answered) => void>>> = {
  '500-done': (asked) => say(asked, 500),
  '504-done': (asked) => say(asked, 504),
  'reset-done': ({ response }) => response.destroy(),
  cut({ response }, { status, body }) {
    response.writeHead(status, { ...JSON_TYPE, 'content-length': String(body.length + 10) })
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
  },
  slow: (asked, answered) => setTimeout(() => answer(asked, answered), SLOW_MS * asked.random()),
  'too-slow': (asked, answered) => setTimeout(() => answer(asked, answered), asked.timeout * 1.5),
  bytes(asked, answered) {
    const { response } = asked
    if (answered.body.length > MOST_BYTES) return answer(asked, answered)
    response.socket?.setNoDelay(true)
    begin(asked, answered, /^(?:connection|keep-alive|content-length)$/i)
    for (const byte of answered.body) response.write(Buffer.of(byte))
    response.end()
  },
  close(asked, answered) {
    asked.response.setHeader('connection', 'close')
    answer(asked, answered)
  },
}

function answer(asked: Asked, answered: Answered): void {
  begin(asked, answered, /^(?:connection|keep-alive)$/i)
  asked.response.end(answered.body)
}

function begin({ response }: Asked, { status, headers }: Answered, without: RegExp): void {
  for (let place = 0; place + 1 < headers.length; place += 2) {
    const [name = '', value = ''] = headers.slice(place, place + 2)
    if (!without.test(name)) response.setHeader(name, value)
  }
  response.writeHead(status)
}

/** Stands before the target at `url`, and decides what becomes of each exchange. */
export async function startWeather(url: string, options: WeatherOptions): Promise<Weather> {
  const { seed, timeout, forecast, retryAfter = ['0'], idleMs = 65_000 } = options
  const random = generator(seed)
  let count = 0
  const ask = createUpstream(url)
  let begun: number | undefined
  let putOff = 0
  let over = false

  function draw({ method = '', url: path = '' }: IncomingMessage): Trouble | undefined {
    begun ??= Date.now()
    return over ? undefined : forecast({ at: Date.now() - begun, count: count++, method, path, random })
  }

  const server = createServer({ keepAliveTimeout: idleMs, maxHeaderSize: 65_536 }, (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.once('end', () => {
      const trouble = draw(incoming)
      const body = Buffer.concat(chunks)
      const asked: Asked = {
        ...{ incoming, body, response, random, timeout },
        retryAfter: () => retryAfter[putOff++ % retryAfter.length] ?? '',
        earlier: ask.earlier(incoming),
        carryOut: (then) => ask.ask(incoming, body, then, () => response.destroy()),
      }
      const instead = trouble && INSTEAD[trouble]
      if (instead) return instead(asked)
      asked.carryOut((answered) => ((trouble && AFTERWARDS[trouble]) ?? answer)(asked, answered))
    })
  })
  const port = await listen(server, 0)
  return {
    url: `http://127.0.0.1:${port}`,
    moveTo: ask.moveTo,
    async leave(ms) {
      await close(server)
      await new Promise((done) => setTimeout(done, ms))
      await listen(server, port)
    },
    end: () => {
      over = true
    },
    close: () => close(server),
  }
}

interface Upstream {
  ask(incoming: IncomingMessage, body: Buffer, then: (answered: Answered) => void, failed: () => void): void
  /** What the same read got, if that was not long ago. */
  earlier(incoming: IncomingMessage): Answered | undefined
  moveTo(url: string): void
}

function createUpstream(first: string): Upstream {
  let url = new URL(first)
  const seen = new Map<string, { readonly at: number; readonly answered: Answered }>()
  return {
    ask(incoming, body, then, failed) {
      const { hostname, port } = url
      const { method, headers, url: path } = incoming
      const at = Date.now()
      const onward = request({ hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => {
          const { statusCode = 502, rawHeaders } = response
          const answered = { status: statusCode, headers: rawHeaders, body: Buffer.concat(chunks) }
          if (method === 'GET') seen.set(keyOf(incoming), { at, answered })
          then(answered)
        })
      })
      onward.on('error', failed).end(body)
    },
    earlier(incoming) {
      const known = incoming.method === 'GET' ? seen.get(keyOf(incoming)) : undefined
      return known && Date.now() - known.at < STALE_MS ? known.answered : undefined
    },
    moveTo(next) {
      url = new URL(next)
    },
  }
}

/** Other credentials may get another response. */
function keyOf({ url, headers }: IncomingMessage): string {
  const { host: _host, ...others } = headers
  return JSON.stringify([url, others])
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}
