import { isDeepStrictEqual } from 'node:util'
import { about, type HistoryRule } from '../rule.ts'
import { shown } from '../shown.ts'
import { jsonOf } from '../view.ts'

interface Asked {
  readonly exchange: string
  readonly report: unknown
}

const REQUIREMENT = 'USAGE-TAGS-DAY'

/**
 * Two moments of one day give the same usage report (section 'What the service does', usage rules). The intent's
 * probe is `same-day`; its group holds three questions: A, B, A. Where the two answers to A differ, nothing is said.
 */
export const sameDayRule: HistoryRule<readonly Asked[]> = {
  name: 'same day',
  bound: 1_000,
  key: (view) => (view.intent?.probe === 'same-day' ? view.intent.group : undefined),
  init: () => [],
  step(state, view) {
    const asked = [...state, { exchange: view.id, report: view.accepted ? sorted(jsonOf(view.response)) : undefined }]
    const [before, other, after] = asked
    if (!before || !other || !after) return { state: asked, judgements: [] }
    const base = { ...about(view), requirement: REQUIREMENT, exchanges: asked.map(({ exchange }) => exchange) }
    if (isEmpty(before.report) || !isDeepStrictEqual(before.report, after.report)) {
      return { state: asked, judgements: [{ ...base, outcome: 'inconclusive' }] }
    }
    if (isDeepStrictEqual(before.report, other.report))
      return { state: asked, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: asked,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'two moments of one day give different reports',
          expected: shown(before.report),
          actual: shown(other.report),
        },
      ],
    }
  },
  end: () => [],
}

/** The order of rows is not stated. */
function sorted(report: unknown): unknown {
  return Array.isArray(report) ? [...report].sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b))) : report
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isEmpty(report: unknown): boolean {
  return report === undefined || report === null || (Array.isArray(report) && report.length === 0)
}
