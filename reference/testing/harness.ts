import { at } from '../../schemas/pointer.ts'
import { type Answer, isPending, type PlainRequest, type Reply } from '../core/route.ts'
import type { Credentials } from '../model/state.ts'
import { type App, type AppOptions, createApp } from '../server.ts'

export const CREDENTIALS: Credentials = {
  accessToken: 'access',
  serviceKey: 'service',
  enterpriseServiceKey: 'enterprise',
  ingestionKey: 'ingestion',
  iam: { token: 'iam', cloudResourceName: 'cloud' },
}

export const TOKEN: Readonly<Record<string, string>> = { authorization: 'Token access' }
export const ENTERPRISE: Readonly<Record<string, string>> = { 'enterprise-servicekey': 'enterprise' }
export const APIKEY: Readonly<Record<string, string>> = { apikey: 'ingestion' }

/** An answer as a client sees it. */
export interface Seen {
  readonly status: number
  /** the parsed body; undefined where it is empty or no JSON */
  readonly json: unknown
  /** the value at a JSON pointer into the body */
  readonly at: (pointer: string) => unknown
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Sending {
  readonly body?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** An app with a clock that stands still until a reply is pending, and ids that count. */
export interface Harness {
  readonly app: App
  /** milliseconds since the epoch */
  readonly clock: { now: number }
  send(method: string, url: string, sending?: Sending): Seen
  /** sends and expects success */
  done(method: string, url: string, body?: unknown): Seen
  /** makes something and answers with its id */
  make(url: string, body: unknown): string
}

export function createHarness(options: Partial<AppOptions> = {}): Harness {
  const clock = { now: Date.UTC(2026, 2, 14, 12, 30) }
  const app = createApp({ now: () => clock.now, newId: countingIds(), credentials: CREDENTIALS, ...options })
  const send: Harness['send'] = (method, url, sending = {}) => {
    const reply = app.handle(app.state, requestOf(method, url, sending), app.env)
    return seen(settled(reply, clock))
  }
  const done: Harness['done'] = (method, url, body) => {
    const answer = send(method, url, { body })
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`)
    return answer
  }
  const make: Harness['make'] = (url, body) => {
    const answer = done('POST', url, body)
    return String(answer.at('/data/id') ?? answer.at('/id'))
  }
  return { app, clock, send, done, make }
}

/** A request with the access token, and with whatever other headers are given. */
export function requestOf(method: string, url: string, { body, bytes, headers = TOKEN }: Sending = {}): PlainRequest {
  const [path = '', search = ''] = url.split('?')
  const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const type = json ? { 'content-type': 'application/json' } : {}
  return { method, path, search, headers: { ...type, ...headers }, body: bytes ?? json ?? new Uint8Array() }
}

/** UUIDs that count from 1. */
export function countingIds(): () => string {
  let count = 0
  return () => {
    count += 1
    return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  }
}

/** The finished answer; the clock jumps to the times at which a pending reply is due. */
export function settled(reply: Reply, clock: { now: number }): Answer {
  let current = reply
  while (isPending(current)) {
    clock.now = Math.max(clock.now, current.resumeAt)
    current = current.resume()
  }
  return current
}

export function seen(answer: Answer): Seen {
  const text = answer.text ? [...answer.text].join('') : answer.json === undefined ? '' : JSON.stringify(answer.json)
  const json: unknown = answer.json === undefined ? undefined : JSON.parse(text)
  return { status: answer.status, json, text, headers: answer.headers ?? {}, at: (pointer) => at(json, pointer) }
}
