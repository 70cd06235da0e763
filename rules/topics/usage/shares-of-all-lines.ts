import { probes } from '../../../schemas/records/intents.ts'
import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import type { Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { batchesIn, claimOf, type GroupRule, sendsLines } from '../../known/groups.ts'
import { reportedFor, reportsIn, type UsageReport, usageKind, usageReport } from '../../known/usage.ts'
import { roundingOf } from './usage-values.ts'

/** Reports that are compared, each after more lines. */
export const REPORTS = 4

/** Shares of two reports, and sums of binary fractions, end a hair beside the number. */
const HAIR = 1e-6
const HAIR_OF_SUM = 1e-9
/** A sum this far beside the whole is another one. */
const APART = 0.001
/** Where no line has come in that has no name, a sum has to differ by more than this many times what rounding may do. */
const CLEARLY = 4

const BEHIND = 'not judged: the reports are closer together than the target takes to settle'

/**
 * USAGE-V1-SHARE, USAGE-TAGS-SHARE: a share is that of all lines of the period, not of the listed ones. The same name
 * has the same share whether all rows are asked for or only the first (category 'Usage v1'). The intent's probe is
 * `share`, its group holds three questions: all, few, all. If the two answers to the first request differ, nothing is
 * judged. Nor if another share may belong to another moment: answers may lag by the settle time of the target.
 */
export const sharesRule: GroupRule = {
  name: 'share does not depend on the rows asked for',
  sees: (view) => view.intent?.probe === probes.share && usageKind(view)?.version === 1,
  judge(view, before, oracle) {
    const [first, few, last] = usageReport(view, oracle) ? reportsIn([...before, view], oracle).slice(-3) : []
    if (!first || !few || !last || few.report.rows.length >= first.report.rows.length) return []
    const requirement = usageKind(view)?.by === 'tag' ? 'USAGE-TAGS-SHARE' : 'USAGE-V1-SHARE'
    const claim = claimOf(requirement, [first.view, few.view, last.view])
    const behind = isApart(oracle, [first.view, few.view, last.view]) ? undefined : BEHIND
    return few.report.rows.flatMap(({ name, value }): Judgement[] => {
      const share = reportedFor(first.report, name)
      const again = reportedFor(last.report, name)
      if (typeof value !== 'number' || share === undefined || again === undefined) return []
      if (share !== again)
        return [unclear(claim, 'not judged: the share is another one when all rows are asked for again')]
      if (Math.abs(share - value) <= 2 * roundingOf([share, value]) + HAIR) return [held(claim)]
      const fault = {
        message: 'a share depends on the number of requested rows',
        expected: `${share} percent of all lines for ${name}`,
        actual: `${value}`,
      }
      return [decide({ ...claim, exchanges: [first.view.id, few.view.id] }, fault, behind)]
    })
  },
}

/** Whether no answer can be one of the moment of an earlier question. */
function isApart({ settleMs }: Oracle, views: readonly ExchangeView[]): boolean {
  return views.every((one, index) => {
    const earlier = views[index - 1]
    return !earlier || one.exchange._start - earlier.exchange._end >= settleMs
  })
}

/** What one report tells. */
interface Told {
  readonly view: ExchangeView
  /** lines that were sent before, under the name that is looked at, and its share */
  readonly lines: number
  readonly share: number
  /** of all rows */
  readonly sum: number
  /** what rounding may have done to one share, and to the sum */
  readonly rounding: number
  readonly grace: number
}

/**
 * USAGE-V1-SHARE: a share of usage v1 is that of all lines of the period (category 'Usage v1'). A line need not have a
 * host or an application, so that shares may sum to less than 100. But then each line that has one brings the sum
 * nearer to it. A sum may stay the same while lines come in again and again. Then the lines without a name would have
 * to grow in step with those of the run. So the shares are of another number than that of the lines.
 */
export const wholeSharesRule: GroupRule = {
  name: 'shares are those of all lines',
  sees: ({ intent }) => intent?.probe === probes.wholeShares,
  judge(view, before, oracle) {
    if (view.intent?.final !== true || sendsLines(view)) return []
    const views = [...before, view]
    const all = reportsIn(views, oracle).flatMap((one) => toldBy(one, views) ?? [])
    // The newest of the reports after one sending counts.
    const told = all.filter(({ lines }, index) => all.slice(index + 1).every((later) => later.lines !== lines))
    if (told.length !== REPORTS || told.at(-1)?.view !== view) return []
    const claim = claimOf(
      'USAGE-V1-SHARE',
      told.map((one) => one.view),
      { edge: 'all rows' },
    )
    if (told.every(({ sum, grace }) => Math.abs(sum - 100) <= 2 * grace + APART)) return [held(claim)]
    const [{ sum, lines } = { sum: 0, lines: 0 }] = told
    // Fractions of one are another rule's matter.
    if (sum < 2 || !told.slice(1).every((later, index) => isStill(told[index] ?? later, later))) return []
    const by = usageKind(view)?.by === 'app' ? 'an application' : 'a host'
    return [
      broken(claim, {
        message: 'shares are not those of all lines: their sum never changes',
        expected: `a sum that comes nearer to 100 with each of ${(told.at(-1)?.lines ?? 0) - lines} lines, all of which have ${by}`,
        actual: `${sum.toFixed(3)} in each of ${told.length} reports`,
      }),
    ]
  },
}

function toldBy(
  { view, report: { rows } }: { readonly view: ExchangeView; readonly report: UsageReport },
  views: readonly ExchangeView[],
): Told | undefined {
  const senders = batchesIn(views.slice(0, views.indexOf(view))).flatMap(({ lines }) =>
    lines.map(({ sender }) => sender),
  )
  const values = numbersIn(rows)
  for (const { name, value } of rows) {
    const lines = senders.filter((sender) => sender?.app === name || sender?.host === name).length
    if (lines === 0) continue
    if (values.length < rows.length || typeof value !== 'number' || value <= 0) return undefined
    // Half a unit where it is rounded as usual, up to a whole one where it is always rounded down or up.
    const half = roundingOf(values)
    return {
      view,
      lines,
      share: value,
      sum: sumOf(values),
      rounding: 2 * half,
      grace: rows.length * half + HAIR_OF_SUM,
    }
  }
  return undefined
}

function numbersIn(rows: UsageReport['rows']): readonly number[] {
  return rows.flatMap(({ value }) => (typeof value === 'number' ? value : []))
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * Whether a sum stayed as it was, though it could not have done so without new lines that have no name. How many lines there
 * are is only known from a share that was rounded: they are taken to be as many as they may be.
 */
function isStill(earlier: Told, later: Told): boolean {
  const grace = earlier.grace + later.grace
  if (earlier.share === later.share || Math.abs(earlier.sum - later.sum) > grace) return false
  const least = earlier.share - earlier.rounding
  if (least <= 0) return false
  const all = (100 * earlier.lines) / least
  const more = later.lines - earlier.lines
  const expected = (100 * ((all * earlier.sum) / 100 + more)) / (all + more)
  return expected - earlier.sum > CLEARLY * grace
}

/**
 * USAGE-TAGS-SHARE: the same lines have the same share by host and by tag: both are of all lines of the period (category
 * 'Usage v1'). The report by tag stands between two by host that tell the same share, further apart than the settle
 * time. Only if the shares of all hosts sum to the whole is it known which of the two is wrong.
 */
export const tagSharesRule: GroupRule = {
  name: 'shares by tag are those by host',
  sees: ({ intent }) => intent?.probe === probes.sharesOfOneSender && intent.final !== false,
  judge(view, before, oracle) {
    const names = namesIn(before)
    if (!names || view.operation?.id !== 'list-usage-by-host') return []
    const reports = reportsIn([...before, view], oracle)
    const first = reports.slice(0, -1).findLast((one) => one.view.operation?.id === 'list-usage-by-host')
    const between = reports.slice(0, -1).findLast((one) => one.view.operation?.id === 'list-usage-by-tag')
    const last = reports.at(-1)
    if (!first || !between || last?.view !== view || reports.indexOf(between) < reports.indexOf(first)) return []
    if (!isWhole(first.report) || !isWhole(last.report)) return []
    const [host, tag, again] = [
      reportedFor(first.report, names.host) ?? 0,
      reportedFor(between.report, names.tag) ?? 0,
      reportedFor(last.report, names.host) ?? 0,
    ]
    if (host <= 0 || tag <= 0 || again <= 0) return []
    const claim = claimOf('USAGE-TAGS-SHARE', [names.sent, first.view, view, between.view], {
      edge: probes.sharesOfOneSender,
    })
    const grace = 2 * (roundingOf([host]) + roundingOf([tag])) + HAIR
    // As more lines of others come in, the share sinks from the one report to the other.
    if (tag >= Math.min(host, again) - grace && tag <= Math.max(host, again) + grace) return [held(claim)]
    if (host !== again) return [unclear(claim, 'not judged: the share by host is another one in the report after it')]
    const fault = {
      message: 'lines have another share by tag than by host, though all of them have both',
      expected: `${again} percent of all lines`,
      actual: `${tag}`,
    }
    return [decide(claim, fault, isApart(oracle, [names.sent, first.view, between.view, view]) ? undefined : BEHIND)]
  },
}

/** The host and the tag of all lines that were sent, where they were sent at once and have only one of each. */
function namesIn(
  before: readonly ExchangeView[],
): { readonly host: string; readonly tag: string; readonly sent: ExchangeView } | undefined {
  const [sent, more] = before.filter(sendsLines)
  const senders = batchesIn(before).flatMap(({ lines }) => lines.map(({ sender }) => sender))
  const [first] = senders
  const [tag] = first?.tags ?? []
  const same = senders.every((one) => one?.host === first?.host && one?.tags.length === 1 && one.tags[0] === tag)
  return sent && !more && first && tag !== undefined && same ? { host: first.host, tag, sent } : undefined
}

function isWhole({ rows }: UsageReport): boolean {
  const values = numbersIn(rows)
  const grace = 2 * rows.length * roundingOf(values) + APART
  return values.length === rows.length && Math.abs(sumOf(values) - 100) <= grace
}
