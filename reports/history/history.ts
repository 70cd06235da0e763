import type { RequirementResult, Verdict } from '../../schemas/types/report.ts'
import { resultsById } from '../build.ts'
import type { NamedReport } from '../compare/compare.ts'
import { markdownCode, markdownText } from '../markup.ts'
import { Page, type PageOptions, painted } from '../page.ts'

/** What became of each requirement over several runs. */
export interface History {
  readonly formatVersion: 1
  /** the oldest first */
  readonly runs: readonly HistoryRun[]
  /** those that are broken now first, then flaky ones, then those that changed */
  readonly requirements: readonly HistoryRow[]
  /** what keeps something from being said */
  readonly notes: readonly string[]
}

export interface HistoryRun {
  readonly name: string
  /** name of the target */
  readonly target: string
  /** of the target; '' where the report does not know it */
  readonly version: string
  /** ISO 8601 */
  readonly startedAt: string
  readonly verdict: string
  readonly suite: string
}

export interface HistoryRow extends Readonly<Pick<RequirementResult, 'id' | 'level' | 'text'>> {
  /** by run; absent: the run does not know it */
  readonly verdicts: readonly (Verdict | 'absent')[]
  /** both held and broken on one version of the target, by one version of the suite */
  readonly flaky: boolean
  /** broken in the newest run that judged it: the run since which it is */
  readonly firstBad?: Since
}

/** A run with its place among the runs, and the last one before it in which the requirement held. */
export interface Since {
  readonly run: number
  readonly lastGood?: number
}

const BROKEN: ReadonlySet<string> = new Set(['fail', 'warn'])

/** The history that reports tell, in whatever order they are given. */
export function historyOf(reports: readonly NamedReport[]): History {
  const sorted = byTime(reports)
  const runs = sorted.map(runOf)
  const ids = new Map(sorted.toReversed().flatMap(({ report }) => report.requirements.map((one) => [one.id, one])))
  const rows = [...ids.values()].map(({ id, level, text }): HistoryRow => {
    const verdicts = sorted.map(({ report }) => resultsById(report).get(id)?.verdict ?? 'absent')
    const firstBad = sinceWhen(verdicts)
    return { id, level, text, verdicts, flaky: isFlaky(verdicts, runs), ...(firstBad ? { firstBad } : {}) }
  })
  return {
    formatVersion: 1,
    runs,
    requirements: rows.sort((a, b) => weight(a) - weight(b)),
    notes: notesOn(runs),
  }
}

/** Without the requirements about which there is nothing to say: that never were broken, and never changed. */
export function onlyTelling(history: History): History {
  return { ...history, requirements: history.requirements.filter((row) => weight(row) < QUIET) }
}

/** The oldest first; of one moment by name. */
export function byTime(reports: readonly NamedReport[]): NamedReport[] {
  const when = ({ name, report }: NamedReport): string => `${report.startedAt} ${name}`
  return [...reports].sort((a, b) => (when(a) < when(b) ? -1 : 1))
}

function runOf({ name, report: { target, startedAt, verdict, suite } }: NamedReport): HistoryRun {
  return { name, target: target.name, version: target.version, startedAt, verdict, suite: suite.version }
}

/** The run since which a requirement is broken, where the newest judgement says that it is. */
function sinceWhen(verdicts: HistoryRow['verdicts']): Since | undefined {
  const judged = verdicts.flatMap((verdict, run) => (isJudged(verdict) ? [{ run, bad: BROKEN.has(verdict) }] : []))
  const lastGood = judged.findLast(({ bad }) => !bad)?.run
  const first = judged.find(({ run }) => run > (lastGood ?? -1))
  if (!first) return undefined
  return { run: first.run, ...(lastGood === undefined ? {} : { lastGood }) }
}

function isJudged(verdict: string): boolean {
  return verdict === 'pass' || BROKEN.has(verdict)
}

/** Nobody knows whether versions without a name are one. */
function isFlaky(verdicts: HistoryRow['verdicts'], runs: readonly HistoryRun[]): boolean {
  const seen = new Map<string, boolean>()
  return verdicts.some((verdict, index) => {
    const { target = '', version = '', suite = '' } = runs[index] ?? {}
    if (version === '' || !isJudged(verdict)) return false
    const key = JSON.stringify([target, version, suite])
    const before = seen.get(key)
    seen.set(key, BROKEN.has(verdict))
    return before !== undefined && before !== BROKEN.has(verdict)
  })
}

const QUIET = 4

function weight({ verdicts, flaky, firstBad }: HistoryRow): number {
  const newest = verdicts.findLast(isJudged)
  if (firstBad) return newest === 'fail' ? 0 : 1
  if (flaky) return 2
  return isChanged(verdicts) ? 3 : QUIET
}

function isChanged(verdicts: HistoryRow['verdicts']): boolean {
  return new Set(verdicts.filter((verdict) => verdict !== 'absent')).size > 1
}

