import { probes } from '../../../schemas/intents.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'
import { tokenIn } from '../ingestion/comes-out.ts'

interface Exported {
  readonly operation: string
  readonly exchange: string
  readonly lines: ReadonlySet<string>
}

/**
 * A small export v2 behaves like one of v1 (section 'Export v2'): it holds the same lines. The intents of the exports
 * share a group: v1, v2, v1. Where the two of v1 differ, nothing is said.
 */
export const likeV1Rule: HistoryRule<readonly Exported[]> = {
  name: 'like v1',
  intended: true,
  bound: 1_000,
  key: ({ intent, operation }) =>
    intent?.probe === probes.likeV1 && /^export-v[12]$/.test(operation?.id ?? '') ? intent.group : undefined,
  init: () => [],
  step(state, view) {
    const lines = linesIn(view)
    if (!lines) return { state: [], judgements: [] }
    const now = { operation: view.operation?.id ?? '', exchange: view.id, lines }
    const all = [...state, now].slice(-3)
    const [before, other, after] = all
    if (!before || !other || !after || all.map(({ operation }) => operation).join() !== ORDER) {
      return { state: all, judgements: [] }
    }
    const exchanges = all.map(({ exchange }) => exchange)
    const base = { ...about(view), operation: 'export-v2', requirement: 'EXPORT-V2-LIKE-V1', exchanges }
    if (before.lines.size === 0 || !same(before.lines, after.lines)) {
      return { state: all, judgements: [{ ...base, outcome: 'inconclusive' }] }
    }
    if (same(before.lines, other.lines)) return { state: all, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: all,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'a small export v2 does not hold the lines that an export v1 of the same holds',
          expected: `${before.lines.size} lines, as in export v1 before and after it`,
          actual: `${[...before.lines].filter((line) => other.lines.has(line)).length} of them, in ${other.lines.size} lines`,
        },
      ],
    }
  },
  end: () => [],
}

const ORDER = 'export-v1,export-v2,export-v1'

/** The run's own lines in a whole answer; undefined: not all of them are there, or nobody knows. */
function linesIn(view: ExchangeView): ReadonlySet<string> | undefined {
  const lines = view.accepted ? receivedLines(view) : undefined
  const whole = view.operation?.id === 'export-v1' || tokenIn(view) === null
  if (!lines || !whole || !selectionOf(view).known) return undefined
  return new Set(lines.filter(isMarked).map(({ id, hash }) => `${id} ${hash}`))
}

function same(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((line) => other.has(line))
}
