import type { Call } from '../../core/route.ts'
import { excludes } from '../../ingestion/exclusions.ts'
import { createLineStore, type NewLine } from '../../model/lines.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import {
  afterwards,
  asked,
  body,
  demands,
  handler,
  type Json,
  lines,
  named,
  type Rows,
  replied,
  sentLines,
} from '../core/changes.ts'
import { type Changes, each, type Fault, fault, withheld } from '../core/fault.ts'

const TAKEN = { status: 200, json: { status: 'ok' } }

function withLines(call: Call, change: (lines: Rows) => Rows): Call {
  const content = JSON.stringify({ lines: change(sentLines(call.request.body)) })
  return { ...call, request: { ...call.request, body: Buffer.from(content) } }
}

/** Changes the lines of a request before they are stored. */
const sent = each((change: () => (lines: Rows) => Rows) => asked('ingest-lines', (call) => withLines(call, change())))

/** Lines whose texts were not said before. */
function unsaid(): (lines: Rows) => Rows {
  const said = new Set<unknown>()
  return (lines) =>
    lines.filter(({ line }) => {
      const before = said.size
      return said.add(line).size > before
    })
}

/** Changes a field of every line. */
const field = each(({ name, change }: { name: string; change: (text: string) => string }) =>
  lines('export-v2', (all) => all.map((line) => ({ ...line, [name]: change(String(line[name])) }))),
)

/** What becomes of the text of a line. */
const TEXTS: readonly (readonly [name: string, about: string, change: (text: string) => string])[] = [
  ['cut', 'the text of a line ends after 1,000 characters', (text) => text.slice(0, 1_000)],
  ['ends-trimmed', 'blanks at the ends of a line are lost', (text) => text.trim()],
  ['trimmed', 'runs of blanks in a line become one', (text) => text.replaceAll(/ +/g, ' ')],
  ['composed', 'letters and their accents become one character', (text) => text.normalize('NFC')],
  ['latin', 'characters beyond Latin 1 are lost', (text) => text.replaceAll(/[^\p{ASCII}\u0080-\u00ff]/gu, '?')],
  ['decoded-twice', 'text is decoded twice', (text) => Buffer.from(text, 'utf8').toString('latin1')],
  ['one-line', 'a line ends where a line feed stands in it', (text) => text.split('\n')[0] ?? ''],
  ['unescaped', 'escapes for markup are resolved', (text) => text.replaceAll('&amp;', '&')],
  ['half-emoji', 'characters beyond the first plane lose a half', (text) => text.replaceAll(/[\udc00-\udfff]/g, '')],
]

/** Faults in taking lines, and in what becomes of their texts and fields. */
export const lineFaults: readonly Fault[] = [
  sent(
    'ingestion-sampled',
    'LINES-COME-OUT',
    'one line in ten is dropped',
    () => (all) => all.filter((_, index) => index % 10 !== 9),
  ),
  sent(
    'ingestion-first-only',
    'LINES-COME-OUT',
    'only the first line of a request is stored',
    () => (all) => all.slice(0, 1),
  ),
  sent('ingestion-said-once-a-request', 'LINES-COME-OUT', 'a request stores each text once', unsaid),
  fault(
    'ingestion-said-once',
    'LINES-COME-OUT',
    'of lines that say the same, only the first is stored',
    handler('ingest-lines', (inner) => {
      const change = unsaid()
      return (call) => inner(withLines(call, change))
    }),
  ),
  fault(
    'line-out-twice',
    'LINES-ONCE',
    'the first line of a page comes twice',
    lines('export-v2', (all) => [...all.slice(0, 1), ...all]),
  ),
  ...TEXTS.map(([name, about, change]) => field(`line-${name}`, 'LINES-VERBATIM', about, { name: '_line', change })),
  ...['_app', 'level'].map((name) =>
    field(`line-${name.replace('_', '')}-upper-case`, 'LINES-FIELDS', `${name} of lines is written in capitals`, {
      name,
      change: (text) => text.toUpperCase(),
    }),
  ),
]

/** The bytes of lines that were dropped are counted. */
function countsDropped(): Changes {
  const dropped = new WeakMap<State, Map<string, number>>()
  const told = replied('list-usage-v2-by-app', (answer, { state }) => {
    const json = answer.json as Json
    const results = (json.results as Rows).map((row) => {
      const extra = dropped.get(state)?.get(String(row.name)) ?? 0
      return { ...row, total_bytes: Number(row.total_bytes) + extra }
    })
    return { ...answer, json: { ...json, results } }
  })
  const counted = demands('ingest-lines', ({ state, query, request }) => {
    const drops = excludes(state)
    const counts = dropped.get(state) ?? new Map<string, number>()
    dropped.set(state, counts)
    for (const line of sentLines(request.body)) {
      const app = String(line.app)
      const test = { host: query.get('hostname') ?? '', app, level: '', line: String(line.line) }
      if (drops(test as NewLine)) counts.set(app, (counts.get(app) ?? 0) + 100)
    }
  })
  return { handlers: { ...told.handlers, ...counted.handlers } }
}

function activeIn(state: State): Thing[] {
  return [...things(state, 'exclusion').values()].filter(({ body: { active } }) => active === true)
}

/** Something of a removed exclusion rule stays. */
function keeps(change: (rule: Thing) => Thing): Changes {
  return handler('delete-exclusion', (inner) => (call) => {
    const rule = named(call, 'exclusion')
    const reply = inner(call)
    if (rule) things(call.state, 'exclusion').set(rule.id, change(rule))
    return reply
  })
}