function notesOn(runs: readonly HistoryRun[]): string[] {
  const notes: string[] = []
  const targets = new Set(runs.map(({ target }) => target || 'one without a name'))
  if (targets.size > 1) notes.push(`These are runs of ${targets.size} targets: ${[...targets].join(', ')}.`)
  const unnamed = runs.filter(({ version }) => version === '').length
  if (unnamed === 0) return notes
  const why = `${unnamed} of ${runs.length} reports name no version of the target, so that nothing in them counts as flaky.`
  return [...notes, `${why} Set \`version\` in the configuration.`]
}

/** A run in words: the version, or the name of the report where it has none. */
export function runName({ version, name, target }: HistoryRun): string {
  return version === '' ? name : `${target} ${version}`.trim()
}

/** `since acme 3.5 (run-7); held in acme 3.4`; '' of what is not broken. */
export function sinceInWords({ firstBad }: HistoryRow, runs: readonly HistoryRun[]): string {
  const [first, good] = [firstBad && runs[firstBad.run], runs[firstBad?.lastGood ?? -1]]
  if (!first) return ''
  const before = good ? `; held in ${runName(good)}` : '; never seen to hold'
  return `broken since ${runName(first)}, ${first.startedAt.slice(0, 10)}${before}`
}

/** In a sentence: how many are broken now, flaky, or changed. */
export function summaryOf({ runs, requirements }: History): string {
  const count = (of: (row: HistoryRow) => boolean): number => requirements.filter(of).length
  const broken = count(({ firstBad }) => firstBad !== undefined)
  const flaky = count(({ flaky: is }) => is)
  const changed = count(({ verdicts }) => isChanged(verdicts))
  return `${runs.length} runs: ${broken} ${broken === 1 ? 'requirement is' : 'requirements are'} broken now, ${flaky} flaky, ${changed} changed`
}

const SIGNS: Readonly<Record<string, string>> = {
  pass: '.',
  fail: 'F',
  warn: 'w',
  observed: 'o',
  'not-run': '-',
  error: 'E',
  absent: ' ',
}
const MARKS: Readonly<Record<string, string>> = {
  pass: '✅',
  fail: '❌',
  warn: '⚠️',
  observed: '○',
  'not-run': '–',
  error: '💥',
  absent: '',
}

/** Runs of which a table shows a column each, the newest. */
const MOST_COLUMNS = 12

/** The history for a terminal: the runs, then a line for each requirement with a letter for each run. */
export function renderHistoryTerminal(history: History, options: PageOptions): string {
  const page = new Page(options)
  const { paint } = page
  const { runs, requirements } = history
  for (const run of runs) {
    const name = run.version === '' ? run.name : `${runName(run)} (${run.name})`
    page.field(run.startedAt.slice(0, 16).replace('T', ' '), `${run.verdict}  ${name}`, { most: 200 })
  }
  page.line()
  for (const note of history.notes) page.text(note, { style: paint.yellow })
  page.text('oldest run first; F fail, w warn, . pass, - not run, o observed, E error', { style: paint.dim })
  page.line()
  for (const row of requirements) {
    const cells = row.verdicts.map((verdict) => painted(page, verdict, SIGNS[verdict] ?? '?')).join('')
    page.text(`${row.id} (${row.level})${row.flaky ? '  flaky' : ''}`, { style: paint.bold })
    page.line(`  ${runs.length <= page.columns - 2 ? cells : row.verdicts.at(-1)}`)
    const since = sinceInWords(row, runs)
    if (since !== '') page.text(since, { indent: 2 })
  }
  if (requirements.length > 0) page.line()
  page.text(summaryOf(history), { style: paint.bold })
  return page.toString()
}

/** The same as Markdown: a column for each of the newest runs. */
export function renderHistoryMarkdown(history: History): string {
  const { runs, requirements } = history
  const from = Math.max(0, runs.length - MOST_COLUMNS)
  const shown = runs.slice(from)
  const head = ['requirement', ...shown.map((run) => markdownText(runName(run), 40)), 'since']
  const rows = requirements.map((row) => {
    const cells = row.verdicts.slice(from).map((verdict) => MARKS[verdict] ?? verdict)
    const name = `${markdownText(row.id, 80)}${row.flaky ? ' **flaky**' : ''}`
    return `| ${[name, ...cells, markdownText(sinceInWords(row, runs), 200)].join(' | ')} |`
  })
  const older = from === 0 ? [] : [`Of ${runs.length} runs the newest ${shown.length} are shown.`, '']
  const table = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows]
  const list = shown.map(
    ({ name, startedAt, verdict }) => `- ${markdownText(startedAt, 30)}: ${verdict}, ${markdownCode(name, 100)}`,
  )
  return `${['## History of conformance', '', summaryOf(history), '', ...history.notes.map((note) => `${markdownText(note, 400)}\n`), ...older, ...(rows.length > 0 ? [...table, ''] : []), ...list].join('\n')}\n`
}
