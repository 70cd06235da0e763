import { setTimeout as sleep } from 'node:timers/promises'
import { isMarked, receivedLines } from '../../rules/known/lines.ts'
import type { TargetOperation } from '../../schemas/binding.ts'
import type { CaseIntent } from '../../schemas/intents.ts'
import { withValue } from '../../schemas/pointer.ts'
import { type CaseContext, NotRun, notOffered, type Sent } from './case.ts'
import type { CredentialChoice } from './credentials.ts'

/** A line to send. `text` follows the mark that makes the line known again. */
export interface NewLine {
  readonly app: string
  readonly text?: string
  /** in its mark: lines of one feed with the same number and text say the same; left out: one that no other has */
  readonly number?: number
  readonly level?: string
  /** milliseconds since the epoch; the moment it is made, if left out */
  readonly time?: number
}

/** Sends lines under names that no other case and no other run uses. */
export interface Feed {
  readonly host: string
  readonly tag: string
  /** all of them, the one above first */
  readonly tags: readonly string[]
  /** An application name of its own. */
  app(): string
  /** Sends lines in as few requests as fit; those that were carried out. Throws NotRun where the target does not take them. */
  send(lines: readonly NewLine[], intent?: CaseIntent): Promise<readonly Sent[]>
  /** Sends lines in one request, whatever the target answers. */
  sendOnce(
    lines: readonly NewLine[],
    intent: CaseIntent,
    body?: (lines: readonly unknown[]) => unknown,
    credentials?: readonly CredentialChoice[],
  ): Promise<Sent>
}

const BODY = { lines: '{{lines}}' }

/** What a line says; the binding names those that the target has fields for. */
const FIELDS = ['line', 'time', 'app', 'level', 'host', 'tags'] as const

const ATTEMPTS = 3

/** Lines of one request. */
const MOST_LINES = 4_000

/**
 * Opens a feed, or throws NotRun where the binding or the credentials do not allow lines to be sent. `count`: tags of each
 * of its lines.
 */
export function openFeed(context: CaseContext, count = 1): Feed {
  const operation = requireOperation(context, 'ingest-lines', 'GAP-PATHS-INGESTION')
  if (!context.schemes.has('ingestion-key'))
    throw new NotRun('no-resource', 'credentials.ingestionKey is not configured')
  const host = context.label()
  const tags = Array.from({ length: count }, () => context.label())
  const [tag = ''] = tags
  let sent = 0

  const named = FIELDS.flatMap((ours): [(typeof FIELDS)[number], string][] => {
    const name = operation.fields[ours]
    return name === undefined ? [] : [[ours, name]]
  })

  function written(line: NewLine): Record<string, unknown> {
    sent += 1
    const values = {
      line: `${host}.${line.number ?? sent} ${line.text ?? 'a line of a conformance run'}`,
      time: line.time ?? Date.now(),
      app: line.app,
      level: line.level ?? 'info',
      host,
      tags,
    }
    let own: Record<string, unknown> = {}
    for (const [ours, name] of named) {
      if (name.startsWith('/')) own = withValue(own, name, values[ours]) as Record<string, unknown>
      else own[name] = values[ours]
    }
    return own
  }

  const self: Feed = {
    host,
    tag,
    tags,
    app: () => context.label(),
    async sendOnce(lines, intent, body = (all) => context.fill(operation.body ?? BODY, { lines: all }), credentials) {
      const own = lines.map(written)
      context.reserveLines(own.length, Buffer.byteLength(JSON.stringify(own)))
      const { parameters } = operation
      const query = Object.fromEntries(
        [
          [parameters.hostname, host],
          [parameters.tags, tags.join()],
          [parameters.now, String(Date.now())],
        ].filter(([name]) => name !== undefined),
      ) as Record<string, string>
      return context.send({
        operation: operation.id,
        query,
        body: body(own),
        intent,
        ...(credentials && { credentials }),
      })
    },
    async send(lines, intent = { kind: 'base' }) {
      const carriedOut: Sent[] = []
      for (let first = 0; first < lines.length; first += MOST_LINES) {
        const part = lines.slice(first, first + MOST_LINES)
        let one = await self.sendOnce(part, intent)
        // What is refused once may be an accident; the rules speak only when it happens again and again.
        for (let again = 1; !one.view.accepted && one.view.conclusive && again < ATTEMPTS; again += 1) {
          one = await self.sendOnce(part.slice(0, 1), intent)
        }
        const { view } = one
        if (view.accepted) {
          carriedOut.push(one)
          continue
        }
        const fits = ![404, 405, 501].includes(view.status)
        const what = view.status === 0 ? view.exchange._outcome : `status ${view.status}`
        throw new NotRun(fits ? 'inconclusive' : 'answer-does-not-fit', `lines are answered with ${what}`)
      }
      return carriedOut
    },
  }
  return self
}

