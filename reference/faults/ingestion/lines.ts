import { Refusal } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { asked, body } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { handler, lines, type Rows, sentLines } from '../core/lines.ts'

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

/** Changes the text of every line. */
function texts(change: (text: string) => string): Changes {
  return lines('export-v2', (all) => all.map((line) => ({ ...line, _line: change(String(line._line)) })))
}

function mangled(name: string, about: string, change: (text: string) => string): Fault {
  return { name: `line-${name}`, about, kills: ['LINES-VERBATIM'], changes: texts(change) }
}

/** Faults in taking lines, and in what becomes of their texts and fields. */
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
  mangled('cut', 'the text of a line ends after 1,000 characters', (text) => text.slice(0, 1_000)),
  mangled('ends-trimmed', 'blanks at the ends of a line are lost', (text) => text.trim()),
  mangled('composed', 'letters and their accents become one character', (text) => text.normalize('NFC')),
  mangled('latin', 'characters beyond Latin 1 become question marks', (text) =>
    text.replaceAll(/[^\p{ASCII}\u0080-\u00ff]/gu, '?'),
  ),
  mangled('decoded-twice', 'text is decoded twice', (text) => Buffer.from(text, 'utf8').toString('latin1')),
  mangled('one-line', 'a line ends where a line feed stands in it', (text) => text.split('\n')[0] ?? ''),
  mangled('unescaped', 'escapes for markup are resolved', (text) => text.replaceAll('&amp;', '&')),
  mangled('half-emoji', 'characters beyond the first plane lose their second half', (text) =>
    text.replaceAll(/[\udc00-\udfff]/g, ''),
  ),
  {
    name: 'line-app-upper-case',
    about: 'names of applications are written in capitals',
    kills: ['LINES-FIELDS'],
    changes: lines('export-v2', (all) => all.map((line) => ({ ...line, _app: String(line._app).toUpperCase() }))),
  },
  {
    name: 'line-trimmed',
    about: 'runs of blanks in a line become one',
    kills: ['LINES-VERBATIM'],
    changes: body('export-v2', (json) => ({
      ...json,
      lines: (json.lines as Rows).map((line) => ({ ...line, _line: String(line._line).replaceAll(/ +/g, ' ') })),
    })),
  },
  {
    name: 'line-level',
    about: 'levels are written in capitals',
    kills: ['LINES-FIELDS'],
    changes: body('export-v2', (json) => ({
      ...json,
      lines: (json.lines as Rows).map((line) => ({ ...line, level: String(line.level).toUpperCase() })),
    })),
  },
]
