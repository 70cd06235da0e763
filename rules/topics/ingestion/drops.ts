import type { Judgement } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { type Batch, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, isOwnName, type Line, receivedLines } from '../../known/lines.ts'
import { selectionOf, selects } from '../../known/selection.ts'
import { tokenIn } from './comes-out.ts'

interface Change {
  readonly exchange: string
  /** when it was sent and when it was answered */
  readonly start: number
  readonly end: number
}

interface Dropping {
  readonly batches: readonly Batch[]
  /** every word in the bodies of the rule: a line is matched whose application is one of them */
  readonly names: ReadonlySet<string>
  readonly made: Change | undefined
  /** the newest change of the rule: from then on it acts */
  readonly active: Change | undefined
  readonly removed: Change | undefined
  /** marks of lines that an export has shown before the rule was made */
  readonly seen: ReadonlySet<string>
  /** nobody knows what the rule does now */
  readonly unknown: boolean
}

const NOTHING: Dropping = {
  batches: [],
  names: new Set(),
  made: undefined,
  active: undefined,
  removed: undefined,
  seen: new Set(),
  unknown: false,
}

const OPERATIONS = new Set(['ingest-lines', 'export-v2', 'create-exclusion', 'update-exclusion', 'delete-exclusion'])

/**
 * An exclusion rule drops the new lines that match it, and only those; after its deletion they are stored again
 * (category 'Exclusions', operation rule 12). A history holds one rule, which selects by the name of an application.
 */
export const dropsRule: HistoryRule<Dropping> = {
  name: 'drops',
  bound: 1_000,
  overlap: 'own',
  others: 'all',
  operations: () => [...OPERATIONS],
  key: (view) => (OPERATIONS.has(view.operation?.id ?? '') ? 'exclusion' : undefined),
  init: () => NOTHING,
  step(state, view, oracle) {
    const id = view.operation?.id
    if (id === 'ingest-lines') {
      const batch = takenIn(view)
      return { state: batch ? { ...state, batches: withBatch(state.batches, batch) } : state, judgements: [] }
    }
    if (id === 'export-v2') return look(state, view, oracle)
    return { state: changed(state, view), judgements: [] }
  },
  end: () => [],
}

function changed(state: Dropping, view: ExchangeView): Dropping {
  if (!view.accepted) {
    const untouched = leftAlone(view)
    return untouched ? state : { ...state, unknown: true }
  }
  const { _start: start, _end: end } = view.exchange
  const change: Change = { exchange: view.id, start, end }
  if (view.operation?.id === 'delete-exclusion') return { ...state, removed: change }
  const body = jsonOf(view.request)
  const names = new Set([...state.names, ...textsIn(body).flatMap(wordsIn)])
  if (view.exchange._case === undefined && !selectsOwn(body)) return { ...state, unknown: true }
  // A second rule, or one that comes back, is more than this rule follows.
  if (view.operation?.id === 'create-exclusion') {
    return { ...state, names, made: change, active: change, unknown: state.unknown || state.made !== undefined }
  }
  return { ...state, names, active: change }
}

function look(
  state: Dropping,
  view: ExchangeView,
  oracle: Oracle,
): { state: Dropping; judgements: readonly Judgement[] } {
  const lines = view.accepted ? receivedLines(view) : undefined
  const selection = selectionOf(view)
  const whole = lines && tokenIn(view) === null && selection.token === undefined && selection.size === undefined
  if (!whole) return { state, judgements: [] }
  const out = new Map(lines.filter(isMarked).map((line) => [line.id, line]))
  if (!state.made) return { state: { ...state, seen: new Set([...state.seen, ...out.keys()]) }, judgements: [] }
  if (state.unknown) return { state, judgements: [] }
  const judgements: Judgement[] = []
  const latest = state.batches.at(-1)
  for (const batch of state.batches) {
    const chosen = batch.lines.filter((line) => selects(selection, line))
    if (chosen.length === 0 || batch.end > view.exchange._start) continue
    judgements.push(...judgeBatch(state, batch, chosen, out, view, oracle, latest))
  }
  return { state, judgements }
}

