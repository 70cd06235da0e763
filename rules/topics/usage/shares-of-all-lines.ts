import { decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { claimOf, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { batchesIn, type GroupRule, sendsLines } from '../../known/groups.ts'
import { reportedFor, reportsIn, usageKind, usageReport } from '../../known/usage.ts'
import { linesByName } from './sent-is-reported.ts'
import { roundingOf } from './usage-values.ts'

/** Shares of two reports end a hair beside the number. */
const HAIR = 1e-6
/** A share so many times what rounding may do to it is good enough to compare. */
const ROUGH = 4

const BEHIND = 'not judged: the reports are closer together than the target takes to settle'

/**
 * USAGE-V1-SHARE, USAGE-TAGS-SHARE: a share is that of all lines of the period, not of the listed ones. The same name
 * has the same share whether all rows are asked for or only the first (category 'Usage v1'). The intent's probe is
 * `share`, its group holds three questions: all, few, all. If the two answers to the first request differ, nothing is
 * judged. Nor if another share may belong to another moment: answers may lag by the settle time of the target.
 */
export const sharesRule: GroupRule = {
  sees: (view) => view.intent?.probe === 'share' && usageKind(view)?.version === 1,
  judge(view, before, oracle) {
    const [first, few, last] = usageReport(view, oracle) ? reportsIn([...before, view], oracle).slice(-3) : []
    if (!first || !few || !last || few.report.rows.length >= first.report.rows.length) return []
    const claim = claimOf(requirementOf(view), [first.view, few.view, last.view])
    const behind = isApart(oracle, [first.view, few.view, last.view]) ? undefined : BEHIND
    return few.report.rows.flatMap(({ name, value }): Judgement[] => {
      const share = reportedFor(first.report, name)
      const again = reportedFor(last.report, name)
      if (typeof value !== 'number' || share === undefined || again === undefined) return []
      if (share !== again)
        return [unclear(claim, 'not judged: the share is another one when all rows are asked for again')]
      if (Math.abs(share - value) <= 2 * roundingOf([share, value]) + HAIR) return [held(claim)]
      const message = 'a share depends on the number of requested rows'
      const fault = { message, expected: `${share} percent of all lines for ${name}`, actual: `${value}` }
      return [decide({ ...claim, exchanges: [first.view.id, few.view.id] }, fault, behind)]
    })
  },
}

function requirementOf(view: ExchangeView): string {
  return usageKind(view)?.by === 'tag' ? 'USAGE-TAGS-SHARE' : 'USAGE-V1-SHARE'
}

/** Whether no answer can be one of the moment of an earlier question. */
function isApart({ settleMs }: Oracle, views: readonly ExchangeView[]): boolean {
  return views.every((one, index) => {
    const earlier = views[index - 1]
    return !earlier || one.exchange._start - earlier.exchange._end >= settleMs
  })
}

/**
 * USAGE-V1-SHARE, USAGE-TAGS-SHARE: a share counts lines, however long they are (category 'Usage v1'). Names of the run's
 * own are to each other as the numbers of their lines. The probe is `unlikeLines`: few long lines have one of the names,
 * many short ones the other.
 */
export const linesShareRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'lines of unlike lengths',
  judge(view, before, oracle) {
    const report = usageKind(view)?.version === 1 ? usageReport(view, oracle) : undefined
    const batches = batchesIn(before)
    const told = [...linesByName(batches)].flatMap(([name, lines]) => {
      const share = report && reportedFor(report, name)
      return share === undefined || share <= 0 ? [] : [{ name, lines, share }]
    })
    const [few, many] = told.toSorted((one, other) => one.lines - other.lines)
    if (!few || !many || few.lines === many.lines) return []
    const claim = claimOf(requirementOf(view), [...before.filter(sendsLines), view], { edge: 'long and short lines' })
    const rounding = 2 * roundingOf([few.share, many.share])
    if (few.share < ROUGH * rounding) return [unclear(claim, 'not judged: shares are told too roughly')]
    const grace = rounding * (few.lines + many.lines) + HAIR
    const isRight = Math.abs(many.share * few.lines - few.share * many.lines) <= grace
    const fault = {
      message: 'shares are not to each other as the lines',
      expected: `for ${many.lines} short lines ${many.lines}/${few.lines} of the share of ${few.lines} long ones`,
      actual: `${many.share} for ${many.name}, ${few.share} for ${few.name}`,
    }
    const sent = Math.max(...batches.map(({ end }) => end))
    return [decide(claim, isRight ? undefined : fault, doubtOf(view, sent, oracle))]
  },
}

/**
 * USAGE-V1-SHARE, USAGE-TAGS-SHARE: a share is one of the lines of the period alone (category 'Usage v1'). The probe is
 * `past-share`: between three reports of a past day only lines of today are sent. If the shares of the run's own names
 * fall each time, lines of other days count. A change in one step may come from lines of others for that day.
 */
export const pastShareRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'past-share',
  judge(view, before, oracle) {
    const three = usageReport(view, oracle) ? reportsIn([...before, view], oracle).slice(-3) : []
    if (three.length < 3) return []
    const claim = claimOf(
      requirementOf(view),
      three.map((one) => one.view),
      { edge: 'lines of other days' },
    )
    const sent = batchesIn(before).reduce((sum, { lines }) => sum + lines.length, 0)
    return [...linesByName(batchesIn(before))].flatMap(([name, lines]): Judgement[] => {
      const shares = three.flatMap(({ report }) => reportedFor(report, name) ?? [])
      const [first = 0, next = 0, last = 0] = shares
      if (shares.length < 3 || first === 0) return []
      const falls = first - next > HAIR && next - last > HAIR
      // If it were one of all lines that there are.
      const fallen = (100 * lines) / ((100 * lines) / first + sent - lines)
      const isClear = first === last && first - fallen > 2 * roundingOf(shares)
      if (!falls && !isClear)
        return [unclear(claim, 'not judged: shares are told too roughly, or others sent lines of that day')]
      const message = 'the share of a past day falls as lines of today come in'
      return [
        decide(
          claim,
          falls ? { message, expected: `${first} each time`, actual: shares.join(', ') } : undefined,
          undefined,
        ),
      ]
    })
  },
}
