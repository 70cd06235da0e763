import { LEFT_OUT } from '../../rules/core/not-run.ts'
import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { isTraffic } from '../basis.ts'
import { countResults, LEVELS, targetName, VERDICTS } from '../build.ts'
import { causesOf } from '../causes.ts'
import { counted, firstOf, number } from '../counted.ts'
import { entriesFor } from '../expectations/expectations.ts'
import { isWholePart, selectedOf } from '../merge/runs.ts'
import { painted, Screen, type ScreenOptions, type Style } from '../screen.ts'
import { failsForServerErrors, failuresInWords, serverErrorLine, serverErrorsInWords } from '../server-errors.ts'
import { clean, padded } from '../text.ts'
import { notJudged, type ToDo, unansweredInWords } from '../to-do.ts'
import { broken, heading, INDENT, LONGEST_ID, MARGIN, request } from './terminal-finding.ts'

/** Findings that are shown whole; so many more are named. */
const MOST_SHOWN = 5
const MOST_LISTED = 20
const MOST_NAMED = 4
const MOST_TO_DO = 4

/**
 * The output for a person when a run ends. Failures come first, each with its requests and the command that repeats it.
 * Then our own errors, warnings, requirements that were not run, the counts, and last the verdict with what to do next.
 * Text for a terminal, lines within `columns`, of bounded length whatever the target answered.
 */
export function renderTerminal(report: Report, options: ScreenOptions & { readonly all?: boolean }): string {
  const screen = new Screen(options)
  const { paint } = screen
  const by = (verdict: string): RequirementResult[] =>
    report.requirements.filter((result) => result.verdict === verdict)

  const all = options.all === true
  const show = (result: RequirementResult): void => broken(screen, result, report)
  byCause(screen, { results: by('fail'), title: paint.red('FAILED'), all, show })
  byCause(screen, {
    results: by('error'),
    title: paint.magenta('WENT WRONG'),
    all,
    show(result) {
      heading(screen, paint.bold(paint.magenta('ERROR')), result)
      screen.text(result.reason, { indent: INDENT })
    },
  })
  if (report.problems.length > 0) {
    screen.text('What went wrong with the run itself:')
    screen.list(report.problems, MOST_LISTED, { style: paint.magenta })
    screen.line()
  }
  byCause(screen, { results: by('warn'), title: paint.yellow('WARNED'), all, show })
  serverErrors(screen, report)
  inDoubt(screen, report.requirements)
  unmatched(screen, report)
  leftovers(screen, report)
  notRun(screen, report, all)
  counts(screen, report)
  expected(screen, report)
  since(screen, report)
  about(screen, report)
  verdict(screen, report)
  return screen.toString()
}

/** One broken requirement as the summary shows it, for where nothing else of a report is shown. */
export function renderFailure(result: RequirementResult, options: ScreenOptions): string {
  const screen = new Screen(options)
  broken(screen, result)
  return screen.toString()
}

interface Broken {
  readonly results: readonly RequirementResult[]
  readonly title: string
  /** each is listed */
  readonly all: boolean
  show(result: RequirementResult): void
}

/** Broken requirements by cause: how many of each, the first one whole, and the ids of the others. */
function byCause(screen: Screen, { results, title, all, show }: Broken): void {
  const causes = causesOf(results)
  if (causes.length < results.length) {
    screen.line(`${screen.paint.bold(title)} ${number(results.length)}, of ${counted(causes.length, 'cause')}`)
    for (const cause of causes.slice(0, MOST_LISTED))
      screen.field(number(cause.results.length), cause.title, { indent: 2, most: 2 * screen.columns })
    screen.line()
  }
  const listed = all ? results.length : MOST_LISTED
  for (const {
    results: [first, ...others],
  } of causes.slice(0, MOST_SHOWN)) {
    if (first) show(first)
    if (others.length > 0) {
      const ids = named(others, all ? others.length : MOST_NAMED)
      const more = all || others.length <= MOST_NAMED ? '' : ' (--all names them)'
      screen.text(`the same in ${ids}${more}`, { indent: INDENT, style: screen.paint.dim, most: 20_000 })
    }
    screen.line()
  }
  const rest = causes.slice(MOST_SHOWN).flatMap((cause) => cause.results)
  for (const { verdict, id, findings } of rest.slice(0, listed)) {
    screen.field(verdict.toUpperCase(), `${clean(id, LONGEST_ID)}: ${findings[0]?.message ?? ''}`, {
      most: screen.columns,
    })
  }
  if (rest.length > listed) screen.text(`and ${rest.length - listed} more (--all names them)`)
  if (rest.length > 0) screen.line()
}

