import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { type UsageReport, usageKind, usageReport } from '../../known/usage.ts'
import { roundingOf } from './usage-values.ts'

interface Asked {
  readonly exchange: string
  readonly start: number
  readonly end: number
  readonly report: UsageReport
}

/**
 * A share is that of all lines of the period, not of those that happen to be listed: the same name has the same share
 * whether all rows are asked for or only the first (category 'Usage v1'). The intent's probe is `share`, its group holds
 * three questions: all, few, all. Where the two answers to the first differ, nothing is said; nor where another share may
 * be that of another moment: answers may be behind for as long as a target takes to settle.
 */
export const sharesRule: HistoryRule<readonly Asked[]> = {
  name: 'shares',
  intended: true,
  bound: 1_000,
  key: (view) =>
    view.intent?.probe === probes.share && usageKind(view)?.version === 1 ? view.intent.group : undefined,
  init: () => [],
  step(state, view, oracle) {
    const report = usageReport(view, oracle)
    if (!report) return { state, judgements: [] }
    const { _start: start, _end: end } = view.exchange
    const asked = [...state, { exchange: view.id, start, end, report }].slice(-3)
    const [before, few, after] = asked
    if (!before || !few || !after || few.report.rows.length >= before.report.rows.length) {
      return { state: asked, judgements: [] }
    }
    const requirement = usageKind(view)?.by === 'tag' ? 'USAGE-TAGS-SHARE' : 'USAGE-V1-SHARE'
    const base = { ...about(view), requirement, exchanges: asked.map(({ exchange }) => exchange) }
    const apart = few.start - before.end >= oracle.settleMs && after.start - few.end >= oracle.settleMs
    const judgements: Judgement[] = []
    for (const { name, value } of few.report.rows) {
      const first = numberOf(before.report, name)
      const last = numberOf(after.report, name)
      if (typeof value !== 'number' || first === undefined || last === undefined) continue
      if (first !== last) judgements.push({ ...base, outcome: 'inconclusive' })
      else if (Math.abs(first - value) <= 2 * roundingOf([first, value]) + 1e-6) {
        judgements.push({ ...base, outcome: 'held' })
      } else if (!apart) judgements.push({ ...base, outcome: 'inconclusive' })
      else {
        judgements.push({
          ...base,
          exchanges: [before.exchange, few.exchange],
          outcome: 'broken',
          message: 'a share depends on how many rows are asked for',
          expected: `${first} percent of all lines for ${name}`,
          actual: `${value}`,
        })
      }
    }
    return { state: asked, judgements }
  },
  end: () => [],
}

function numberOf(report: UsageReport, name: string): number | undefined {
  const value = report.rows.find((row) => row.name === name)?.value
  return typeof value === 'number' ? value : undefined
}
