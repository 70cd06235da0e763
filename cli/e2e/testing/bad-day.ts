import { type ClientRequest, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { generator } from '../../../reference/variants/general/unstable.ts'

/**
 * What becomes of an exchange with a target on a bad day. The target never hears of the first four. `done`: the request
 * is carried out anyway. `late`: it is carried out after the client got a 504.
 */
const TROUBLES = [
  '500',
  '502',
  '503',
  'reset',
  '500-done',
  '504-done',
  'reset-done',
  'cut',
  'slow',
  'too-slow',
  'late',
] as const
type Trouble = (typeof TROUBLES)[number]

export interface BadDay {
  readonly listener: RequestListener
  /** how often each trouble was made */
  readonly counts: ReadonlyMap<Trouble, number>
  /** no more troubles from now on */
  end(): void
}

export interface BadDayOptions {
  readonly seed: number
  /** milliseconds that the client waits for an answer */
  readonly timeout: number
  /** how often there is trouble, of 1,000 exchanges */
  readonly of1000: Partial<Readonly<Record<Trouble, number>>>
}

/**
 * A tenth of all exchanges fails. For more than a quarter of the failures nobody knows whether the request was carried
 * out.
 */
export const TENTH: BadDayOptions['of1000'] = {
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
}

const BODY = '{"error":"on a bad day","code":"Trouble","status":"error"}'
const JSON_TYPE = { 'content-type': 'application/json' }
const SLOW_MS = 100
const LATE_MS = 1_000

/** Stands before a target at `url` and lets exchanges fail at random. */
export function badDay(url: string, { seed, timeout, of1000 }: BadDayOptions): BadDay {
  const { hostname, port } = new URL(url)
  const random = generator(seed)
  const counts = new Map<Trouble, number>()
  let over = false

  function draw(): Trouble | undefined {
    let rest = over ? 1_000 : random() * 1_000
    for (const trouble of TROUBLES) {
      rest -= of1000[trouble] ?? 0
      if (rest >= 0) continue
      counts.set(trouble, (counts.get(trouble) ?? 0) + 1)
      return trouble
    }
    return undefined
  }

  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    const trouble = draw()
    if (trouble === '500' || trouble === '502' || trouble === '503') {
      incoming.resume().once('end', () => response.writeHead(Number(trouble), JSON_TYPE).end(BODY))
      return
    }
    if (trouble === 'reset') {
      incoming.resume().once('end', () => incoming.socket.destroy())
      return
    }
    const { method, headers, url: path } = incoming
    if (trouble === 'late') {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('end', () => {
        response.writeHead(504, JSON_TYPE).end(BODY)
        const later = (): void => {
          const onward = request({ hostname, port, path, method, headers }, (answer) => answer.resume())
          onward.on('error', () => {}).end(Buffer.concat(chunks))
        }
        setTimeout(later, LATE_MS * random())
      })
      return
    }
    const onward: ClientRequest = request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () => answerWith(trouble, answer, Buffer.concat(chunks), response))
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  }

  function answerWith(
    trouble: Trouble | undefined,
    answer: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const whole = (): void => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      response.end(body)
    }
    switch (trouble) {
      case '500-done':
      case '504-done':
        return void response.writeHead(Number(trouble.slice(0, 3)), JSON_TYPE).end(BODY)
      case 'reset-done':
        return void response.destroy()
      case 'cut':
        response.writeHead(answer.statusCode ?? 502, { ...JSON_TYPE, 'content-length': String(body.length + 10) })
        return void response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
      case 'slow':
        return void setTimeout(whole, SLOW_MS * random())
      case 'too-slow':
        return void setTimeout(whole, timeout * 1.5)
      default:
        whole()
    }
  }

  return {
    listener,
    counts,
    end: () => {
      over = true
    },
  }
}