function serverErrors(screen: Screen, report: Report): void {
  const { serverErrors: found } = report
  if (!found || found.kinds.length === 0) return
  screen.line(`${screen.paint.bold(screen.paint.magenta('SERVER ERRORS'))} ${serverErrorsInWords(found)}`)
  screen.text(
    report.failOn?.includes('server-error')
      ? '5xx responses to well-formed requests; they fail this command (--fail-on server-error)'
      : '5xx responses to well-formed requests; they break no requirement (--fail-on server-error makes them count)',
    { indent: 2, style: screen.paint.dim },
  )
  const [kind] = found.kinds
  if (kind) {
    screen.text(serverErrorLine(kind), { indent: 2, style: kind.count > 0 ? screen.paint.magenta : screen.paint.dim })
    request(screen, kind.smallest, report.target.baseUrl)
  }
  const rest = found.kinds.length - 1
  if (rest > 0) screen.text(`and ${counted(rest, 'more kind')}, in the report`, { indent: 2 })
  screen.line()
}

function leftovers(screen: Screen, { leftovers: left }: Report): void {
  if (left.length === 0) return
  screen.line(`${screen.paint.bold('LEFT BEHIND')} ${counted(left.length, 'thing')}, such as`)
  screen.text(left[0] ?? '', { indent: 2 })
  screen.line()
}

/** The requirements that were not judged, as a list of things to do; `all`: with those that need no action. */
function notRun(screen: Screen, report: Report, all: boolean): void {
  const { toDo, rest } = notJudged(report.requirements)
  const count = (entries: readonly ToDo[]): number => entries.reduce((sum, { results }) => sum + results.length, 0)
  if (toDo.length + rest.length === 0) return
  const title = screen.paint.bold(isTraffic(report) ? 'NOT SEEN' : 'NOT RUN')
  screen.line(`${title} ${count(toDo) + count(rest)}`)
  if (toDo.length > 0) screen.text('what to do, most requirements first:', { indent: 2, style: screen.paint.dim })
  const shown = toDo.slice(0, all ? toDo.length : MOST_TO_DO)
  for (const { cause, fix, results } of shown) {
    screen.field(String(results.length), `${cause}. ${fix}`, { indent: 2 })
    screen.text(named(results, all ? results.length : MOST_NAMED), {
      indent: MARGIN,
      style: screen.paint.dim,
      most: 20_000,
    })
  }
  const hidden = toDo.slice(shown.length)
  if (hidden.length > 0) screen.field(String(count(hidden)), `for ${hidden.length} other causes (--all)`, { indent: 2 })
  if (rest.length > 0) {
    screen.field(String(count(rest)), `need nothing${all ? ':' : ' (why: --all)'}`, { indent: 2 })
    for (const { cause, results } of all ? rest : []) {
      screen.text(`${results.length} ${cause}`, { indent: MARGIN })
      screen.text(named(results, results.length), { indent: MARGIN, style: screen.paint.dim, most: 20_000 })
    }
  }
  screen.line()
}

