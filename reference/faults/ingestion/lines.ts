import { Refusal } from '../../core/refusal.ts'
import type { Call } from '../../core/route.ts'
import { afterwards, asked, body, handler, lines, type Rows, sentLines } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

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

/** What faults remember of one started reference: its state stands for it. */
const stopped = new WeakSet<object>()

const confirmed = new WeakSet<object>()

/** Remembers every token that was given, and takes each for the newest. */
function older(): Changes {
  const given = new Set<unknown>()
  return {
    handlers: {
      'suspend-ingestion': (inner) => (call) => {
        const reply = inner(call)
        given.add(call.state.suspension.guard?.token)
        return reply
      },
      'confirm-suspension': (inner) => (call) => {
        const { token } = call.body as { token?: unknown }
        return inner(given.has(token) ? { ...call, body: { token: call.state.suspension.guard?.token } } : call)
      },
    },
  }
}

/** Faults of stopping and starting ingestion. */
export const suspensionFaults: readonly Fault[] = [
  {
    name: 'ingestion-status-missing',
    about: 'whether ingestion is suspended cannot be read',
    kills: ['SUSPENSION-READ'],
    withheld: true,
    changes: asked('get-ingestion-status', () => {
      throw new Refusal('NotFound', 'there is nothing here')
    }),
  },
  {
    name: 'ingestion-status-text',
    about: 'whether ingestion is suspended is told by a word',
    kills: ['SUSPENSION-READ'],
    withheld: true,
    changes: body('get-ingestion-status', ({ isIngesting }) => ({ isIngesting: isIngesting === true ? 'yes' : 'no' })),
  },
  {
    name: 'ingestion-status-lies',
    about: 'ingestion is said to run while it is suspended',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: body('get-ingestion-status', () => ({ isIngesting: true })),
  },
  {
    name: 'suspension-stores',
    about: 'lines that are sent while ingestion is suspended are stored',
    kills: ['SUSPENSION-STOPS-LINES'],
    changes: handler('ingest-lines', (inner) => (call) => {
      const { suspension } = call.state
      return inner({ ...call, state: { ...call.state, suspension: { ...suspension, suspended: false } } })
    }),
  },
  {
    name: 'suspension-half-resumed',
    about: 'after ingestion is resumed lines are still dropped',
    kills: ['SUSPENSION-RESUMES'],
    changes: {
      handlers: {
        'resume-ingestion': (inner) => (call) => {
          if (call.state.suspension.suspended) stopped.add(call.state)
          return inner(call)
        },
        'ingest-lines': (inner) => (call) =>
          stopped.has(call.state) ? { status: 200, json: { status: 'ok' } } : inner(call),
      },
    },
  },
  {
    name: 'suspension-third-call',
    about: 'ingestion is suspended by a third call only',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: afterwards(
      'confirm-suspension',
      ({ state }) => confirmed.has(state),
      ({ state }, second) => {
        confirmed.add(state)
        state.suspension.suspended = second
      },
    ),
  },
  {
    name: 'suspension-at-once',
    about: 'the first call suspends ingestion',
    kills: ['SUSPENSION-GUARD'],
    changes: afterwards(
      'suspend-ingestion',
      () => undefined,
      ({ state }) => {
        state.suspension.suspended = true
      },
    ),
  },
  {
    name: 'suspension-never',
    about: 'two calls do not suspend ingestion',
    kills: ['SUSPENSION-SUSPENDS'],
    changes: afterwards(
      'confirm-suspension',
      () => undefined,
      ({ state }) => {
        state.suspension.suspended = false
      },
    ),
  },
  {
    name: 'suspension-token-unread',
    about: 'the second call suspends whatever token it names',
    kills: ['SUSPENSION-TOKEN'],
    changes: asked('confirm-suspension', (call) => ({ ...call, body: { token: call.state.suspension.guard?.token } })),
  },
  {
    name: 'suspension-token-older',
    about: 'a token of an earlier suspension confirms a later one',
    kills: ['SUSPENSION-TOKEN'],
    changes: older(),
  },
  {
    name: 'suspension-for-ever',
    about: 'suspended ingestion is not resumed',
    kills: ['SUSPENSION-RESUMES'],
    changes: afterwards(
      'resume-ingestion',
      ({ state }) => state.suspension.suspended,
      ({ state }, suspended) => {
        state.suspension.suspended = suspended
      },
    ),
  },
]
