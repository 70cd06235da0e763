import type { Call } from '../../core/route.ts'
import { excludes } from '../../ingestion/exclusions.ts'
import { createLineStore, type NewLine } from '../../model/lines.ts'
import { type State, type Thing, things } from '../../model/state.ts'
import {
  afterwards,
  asked,
  body,
  demands,
  everyTime,
  forLong,
  handler,
  type Json,
  lines,
  named,
  type Rows,
  replied,
  sentLines,
} from '../core/changes.ts'
import type { Changes } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

const TAKEN = { status: 200, json: { status: 'ok' } }

function withLines(call: Call, change: (lines: Rows) => Rows): Call {
  const content = JSON.stringify({ lines: change(sentLines(call.request.body)) })
  return { ...call, request: { ...call.request, body: Buffer.from(content) } }
}

/** Changes the lines of a request before they are stored. */
function sent(change: (lines: Rows) => Rows): Changes {
  return asked('ingest-lines', (call) => withLines(call, change))
}

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
function field(name: string, change: (text: string) => string): Changes {
  return lines('export-v2', (all) => all.map((line) => ({ ...line, [name]: change(String(line[name])) })))
}

/** Of lines that say the same, only the first is stored. */
const saidOnce = handler('ingest-lines', (inner) => {
  const change = unsaid()
  return (call) => inner(withLines(call, change))
})

/** Faults in taking lines, and in what becomes of their texts and fields. */
const lineFaults: Coded = {
  'ingestion-sampled': sent((all) => all.filter((_, index) => index % 10 !== 9)),
  'ingestion-first-only': sent((all) => all.slice(0, 1)),
  'ingestion-said-once-a-request': sent((all) => unsaid()(all)),
  'ingestion-said-once': saidOnce,
  'line-out-twice': lines('export-v2', (all) => [...all.slice(0, 1), ...all]),
  'line-ends-trimmed': field('_line', (text) => text.trim()),
  'line-composed': field('_line', (text) => text.normalize('NFC')),
  'line-decoded-twice': field('_line', (text) => Buffer.from(text, 'utf8').toString('latin1')),
  // Without the u flag a half of a character is one.
  'line-half-emoji': field('_line', (text) => text.replaceAll(/[\udc00-\udfff]/g, '')),
  'line-app-upper-case': field('_app', (text) => text.toUpperCase()),
  'line-level-upper-case': field('level', (text) => text.toUpperCase()),
}

/** The bytes of lines that were dropped are counted, in one report. */
function countsDropped(by: 'app' | 'host' | 'tag'): Changes {
  const dropped = new WeakMap<State, Map<string, number>>()
  const told = replied(`list-usage-v2-by-${by}`, (answer, { state }) => {
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
      const [app, host, tags] = [String(line.app), query.get('hostname') ?? '', (query.get('tags') ?? '').split(',')]
      if (!drops({ host, app, level: '', line: String(line.line) } as NewLine)) continue
      for (const name of { app: [app], host: [host], tag: tags }[by]) counts.set(name, (counts.get(name) ?? 0) + 100)
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

/** An exclusion rule also hides the lines that were stored before it. */
const hidesStored = replied('export-v2', (answer, { state }) => {
  const apps = new Set(activeIn(state).flatMap((rule) => rule.body.apps as string[]))
  const json = answer.json as Json
  return { ...answer, json: { ...json, lines: (json.lines as Rows).filter(({ _app }) => !apps.has(String(_app))) } }
})

/** Faults in what exclusion rules drop, and in how they are kept. */
const exclusionFaults: Coded = {
  'exclusion-drops-all': handler('ingest-lines', (inner) => (call) => {
    return activeIn(call.state).length > 0 ? TAKEN : inner(call)
  }),
  'exclusion-hides-stored': hidesStored,
  'exclusion-counts-dropped': countsDropped('app'),
  'exclusion-counts-dropped-by-host': countsDropped('host'),
  'exclusion-counts-dropped-by-tag': countsDropped('tag'),
  'exclusion-idle': withRules(() => false),
  'exclusion-by-apps-idle': withRules(({ body: { apps } }) => String(apps) === ''),
  'exclusion-by-hosts-idle': withRules(({ body: { hosts } }) => String(hosts) === ''),
  'exclusion-by-query-idle': withRules(({ body: { query } }) => String(query) === ''),
  'exclusion-tires': tires(),
  'exclusion-stays-active': keeps((rule) => rule),
  'exclusion-deletion-deactivates': keeps((rule) => ({ ...rule, body: { ...rule.body, active: false } })),
}

/** A rule drops nothing any more some time after the first lines came. */
function tires(): Changes {
  const isLong = forLong()
  return withRules((rule) => !isLong(rule, true))
}

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
function leaves(operation: string, suspended: (state: State) => boolean): Changes {
  return afterwards(operation, ({ state }) => {
    state.suspension.suspended = suspended(state)
  })
}

/** Suspends ingestion, or lets it run, once something was the case for long enough. */
function afterAWhile(holds: (suspension: State['suspension']) => boolean, suspended: boolean): Changes {
  const isLong = forLong()
  return everyTime((state) => {
    if (isLong(state, holds(state.suspension))) state.suspension.suspended = suspended
  })
}

/** Says whether this was asked before. */
function asksAgain(): (state: State) => boolean {
  const asked = new WeakSet<State>()
  return (state) => {
    const before = asked.has(state)
    asked.add(state)
    return before
  }
}

/** Lines that are sent while ingestion is suspended are stored. */
const storesAll = asked('ingest-lines', ({ state, ...call }) => {
  return { ...call, state: { ...state, suspension: { ...state.suspension, suspended: false } } }
})

/** Faults of stopping and starting ingestion. */
const suspensionFaults: Coded = {
  'ingestion-status-text': body('get-ingestion-status', ({ isIngesting }) => {
    return { isIngesting: isIngesting === true ? 'yes' : 'no' }
  }),
  'suspension-stores': storesAll,
  'suspension-deletes-stored': afterwards('confirm-suspension', ({ state }) => {
    Object.assign(state, { lines: createLineStore() })
  }),
  'suspension-half-resumed': halfResumed(),
  'suspension-ends': afterAWhile(({ suspended }) => suspended, false),
  'suspension-comes-later': afterAWhile(({ guard, suspended }) => guard !== undefined && !suspended, true),
  'suspension-third-call': leaves('confirm-suspension', asksAgain()),
  'suspension-at-once': leaves('suspend-ingestion', () => true),
  'suspension-never': leaves('confirm-suspension', () => false),
  'suspension-token-unread': anyToken(() => true),
  'suspension-token-older': olderTokens(),
}

/** Faults of lines, of exclusion rules and of suspension. */
export const ingestionFaults: Coded = { ...lineFaults, ...exclusionFaults, ...suspensionFaults }