/** The findings, if nobody else had used the account. */
function inDoubt(screen: Screen, all: readonly RequirementResult[]): void {
  const doubted = all
    .filter(({ verdict, evidence }) => evidence.doubted !== undefined && verdict !== 'fail' && verdict !== 'warn')
    .sort((a, b) => (b.evidence.doubted ?? 0) - (a.evidence.doubted ?? 0))
  if (doubted.length === 0) return
  const names = doubted.map(({ id, evidence }) => `${id} ${evidence.doubted}×`)
  screen.line(`${screen.paint.bold('IN DOUBT')} ${doubted.length}`)
  screen.text('broken, unless another client did it; --alone rules that out and judges it', { indent: 2 })
  screen.text(firstOf(names, 2 * MOST_NAMED), { indent: INDENT, style: screen.paint.dim })
  screen.line()
}

/** Pointers of the binding that lead nowhere: a typing error there is found by nothing else where another entry stands in. */
function unmatched(screen: Screen, { operations }: Report): void {
  const lines = operations.flatMap(({ accepted, unmatched = {} }) =>
    Object.entries(unmatched).map(
      ([place, pointer]) => `${place}: ${pointer} is in none of ${counted(accepted, 'good response')}`,
    ),
  )
  if (lines.length === 0) return
  screen.line(
    `${screen.paint.bold(screen.paint.yellow('BINDING'))} ${counted(lines.length, 'pointer')} that no response has`,
  )
  screen.list(lines, MOST_LISTED, { rest: ', in the report' })
  screen.line()
}

function named(results: readonly RequirementResult[], most: number): string {
  return firstOf(
    results.map(({ id }) => id),
    most,
  )
}

function counts(screen: Screen, report: Report): void {
  // Where a part was selected, the rest is not counted.
  const selected = report.requirements.filter(({ reason }) => reason !== LEFT_OUT)
  const counted = report.only.length > 0 ? countResults(selected) : report.counts
  const rows = LEVELS.map((level) => ({ level, row: counted[level] ?? {} }))
  const widths = VERDICTS.map((name) => Math.max(name.length, ...rows.map(({ row }) => String(row[name] ?? 0).length)))
  const first = Math.max(...LEVELS.map((level) => level.length))
  if (first + widths.reduce((sum, width) => sum + width + 2, 0) > screen.columns) {
    for (const { level, row } of rows) {
      screen.field(level, VERDICTS.map((name) => `${row[name] ?? 0} ${name}`).join(', '))
    }
  } else {
    screen.line(
      screen.paint.dim(padded('', first) + VERDICTS.map((name, i) => `  ${name.padStart(widths[i] ?? 0)}`).join('')),
    )
    for (const { level, row } of rows) {
      const cells = VERDICTS.map((name, i) => {
        const cell = String(row[name] ?? 0).padStart(widths[i] ?? 0)
        return `  ${row[name] ? painted(screen, name, cell) : screen.paint.dim(cell)}`
      })
      screen.line(padded(level, first) + cells.join(''))
    }
  }
  screen.line()
}

function expected(screen: Screen, report: Report): void {
  const { expectations } = report
  if (!expectations) return
  const { source, met, unexpected, stale, unchecked } = expectations
  const numbers = [`${met.length} failed as expected`, `${unexpected.length} unexpected`, `${stale.length} stale`]
  if (unchecked.length > 0) numbers.push(`${unchecked.length} not judged`)
  screen.text(`known failures of ${source}: ${numbers.join(', ')}`)
  if (stale.length > 0) {
    screen.text('stale, because they hold now; remove them from the list:', { style: screen.paint.red })
    screen.text(stale.join(', '), { indent: 2 })
  }
  if (unexpected.length > 0) {
    screen.text('unexpected; these entries under "failures" would list them:', { style: screen.paint.red })
    const entries = entriesFor(report, unexpected)
    const lines = entries.map((entry) => `${JSON.stringify(entry, null, 1).replaceAll(/\n */g, ' ')},`)
    screen.list(lines, MOST_LISTED)
  }
  screen.line()
}