/** What to export. Times in seconds since the epoch. */
export interface Wanted {
  readonly from: number
  readonly to: number
  readonly hosts?: readonly string[]
  readonly apps?: readonly string[]
  readonly levels?: readonly string[]
  readonly size?: number
  readonly prefer?: 'head' | 'tail'
  readonly email?: string
}

const HOUR = 3_600

/** A period around now, wide enough for clocks that differ. */
export function recent(hours = 1): Pick<Wanted, 'from' | 'to'> {
  const now = Math.floor(Date.now() / 1000)
  return { from: now - hours * HOUR, to: now + 300 }
}

export type ExportId = 'export-v1' | 'export-v2'

/** The query of an export, under the target's names. Throws NotRun where it has no name for something. */
export function exportQuery(context: CaseContext, id: ExportId, wanted: Wanted): Record<string, string> {
  const { parameters } = requireOperation(context, id, 'GAP-PATHS-EXPORT')
  const query: Record<string, string> = {}
  for (const [ours, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const name = parameters[ours]
    if (name === undefined) throw new NotRun('gap-unanswered', `the binding has no parameter ${ours} of ${id}`)
    query[name] = Array.isArray(value) ? value.join(',') : String(value)
  }
  return query
}

/** The query of an export that holds no lines, under a name that nobody uses. */
export function exportOfNobody(context: CaseContext, id: ExportId): Record<string, string> {
  const { parameters } = requireOperation(context, id, 'GAP-PATHS-EXPORT')
  const hosts = parameters.hosts === undefined ? {} : { hosts: [context.label()] }
  return exportQuery(context, id, { ...recent(), ...hosts })
}

/** Adds a token, or what stands for the first page: as the binding says, or in another form. */
export function withToken(
  context: CaseContext,
  query: Readonly<Record<string, string>>,
  token: string | null,
  form: string = firstPageForm(context),
): Record<string, string> {
  const name = requireOperation(context, 'export-v2', 'GAP-PATHS-EXPORT').parameters.pagination_id ?? 'pagination_id'
  if (token !== null) return { ...query, [name]: token }
  if (form === 'left-out') return { ...query }
  return { ...query, [name]: form === 'null' ? 'null' : '' }
}

export function firstPageForm(context: CaseContext): string {
  return String(context.binding.answers.get('GAP-EXPORT-FIRST-PAGE')?.value ?? 'null')
}

/** Sends an export as it is; of v2, the first page. Throws NotRun where the target does not seem to have it. */
export async function exportOnce(
  context: CaseContext,
  id: ExportId,
  wanted: Wanted,
  intent: CaseIntent,
): Promise<Sent> {
  const query = exportQuery(context, id, wanted)
  const sent = await context.send({
    operation: id,
    query: id === 'export-v2' ? withToken(context, query, null) : query,
    intent,
  })
  const { view } = sent
  if ([404, 405, 501].includes(view.status)) {
    throw new NotRun('answer-does-not-fit', `${id} is answered with status ${view.status}`)
  }
  return sent
}

const FIRST_POLL_MS = 50
const LONGEST_POLL_MS = 1_000

/**
 * Reads until what was read satisfies `done`, or the settle time is over since now; the last read is marked as final, so
 * that it may be held against the target.
 */
export async function settle<T>(
  context: CaseContext,
  read: (final: boolean) => Promise<T>,
  done: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + context.settleTimeout
  for (let wait = FIRST_POLL_MS; performance.now() < deadline; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
    const value = await read(false)
    if (done(value)) break
    await sleep(Math.min(wait, Math.max(0, deadline - performance.now())))
  }
  return read(true)
}

/** Marks of the run's own lines in an answer. */
export function marksIn({ view }: Sent): ReadonlySet<string> {
  return new Set((receivedLines(view) ?? []).filter(isMarked).map(({ id }) => id))
}

/** Exports until so many lines of the run are there, or the settle time is over. */
export async function exportUntil(
  context: CaseContext,
  id: ExportId,
  wanted: Wanted,
  count: number,
  intent: CaseIntent = { kind: 'base' },
): Promise<Sent> {
  return settle(
    context,
    (final) => exportOnce(context, id, wanted, { ...intent, final }),
    (sent) => sent.view.accepted && marksIn(sent).size >= count,
  )
}

/** The operation; throws NotRun unless the binding gives it a path and the target offers it. */
export function requireOperation(context: CaseContext, id: string, gap: string): TargetOperation {
  const operation = context.binding.operations.get(id)
  if (!operation || operation.path === '') throw notOffered(operation, new NotRun('gap-unanswered', gap, gap))
  if (!operation.offered)
    throw notOffered(operation, new NotRun('answer-does-not-fit', `the target does not offer ${id}`))
  return operation
}
