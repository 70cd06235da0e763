import { probes } from '../../../schemas/intents.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { takenIn } from '../../known/batches.ts'
import { reportedFor, usageKind, usageReport } from '../../known/usage.ts'

interface Sent {
  /** lines by the names that they were sent under: applications, hosts and tags */
  readonly lines: ReadonlyMap<string, number>
  readonly exchanges: readonly string[]
}

/** Characters of each line with what belongs to it, at least: drawn at random, they cannot be stored in a byte. */
const LONG = 400

/**
 * Usage v2 reports bytes of disk storage (category 'Usage v2'). How lines are stored is a target's own, and so is how many
 * bytes that takes; but where each of several names has as many bytes as long lines that have nothing in common, lines are
 * counted.
 */
export const bytesRule: HistoryRule<Sent> = {
  name: 'bytes',
  intended: true,
  bound: 1_000,
  key: ({ intent }) => (intent?.probe === probes.longLines ? intent.group : undefined),
  init: () => ({ lines: new Map(), exchanges: [] }),
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') return { state: withSent(state, view), judgements: [] }
    const report = usageReport(view, oracle)
    const kind = usageKind(view)
    if (!report || kind?.version !== 2 || view.intent?.final === false) return { state, judgements: [] }
    const told = [...state.lines].flatMap(([name, lines]) => {
      const bytes = reportedFor(report, name)
      return bytes === undefined ? [] : [{ name, lines, bytes }]
    })
    // Of one number alone it may be chance, and so of numbers that are all the same.
    if (new Set(told.map(({ lines }) => lines)).size < 2) return { state, judgements: [] }
    const base = {
      ...about(view),
      requirement: 'USAGE-V2-BYTES',
      edge: 'long lines',
      exchanges: [...state.exchanges, view.id],
    }
    if (told.every(({ lines, bytes }) => bytes > lines)) {
      return { state, judgements: [{ ...base, outcome: 'held' }] }
    }
    if (!told.every(({ lines, bytes }) => bytes === lines)) return { state, judgements: [] }
    return {
      state,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'usage v2 reports the number of lines, not their bytes',
          expected: `bytes that lines of ${LONG} characters each may take on a disk`,
          actual: told.map(({ lines, bytes }) => `${bytes} for ${lines} lines`).join(', '),
        },
      ],
    }
  },
  end: () => [],
}

function withSent(state: Sent, view: ExchangeView): Sent {
  const taken = takenIn(view)?.lines ?? []
  const body = view.exchange.request.postData
  const distinct = new Set(taken.map(({ hash }) => hash)).size
  if (!body || body._cut === true || distinct < taken.length || body.text.length < LONG * taken.length) return state
  const lines = new Map(state.lines)
  for (const { sender } of taken) {
    for (const name of sender ? [sender.app, sender.host, ...sender.tags] : []) {
      lines.set(name, (lines.get(name) ?? 0) + 1)
    }
  }
  return { lines, exchanges: [...state.exchanges, view.id] }
}
