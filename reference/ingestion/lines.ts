import { parseJson } from '../core/handle.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { bodyOf, type Handler, ok } from '../core/route.ts'
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
  const { body } = call.request
  if (body.length > MOST.body) throw new Refusal('PayloadTooLarge', `a body may have ${MOST.body} bytes`)
  const lines = linesIn(parseJson(body))
  const parsed = lines.map((line) => lineOf(line, sender, call.env.now()))
  const { suspension, lines: store } = call.state
  if (!suspension.suspended) {
    const dropped = excludes(call.state)
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

export const ingestionHandlers: Readonly<Record<string, Handler>> = {
  'ingest-lines': ingest,
  'get-ingestion-status': status,
  'suspend-ingestion': suspend,
  'confirm-suspension': confirm,
  'resume-ingestion': resume,
}
