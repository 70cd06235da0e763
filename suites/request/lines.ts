import type { TargetOperation } from '../../schemas/binding.ts'
import { withValue } from '../../schemas/pointer.ts'
import { timeIn, wallTime } from '../../schemas/times.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import { type CredentialChoice, type LineContext, NotRun, refusedBy, requireOperation, type Sent } from '../case.ts'

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
 * Opens a feed, or throws NotRun where the binding or the credentials do not allow lines to be sent. `tagCount`: tags of
 * each of its lines.
 */
export function openFeed(context: LineContext, tagCount = 1): Feed {
  const operation = requireOperation(context, 'ingest-lines')
  if (!context.schemes.has('ingestion-key'))
    throw new NotRun('no-resource', 'credentials.ingestionKey is not configured')
  const host = context.label()
  const tags = Array.from({ length: tagCount }, () => context.label())
  const [tag = ''] = tags
  let written = 0
  const write = (line: NewLine): Record<string, unknown> => {
    written += 1
    return fieldsOf(operation, { ...line, number: line.number ?? written }, host, tags)
  }

  const self: Feed = {
    host,
    tag,
    tags,
    app: () => context.label(),
    async sendOnce(lines, intent, given, credentials) {
      const own = lines.map(write)
      const beside = {
        host,
        tags: tagsIn(operation, tags),
        now: timeIn(operation.forms?.now ?? 'milliseconds', wallTime()),
      }
      const body = given ? given(own) : context.fill(operation.body ?? BODY, { ...beside, lines: own })
      reserve(context, own.length, Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body)))
      const { parameters } = operation
      const query = Object.fromEntries(
        [
          [parameters.hostname, host],
          [parameters.tags, tags.join()],
          [parameters.now, String(wallTime())],
        ].filter(([name]) => name !== undefined),
      ) as Record<string, string>
      return context.send({
        operation: operation.id,
        query,
        body,
        intent,
        ...(credentials && { credentials }),
      })
    },
    async send(lines, intent = { kind: 'base' }) {
      const carriedOut: Sent[] = []
      for (let first = 0; first < lines.length; first += MOST_LINES) {
        const part = lines.slice(first, first + MOST_LINES)
        let one = await self.sendOnce(part, intent)
        // One refusal may be an accident; the rules judge only repeated ones.
        for (let again = 1; !one.view.accepted && one.view.conclusive && again < ATTEMPTS; again += 1) {
          one = await self.sendOnce(part.slice(0, 1), intent)
        }
        const { view } = one
        if (view.accepted) {
          carriedOut.push(one)
          continue
        }
        const fits = ![404, 405, 501].includes(view.status)
        const reason = fits ? 'inconclusive' : 'answer-does-not-fit'
        throw refusedBy(view, reason, 'lines are answered with')
      }
      return carriedOut
    },
  }
  return self
}

/** Throws NotRun where too little is left. */
function reserve({ budget }: LineContext, lines: number, bytes: number): void {
  const tooMuch =
    budget.lines < lines
      ? `${lines} lines, more than --max-ingest`
      : `${bytes} bytes of lines, more than --max-ingest-bytes`
  if (budget.lines < lines || budget.bytes < bytes) throw new NotRun('disabled', `it sends ${tooMuch} leaves`)
  budget.lines -= lines
  budget.bytes -= bytes
}

/** A line in the form that the binding gives. */
function fieldsOf(
  operation: TargetOperation,
  line: NewLine,
  host: string,
  tags: readonly string[],
): Record<string, unknown> {
  const { fields, forms } = operation
  const values = {
    line: `${host}.${line.number} ${line.text ?? 'a line of a conformance run'}`,
    time: timeIn(forms?.time ?? 'milliseconds', line.time ?? wallTime()),
    app: line.app,
    level: line.level ?? 'info',
    host,
    tags: tagsIn(operation, tags),
  }
  let own: Record<string, unknown> = {}
  for (const ours of FIELDS) {
    const name = fields[ours]
    if (name === undefined) continue
    if (name.startsWith('/')) own = withValue(own, name, values[ours]) as Record<string, unknown>
    else own[name] = values[ours]
  }
  return own
}

/** Tags in a body: a list, or one text. */
function tagsIn({ forms }: TargetOperation, tags: readonly string[]): string | readonly string[] {
  return forms?.tags === 'commas' ? tags.join() : tags
}

/** Sends lines of two applications, at several times and levels; `more`: further lines of the first. */
export async function sendOfTwo(
  feed: Feed,
  more: readonly Omit<NewLine, 'app'>[] = [],
): Promise<{ readonly app: string; readonly other: string }> {
  const [app, other] = [feed.app(), feed.app()]
  const now = wallTime()
  const lines = [5, 1, 9, 3].map((minutes) => ({ app, level: 'info', time: now - minutes * 60_000 }))
  await feed.send([...lines, { app: other, level: 'error' }, ...more.map((line) => ({ ...line, app }))])
  return { app, other }
}
