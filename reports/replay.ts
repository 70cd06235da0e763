import type { DifferenceGroup, ReplayReport } from '../schemas/types/replay.ts'
import { counted, number } from './counted.ts'
import { rulesInWords } from './replay-words.ts'
import { Screen, type ScreenOptions } from './screen.ts'

const MOST_GROUPS = 20
const MOST_LINES = 12
const INDENT = 2

/** What a person sees when a replay ends: differences first, alike ones together, then what was not done, then the counts. */
export function renderReplay(report: ReplayReport, options: ScreenOptions): string {
  const screen = new Screen(options)
  const { paint } = screen
  const shown = report.differences.slice(0, MOST_GROUPS)
  if (shown.some(({ recorded, replayed }) => recorded !== '' || replayed !== '')) {
    screen.text('- recorded, + now', { style: paint.dim })
    screen.line()
  }
  for (const group of shown) difference(screen, group)
  const more = report.differences.length - MOST_GROUPS
  if (more > 0) screen.text(`${counted(more, 'more kind')} of difference: see replay.json`)
  const unlisted = report.moreDifferences
  if (unlisted > 0) screen.text(`${counted(unlisted, 'difference')} of further kinds: counted, not listed`)
  if (more > 0 || unlisted > 0) screen.line()
  const fresh = report.rules.findings.filter((finding) => finding.fresh)
  listed(screen, 'Rules that this target breaks, and the recorded one did not:', fresh.map(ruleLine))
  listed(screen, 'Rules that both break:', report.rules.findings.filter((finding) => !finding.fresh).map(ruleLine))
  listed(
    screen,
    'Not carried over, since the new answers had nothing in their place:',
    report.notCarried.map(
      ({ operation, pointer, count: times, value, seenIn }) =>
        `${operation} ${pointer}: ${value}, first seen in ${seenIn}, used ${timesOf(times)}`,
    ),
  )
  listed(
    screen,
    'Not sent:',
    report.notSent.map(({ reason, count: times, example }) => `${number(times)}: ${reason}, such as ${example}`),
  )
  listed(
    screen,
    'Ignored places that nothing differs at any more:',
    report.stale.map(({ operation, pointer }) => `${operation} ${pointer}`),
  )
  summary(screen, report)
  if (report.broke !== '') screen.text(`broke off: ${report.broke}`, { style: paint.red })
  return screen.toString()
}

/** A difference as a short structural diff. */
function difference(
  screen: Screen,
  { operation, pointer, kind, recorded, replayed, count: times, example }: DifferenceGroup,
): void {
  const { paint } = screen
  const where = `${operation}  ${pointer === '' ? '(the whole body)' : pointer}`
  screen.text(
    `${times === 1 ? '' : `${number(times)} times  `}${where}${kind === 'order' ? '  (another order)' : ''}`,
    {
      style: paint.bold,
    },
  )
  if (recorded !== '') screen.text(`- ${recorded}`, { indent: INDENT, style: paint.red })
  if (replayed !== '') screen.text(`+ ${replayed}`, { indent: INDENT, style: paint.green })
  screen.text(`${example.recorded} -> ${example.replayed}  ${example.request}`, { indent: INDENT, style: paint.dim })
  screen.line()
}

function listed(screen: Screen, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  screen.text(title)
  screen.list(lines, MOST_LINES)
  screen.line()
}

function ruleLine({ requirement, level, message, count: times }: ReplayReport['rules']['findings'][number]): string {
  return `${requirement} (${level}): ${message}${times > 1 ? `, ${timesOf(times)}` : ''}`
}

function summary(screen: Screen, report: ReplayReport): void {
  const { counts, recording, target } = report
  screen.text(`by the rules: ${rulesInWords(report)}`)
  const rate = report.durationMs > 0 ? Math.round((counts.sent * 1000) / report.durationMs) : 0
  screen.text(
    `${number(counts.sent)} of ${number(recording.exchanges)} requests of ${recording.path} sent to ${target.baseUrl} in ${(report.durationMs / 1000).toFixed(1)} s (${number(rate)} a second)`,
  )
  const asides = [
    [counts.raced, 'since other requests changed the same thing at the same time'],
    [counts.inconclusive, 'since the recorded answer says nothing'],
    [counts.notKept, 'since the recording does not hold the whole body'],
    [counts.weather ?? 0, 'since the target failed for a moment, now or at an earlier request'],
    [counts.unsent ?? 0, 'since requests were not sent that change what they show'],
    [counts.early ?? 0, 'since they were recorded too early, before a change showed'],
  ] as const
  const skipped = asides.flatMap(([times, why]) => (times === 0 ? [] : [`${number(times)} ${why}`]))
  screen.text(
    `${counted(counts.compared, 'answer')} compared${skipped.length === 0 ? '' : `; not compared: ${skipped.join(', ')}`}`,
  )
  const { late } = report
  if (late) {
    screen.text(
      `${counted(late.count, 'answer')} came too early, and ${late.count === 1 ? 'was' : 'were'} right when asked for again, the last after ${number(late.longestMs)} ms`,
    )
  }
  if (counts.ignored > 0) screen.text(`${counted(counts.ignored, 'difference')} at ignored places`)
  const days = Math.round(report.shift.daysMs / 86_400_000)
  if (report.shift.exactMs !== 0 || days !== 0) {
    screen.text(
      `times in requests were moved by ${(report.shift.exactMs / 1000).toFixed(0)} s, dates by ${counted(days, 'day')}`,
    )
  }
  const { different } = counts
  const kinds = report.differences.length
  screen.text(
    counts.compared === 0
      ? 'nothing could be compared'
      : different === 0
        ? 'no difference'
        : `${counted(different, 'exchange differs', 'exchanges differ')}, in ${counted(kinds, 'kind')} of difference`,
    { style: screen.paint.bold },
  )
  if (isOfAnotherKind(report)) {
    screen.text(
      'most of what was recorded is not there: for a target with other paths, make a binding with `assay bind`, and certify it',
    )
  }
}

/** Whether most of what is recorded is not where it was: the target has other paths. */
function isOfAnotherKind({ counts, differences }: ReplayReport): boolean {
  const gone = differences.filter(({ pointer, replayed }) => pointer === 'status' && /^(404|405|501)$/.test(replayed))
  return gone.reduce((sum, { count }) => sum + count, 0) > counts.compared / 2
}

function timesOf(value: number): string {
  return value === 1 ? 'once' : `${number(value)} times`
}
