import { gunzipSync, inflateSync } from 'node:zlib'
import { parseJson } from '../core/handle.ts'
import { ok } from '../core/message.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, type Route } from '../core/route.ts'
import { toMilliseconds } from '../core/times.ts'
import { type NewLine, storeLine } from '../model/lines.ts'
import { excludes } from './exclusions.ts'

/** bytes */
const MOST = { body: 10_000_000, line: 16_384, meta: 32_768 }
/** characters */
const LONGEST = { host: 256, app: 512, level: 80, tag: 80 }

/** What all lines of a request have in common. */
interface Sender {
  readonly host: string
  readonly mac: string
  readonly ip: string
  readonly tags: readonly string[]
}

/**
 * Stores the lines of a request. Lines that an active exclusion rule matches are dropped, and all of them while
 * ingestion is suspended, which the sender does not notice. Where some lines are malformed the others are stored, and
 * the answer is 207 with a status for each.
 */
const ingest: Handler = (call) => {
  const sender = senderOf(call.query)
  const lines = linesIn(parseJson(unpacked(call)))
  const parsed = lines.map((line) => lineOf(line, sender, call.env.now()))
  const { exclusions, suspension, lines: store } = call.state
  if (!suspension.suspended) {
    const dropped = excludes([...exclusions.values()])
    for (const line of parsed) if (line && !dropped(line)) storeLine(store, line)
  }
  if (parsed.every((line) => line !== undefined)) return ok({ status: 'ok' })
  return { status: 207, json: { status: parsed.map((line) => (line ? 200 : 400)) } }
}

function senderOf(query: URLSearchParams): Sender {
  const host = query.get('hostname') ?? ''
  if (host === '') throw invalid('query parameter hostname', 'must be there')
  if (host.length > LONGEST.host) throw invalid('query parameter hostname', `may have ${LONGEST.host} characters`)
  const tags = query.getAll('tags').flatMap((list) => list.split(','))
  const known = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  if (known.some((tag) => tag.length > LONGEST.tag)) throw invalid('query parameter tags', 'holds too long a tag')
  return { host, mac: query.get('mac') ?? '', ip: query.get('ip') ?? '', tags: known }
}

function unpacked(call: Call): Uint8Array {
  const { body, headers } = call.request
  const bytes = decompressed(body, headers['content-encoding']?.trim().toLowerCase())
  if (bytes.length > MOST.body) throw new Refusal('PayloadTooLarge', `a body may have ${MOST.body} bytes`)
  return bytes
}

function decompressed(body: Uint8Array, encoding: string | undefined): Uint8Array {
  // One byte more than allowed is enough to know that there are too many.
  const options = { maxOutputLength: MOST.body + 1 }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, options)
    if (encoding === 'deflate') return inflateSync(body, options)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Refusal('PayloadTooLarge', `a body may have ${MOST.body} bytes when it is unpacked`)
    }
    throw new Refusal('BadRequest', `the body is not valid ${encoding}`)
  }
  if (encoding === undefined || encoding === '' || encoding === 'identity') return body
  throw new Refusal('UnsupportedMediaType', `the content encoding ${encoding} is not known`)
}

/** The lines of either body form: `{lines: […]}`, or `{e: 'ls', ls: […]}` of older clients. */
function linesIn(body: unknown): readonly unknown[] {
  const { lines, ls } = (typeof body === 'object' && body !== null ? body : {}) as { lines?: unknown; ls?: unknown }
  const found = lines ?? ls
  if (!Array.isArray(found)) throw invalid('/lines', 'must be an array')
  return found
}

/** The line to store; undefined where it is malformed. */
function lineOf(sent: unknown, sender: Sender, now: number): NewLine | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const { line, timestamp, app = '', level = '', env = '', meta } = sent as Readonly<Record<string, unknown>>
  if (typeof line !== 'string' || Buffer.byteLength(line) > MOST.line) return undefined
  if (typeof app !== 'string' || app.length > LONGEST.app) return undefined
  if (typeof level !== 'string' || level.length > LONGEST.level) return undefined
  if (typeof env !== 'string') return undefined
  if (meta !== undefined && Buffer.byteLength(JSON.stringify(meta)) > MOST.meta) return undefined
  const ts = timestamp === undefined || timestamp === null ? now : timeOf(timestamp)
  if (ts === undefined) return undefined
  const { host, mac, ip, tags } = sender
  return { ts, line, host, app, level, env, tags, mac, ip, meta }
}

function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'number' && typeof timestamp !== 'string') return undefined
  return toMilliseconds(String(timestamp))
}

export const ingestionRoutes: readonly Route[] = [
  family('ingestion', 'v1')('ingest-lines', 'POST', '/logs/ingest', ingest),
]

/** The second call has to follow within this time. */
const GUARD_LIFETIME = 600_000

const status: Handler = (call) => ok({ isIngesting: !call.state.suspension.suspended })

/** The first of the two calls: suspends nothing, hands out what the second needs. An earlier token is of no use then. */
const suspend: Handler = (call) => {
  const token = call.env.newId()
  call.state.suspension.guard = { token, expiresAt: call.env.now() + GUARD_LIFETIME }
  return ok({ token })
}

/** The second call. A token is used up by it. */
const confirm: Handler = (call) => {
  const { suspension } = call.state
  const { guard } = suspension
  if (!guard || bodyOf(call).token !== guard.token || call.env.now() >= guard.expiresAt) {
    throw invalid('/token', 'is not the one of a suspension that waits to be confirmed')
  }
  suspension.guard = null
  suspension.suspended = true
  return ok({ status: 'OK' })
}

/** Also takes back a first call. */
const resume: Handler = (call) => {
  call.state.suspension.suspended = false
  call.state.suspension.guard = null
  return ok({ status: 'OK' })
}

const v1 = family('v1', 'v1')
const PATH = '/v1/config/ingestion'

export const suspensionRoutes: readonly Route[] = [
  v1('get-ingestion-status', 'GET', `${PATH}/status`, status),
  v1('suspend-ingestion', 'POST', `${PATH}/suspend`, suspend),
  v1('confirm-suspension', 'POST', `${PATH}/suspend/confirm`, confirm, 'object-body'),
  v1('resume-ingestion', 'POST', `${PATH}/resume`, resume),
]
