import { Refusal } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { asked, body } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'
import { handler, type Rows, sentLines } from '../core/lines.ts'

/** Changes the lines of a request before they are stored. */
function askedLines(change: (lines: Rows) => Rows): Fault['changes'] {
  return asked('ingest-lines', (call) => withLines(call, change))
}

function withLines(call: Call, change: (lines: Rows) => Rows): Call {
  const content = JSON.stringify({ lines: change(sentLines(call.request.body)) })
  return { ...call, request: { ...call.request, body: Buffer.from(content) } }
}

function isNew(said: Set<unknown>, text: unknown): boolean {
  if (said.has(text)) return false
  said.add(text)
  return true
}

/** Faults in taking lines and giving them back. */
export const lineFaults: readonly Fault[] = [
  {
    name: 'ingestion-missing',
    about: 'no lines are taken',
    kills: ['INGESTION-ACCEPTS'],
    withheld: true,
    changes: asked('ingest-lines', () => {
      throw new Refusal('NotFound', 'there is nothing here')
    }),
  },
  {
    name: 'ingestion-sampled',
    about: 'one line in ten is dropped',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => lines.filter((_, index) => index % 10 !== 9)),
  },
  {
    name: 'ingestion-first-only',
    about: 'only the first line of a request is stored',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => lines.slice(0, 1)),
  },
  {
    name: 'ingestion-said-once',
    about: 'of lines that say the same, only the first is stored',
    kills: ['LINES-COME-OUT'],
    changes: handler('ingest-lines', (inner) => {
      const said = new Set<unknown>()
      return (call) => inner(withLines(call, (lines) => lines.filter(({ line }) => isNew(said, line))))
    }),
  },
  {
    name: 'ingestion-said-once-a-request',
    about: 'of the lines of a request that say the same, only the first is stored',
    kills: ['LINES-COME-OUT'],
    changes: askedLines((lines) => {
      const said = new Set<unknown>()
      return lines.filter(({ line }) => isNew(said, line))
    }),
  },
  {
    name: 'line-lost',
    about: 'the first line of a page is left out',
    kills: ['LINES-COME-OUT'],
    changes: body('export-v2', (json) => ({ ...json, lines: (json.lines as Rows).slice(1) })),
  },
  {
    name: 'line-stored-twice',
    about: 'each line is stored twice',
    kills: ['LINES-ONCE'],
    changes: handler('ingest-lines', (inner) => (call) => {
      inner(call)
      return inner(call)
    }),
  },
  {
    name: 'line-out-twice',
    about: 'the first line of a page comes twice',
    kills: ['LINES-ONCE'],
    changes: body('export-v2', (json) => ({
      ...json,
      lines: [...(json.lines as Rows).slice(0, 1), ...(json.lines as Rows)],
    })),
  },
]