/** Lines meet these exclusion rules only. */
function withRules(acts: (rule: Thing) => boolean): Changes {
  return asked('ingest-lines', (call) => {
    const acting = new Map([...things(call.state, 'exclusion')].filter(([, rule]) => acts(rule)))
    return { ...call, state: { ...call.state, things: new Map([...call.state.things, ['exclusion', acting]]) } }
  })
}

/** Faults in what exclusion rules drop, and in how they are kept. */
export const exclusionFaults: readonly Fault[] = [
  fault(
    'exclusion-drops-all',
    'EXCLUSION-OTHERS-STAY',
    'an active exclusion rule drops every line',
    handler('ingest-lines', (inner) => (call) => (activeIn(call.state).length > 0 ? TAKEN : inner(call))),
  ),
  fault(
    'exclusion-hides-stored',
    'EXCLUSION-STORED-STAY LINES-COME-OUT',
    'an exclusion rule also hides the lines that were stored before it',
    replied('export-v2', (answer, { state }) => {
      const apps = new Set(activeIn(state).flatMap((rule) => rule.body.apps as string[]))
      const json = answer.json as Json
      return { ...answer, json: { ...json, lines: (json.lines as Rows).filter(({ _app }) => !apps.has(String(_app))) } }
    }),
  ),
  fault(
    'exclusion-counts-dropped',
    'EXCLUSION-BEFORE-STORAGE USAGE-V2-STORED',
    'the bytes of dropped lines are counted',
    countsDropped(),
  ),
  fault(
    'exclusion-idle',
    'EXCLUSION-DROPS',
    'an exclusion rule drops nothing',
    withRules(() => false),
  ),
  ...(['apps', 'hosts', 'query'] as const).map((by) =>
    fault(
      `exclusion-by-${by}-idle`,
      'EXCLUSION-DROPS',
      `an exclusion rule that selects by ${by} drops nothing`,
      withRules((rule) => String(rule.body[by]) === ''),
    ),
  ),
  fault(
    'exclusion-stays-active',
    'EXCLUSION-DELETE-STORES',
    'a deleted exclusion rule goes on dropping lines',
    keeps((rule) => rule),
  ),
  fault(
    'exclusion-deletion-deactivates',
    'EXCLUSION-DELETE-REMOVES',
    'a deleted exclusion rule is only made inactive',
    keeps((rule) => ({ ...rule, body: { ...rule.body, active: false } })),
  ),
]

/** Lines are still dropped after ingestion was resumed. */
function halfResumed(): Changes {
  const stopped = new WeakSet<State>()
  return {
    handlers: {
      ...demands('resume-ingestion', ({ state }) => void (state.suspension.suspended && stopped.add(state))).handlers,
      'ingest-lines': (inner) => (call) => (stopped.has(call.state) ? TAKEN : inner(call)),
    },
  }
}

/** Remembers every token that was given, and takes each for the newest. */
function olderTokens(): Changes {
  const given = new Set<unknown>()
  return {
    handlers: {
      ...afterwards('suspend-ingestion', ({ state }) => void given.add(state.suspension.guard?.token)).handlers,
      ...anyToken((token) => given.has(token)).handlers,
    },
  }
}

function anyToken(known: (token: unknown) => boolean): Changes {
  return asked('confirm-suspension', (call) => {
    const { token } = call.body as Json
    return known(token) ? { ...call, body: { token: call.state.suspension.guard?.token } } : call
  })
}

/** A call that leaves ingestion suspended, or not. */
const leaves = each(({ operation, suspended }: { operation: string; suspended: (state: State) => boolean }) =>
  afterwards(operation, ({ state }) => {
    state.suspension.suspended = suspended(state)
  }),
)

const confirmed = new WeakSet<State>()

/** Faults of stopping and starting ingestion. */
export const suspensionFaults: readonly Fault[] = [
  withheld(
    fault(
      'ingestion-status-text',
      'SUSPENSION-SUSPENDS',
      'whether ingestion is suspended is told by a word',
      body('get-ingestion-status', ({ isIngesting }) => ({ isIngesting: isIngesting === true ? 'yes' : 'no' })),
    ),
  ),
  fault(
    'suspension-stores',
    'SUSPENSION-STOPS-LINES',
    'lines that are sent while ingestion is suspended are stored',
    asked('ingest-lines', (call) => {
      const suspension = { ...call.state.suspension, suspended: false }
      return { ...call, state: { ...call.state, suspension } }
    }),
  ),
  fault(
    'suspension-deletes-stored',
    'LINES-COME-OUT SUSPENSION-STOPS-LINES',
    'a suspension deletes the lines that were stored before it',
    afterwards('confirm-suspension', ({ state }) => void Object.assign(state, { lines: createLineStore() })),
  ),
  fault(
    'suspension-half-resumed',
    'SUSPENSION-RESUMES',
    'after ingestion is resumed lines are still dropped',
    halfResumed(),
  ),
  leaves('suspension-third-call', 'SUSPENSION-SUSPENDS', 'ingestion is suspended by a third call only', {
    operation: 'confirm-suspension',
    suspended(state) {
      const second = confirmed.has(state)
      confirmed.add(state)
      return second
    },
  }),
  leaves('suspension-at-once', 'SUSPENSION-GUARD', 'the first call suspends ingestion', {
    operation: 'suspend-ingestion',
    suspended: () => true,
  }),
  leaves('suspension-never', 'SUSPENSION-SUSPENDS', 'two calls do not suspend ingestion', {
    operation: 'confirm-suspension',
    suspended: () => false,
  }),
  fault(
    'suspension-token-unread',
    'SUSPENSION-TOKEN',
    'the second call suspends whatever token it names',
    anyToken(() => true),
  ),
  fault(
    'suspension-token-older',
    'SUSPENSION-TOKEN',
    'a token of an earlier suspension confirms a later one',
    olderTokens(),
  ),
]