function since(screen: Screen, { baseline }: Report): void {
  if (!baseline) return
  const { source, worse, fixed, known } = baseline
  screen.text(`since ${source}: ${worse.length} worse, ${fixed.length} fixed, ${known.length} failing as before`)
  if (worse.length > 0) screen.text(`worse: ${worse.join(', ')}`, { indent: 2, style: screen.paint.red })
  if (fixed.length > 0) screen.text(`fixed: ${fixed.join(', ')}`, { indent: 2, style: screen.paint.green })
  screen.line()
}

/** Facts of a run that its verdict depends on. */
const RECORDED = [
  'recorded',
  'exchanges missing',
  'segments that were not closed',
  'bodies cut',
  'bodies left out',
  'exchanges without a whole answer',
  'entries with something amiss',
  'kept',
  'keys',
  'pace',
  'reads',
  'looks',
]

function about(screen: Screen, report: Report): void {
  const { target, binding } = report
  const traffic = isTraffic(report)
  const requests = number(report.requests)
  const seconds = (report.durationMs / 1000).toFixed(1)
  screen.text(
    traffic
      ? `${requests} recorded exchanges with ${target.baseUrl}, judged in ${seconds} s`
      : `${requests} requests in ${seconds} s to ${target.baseUrl}`,
    { style: screen.paint.dim },
  )
  if (report.failures) screen.text(failuresInWords(report.failures), { style: screen.paint.dim })
  for (const name of RECORDED) {
    const text = report.environment[name]
    if (text !== undefined) screen.text(`${name}: ${text}`, { style: screen.paint.dim })
  }
  screen.text(
    [
      ...(traffic ? [] : [`profile ${report.profile}`, `seed ${report.seed}`]),
      `binding ${binding.name || 'none'} (${unansweredInWords(report)})`,
      ...(report.strict ? ['strict'] : []),
      ...(report.only.length > 0 ? [`only ${report.only.join(', ')}`] : []),
    ].join(', '),
    { style: screen.paint.dim },
  )
}

function verdict(screen: Screen, report: Report): void {
  const { paint } = screen
  const styles: Readonly<Record<Report['verdict'], Style>> = {
    conformant: paint.green,
    partial: paint.yellow,
    'non-conformant': paint.red,
    invalid: paint.magenta,
  }
  const target = targetName(report.target)
  const reason =
    report.reason === '' ? `every stated requirement of ${report.features.join(', ')} holds` : report.reason
  // Of a part that was selected and passed whole, that other parts were not run is no news.
  const part = report.verdict === 'partial' && isWholePart(report) ? passedPart(report) : undefined
  const style = part === undefined ? styles[report.verdict] : paint.green
  const head = part === undefined ? report.verdict : 'passed'
  screen.text(`${head}: ${target === '' ? '' : `${target}: `}${part ?? reason}`, {
    style: (text) => paint.bold(style(text)),
  })
  if (failsForServerErrors(report)) {
    screen.text('failed: there are server errors (--fail-on server-error)', {
      style: (text) => paint.bold(paint.red(text)),
    })
  }
  const next = nextStep(report)
  if (part === undefined && next !== undefined) screen.text(`next: ${next}`)
}

/** The one thing to do next. */
function nextStep(report: Report): string | undefined {
  const { verdict, requirements } = report
  if (verdict === 'non-conformant')
    return isTraffic(report)
      ? 'mend the first failure, and record the traffic again: this recording keeps the old responses'
      : 'mend the first failure; the command under it repeats it alone'
  const [first] = verdict === 'partial' ? notJudged(requirements).toDo : []
  return first && `${first.fix} (${first.cause}: ${counted(first.results.length, 'requirement')})`
}

function passedPart({ requirements }: Report): string {
  const selected = selectedOf(requirements)
  const passed = selected.filter(({ verdict }) => verdict === 'pass').length
  if (selected.length === 1) return `the selected requirement, ${selected[0]?.id}`
  const all = `the ${selected.length} selected requirements`
  return passed === selected.length ? all : `${passed} of ${all}`
}