function judgeBatch(
  state: Dropping,
  batch: Batch,
  lines: readonly Line[],
  out: ReadonlyMap<string, Line>,
  view: ExchangeView,
  oracle: Oracle,
  latest: Batch | undefined,
): Judgement[] {
  const { made, active, removed, names } = state
  const bindsApp = view.operation?.fields.app !== undefined
  const isMatching = ({ sender }: Line): boolean => names.has(sender?.app ?? '')
  const matching = lines.filter(isMatching)
  const others = lines.filter((line) => !isMatching(line))
  const settled = isSettled(view, (latest ?? batch).end, oracle)
  const judge = (
    requirement: string,
    due: readonly Line[],
    there: boolean,
    surely: boolean,
    message: string,
  ): Judgement[] => {
    const [first] = due
    if (!first) return []
    const wrong = due.filter(({ id }) => out.has(id) !== there)
    const base = {
      ...about(view),
      requirement,
      exchanges: [...new Set([active?.exchange ?? '', removed?.exchange ?? '', batch.exchange, view.id])].filter(
        Boolean,
      ),
    }
    if (wrong.length === 0) return there || settled ? [{ ...base, outcome: 'held' }] : []
    if (!surely || (there && !settled)) return [{ ...base, outcome: 'inconclusive' }]
    return [
      {
        ...base,
        outcome: 'broken',
        message,
        expected: there ? `${due.length} lines come out` : `none of ${due.length} lines comes out`,
        actual: there ? `${wrong.length} of them are missing` : `${wrong.length} of them come out`,
      },
    ]
  }
  if (made && batch.end <= made.start) {
    const seen = matching.filter(({ id }) => state.seen.has(id))
    return judge('EXCLUSION-STORED-STAY', seen, true, true, 'lines that were stored before an exclusion rule are gone')
  }
  if (removed && batch.start >= removed.end) {
    const surely = batch.start - removed.end >= oracle.settleMs
    const message = 'new lines that match a deleted exclusion rule are still dropped'
    return judge('EXCLUSION-DELETE-STORES', matching, true, surely, message)
  }
  if (!active || batch.start < active.end || (removed && batch.end > removed.start)) return []
  const surely = batch.start - active.end >= oracle.settleMs
  // A rule selects by the application: it cannot match a line of which the target knows none, or another.
  const unknown =
    bindsApp && matching.some(({ id, sender }) => (out.get(id)?.sender?.app ?? sender?.app) !== sender?.app)
  const beside = others.length > 0 && others.every(({ id }) => out.has(id))
  const first = state.batches.find(({ start, lines: sent }) => start >= active.end && sent.some(isMatching)) === batch
  return [
    ...(first && beside && settled ? [effectOf(matching, out, view)] : []),
    // That none came says something only where what was sent with it came.
    ...(beside || matching.some(({ id }) => out.has(id))
      ? judge(
          'EXCLUSION-DROPS',
          matching,
          false,
          surely && !unknown,
          'new lines that match an exclusion rule are stored',
        )
      : []),
    ...judge('EXCLUSION-OTHERS-STAY', others, true, true, 'new lines that match no exclusion rule are dropped'),
  ]
}

/** What becomes of the first matching lines that are sent once a rule acts. */
function effectOf(matching: readonly Line[], out: ReadonlyMap<string, Line>, view: ExchangeView): Judgement {
  const stored = matching.some(({ id }) => out.has(id))
  const actual = `the first matching lines after an exclusion rule was made are ${stored ? 'stored' : 'dropped'}`
  return { ...about(view), requirement: 'GAP-EXCLUSION-EFFECT', outcome: 'observed', exchanges: [view.id], actual }
}

/** Whether a rule of which nobody says what it is for names what a run sends, and nothing else. */
function selectsOwn(body: unknown): boolean {
  const active = !isRecord(body) || !Object.values(body).includes(false)
  return active && textsIn(body).every((text) => text === '' || isOwnName(text))
}

/** A query may name an application among other things: `app:name`. */
function wordsIn(text: string): string[] {
  return [text, ...text.split(/[^\w-]+/)]
}

/** Fields by which a rule is switched on, and those by which it is switched off. */
const ON = /^(is_?)?(active|activated|enabled?|applied|on|running)$/i
const OFF = /^(is_?)?(in_?active|disabled?|off|paused?|suspended)$/i

/**
 * Why a rule that was made and changed with these bodies cannot be expected to drop the lines of an application: they
 * leave it switched off, or select by something else. Undefined: it has to drop them. `title`: the field that only names
 * the rule.
 */
export function idleReason(bodies: readonly unknown[], app: string, title: string | undefined): string | undefined {
  const rule: Record<string, unknown> = Object.assign({}, ...bodies.filter(isRecord))
  const selecting = Object.entries(rule).filter(([name]) => name !== title)
  if (!textsIn(Object.fromEntries(selecting)).flatMap(wordsIn).includes(app)) return 'it does not select by {{label}}'
  const off = selecting.find(
    ([name, value]) => (ON.test(name) && value === false) || (OFF.test(name) && value === true),
  )
  if (off) return `${off[0]} is ${off[1]}`
  const isOn = selecting.some(
    ([name, value]) => (ON.test(name) && value === true) || (OFF.test(name) && value === false),
  )
  // Under another name, any false may be the switch.
  const doubtful = isOn ? undefined : selecting.find(([, value]) => value === false)
  return doubtful && `${doubtful[0]} is false`
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}
