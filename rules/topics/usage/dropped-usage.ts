import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { takenIn } from '../../known/batches.ts'
import { type UsageReport, usageReport } from '../../known/usage.ts'

interface Measured {
  /** when the first report was asked for: all earlier lines had been sent */
  readonly since: number
  readonly before: { readonly exchange: string; readonly report: UsageReport } | undefined
  /** applications of lines that were sent since, each of which a rule drops */
  readonly sent: readonly string[]
  readonly exchanges: readonly string[]
}

/** Bytes of stored lines do not grow: the lines were dropped before they were stored. */
const REQUIREMENTS = ['EXCLUSION-BEFORE-STORAGE', 'USAGE-V2-STORED'] as const

/**
 * Usage v2 counts stored lines only: an application whose new lines are dropped has as many bytes as before (category
 * 'Usage v2'). The intents of the two reports and of the lines between them share a group and the probe `dropped`.
 */
export const droppedUsageRule: HistoryRule<Measured> = {
  name: 'dropped usage',
  intended: true,
  bound: 1_000,
  key: (view) => (view.intent?.probe === probes.droppedUsage ? view.intent.group : undefined),
  init: () => ({ since: Number.POSITIVE_INFINITY, before: undefined, sent: [], exchanges: [] }),
  step(state, view, oracle) {
    const batch = takenIn(view)
    if (batch) {
      const apps = batch.lines.flatMap(({ sender }) => (sender ? [sender.app] : []))
      return { state: { ...state, sent: [...state.sent, ...apps], exchanges: [view.id] }, judgements: [] }
    }
    const report = usageReport(view, oracle)
    if (view.operation?.id !== 'list-usage-v2-by-app' || !report) return { state, judgements: [] }
    const { before } = state
    if (state.sent.length === 0) {
      const since = Math.min(state.since, view.exchange._start)
      // A report may be behind: only one that began later shows all that was stored before.
      const shows = view.exchange._start - since >= oracle.settleMs
      const now = shows ? { exchange: view.id, report } : undefined
      return { state: { ...state, since, before: now }, judgements: [] }
    }
    if (!before) return { state, judgements: [] }
    const judgements = [...new Set(state.sent)].flatMap((app): Judgement[] => {
      const first = bytesOf(before.report, app)
      const last = bytesOf(report, app)
      if (first === undefined || last === undefined) return []
      const base = {
        ...about(view),
        edge: 'lines that were dropped',
        exchanges: [before.exchange, ...state.exchanges, view.id],
      }
      return REQUIREMENTS.map((requirement): Judgement => {
        if (last <= first) return { ...base, requirement, outcome: 'held' }
        return {
          ...base,
          requirement,
          outcome: 'broken',
          message: 'lines that were dropped count as usage',
          expected: `${first} bytes for ${app}, as before`,
          actual: `${last} bytes`,
        }
      })
    })
    return { state, judgements }
  },
  end: () => [],
}

function bytesOf(report: UsageReport, app: string): number | undefined {
  const value = report.rows.find(({ name }) => name === app)?.value
  return typeof value === 'number' ? value : undefined
}
