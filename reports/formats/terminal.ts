import { LEFT_OUT } from '../../rules/core/not-run.ts'
import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { isTraffic } from '../basis.ts'
import { countResults, LEVELS, targetName, VERDICTS } from '../build.ts'
import { counted, firstOf, number } from '../counted.ts'
import { entriesFor } from '../expectations/expectations.ts'
import { isWholePart, selectedOf } from '../merge/runs.ts'
import { clean, Page, type PageOptions, painted, type Style } from '../page.ts'
import { failsForServerErrors, failuresInWords, serverErrorLine, serverErrorsInWords } from '../server-errors.ts'
import { padded } from '../text.ts'
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
export function renderTerminal(report: Report, options: PageOptions & { readonly all?: boolean }): string {
  const page = new Page(options)
  const { paint } = page
  const by = (verdict: string): RequirementResult[] =>
    report.requirements.filter((result) => result.verdict === verdict)

  blocks(page, by('fail'), (result) => broken(page, result, report))
  blocks(page, by('error'), (result) => {
    heading(page, paint.bold(paint.magenta('ERROR')), result)
    page.text(result.reason, { indent: INDENT })
  })
  if (report.problems.length > 0) {
    page.text('What went wrong with the run itself:')
    page.list(report.problems, MOST_LISTED, { style: paint.magenta })
    page.line()
  }
  blocks(page, by('warn'), (result) => broken(page, result, report))
  serverErrors(page, report)
  inDoubt(page, report.requirements)
  unmatched(page, report)
  leftovers(page, report)
  notRun(page, report, options.all === true)
  counts(page, report)
  expected(page, report)
  since(page, report)
  about(page, report)
  verdict(page, report)
  return page.toString()
}

/** One broken requirement as the summary shows it, for where nothing else of a report is shown. */
export function renderFailure(result: RequirementResult, options: PageOptions): string {
  const page = new Page(options)
  broken(page, result)
  return page.toString()
}

function blocks(page: Page, results: readonly RequirementResult[], render: (result: RequirementResult) => void): void {
  for (const result of results.slice(0, MOST_SHOWN)) {
    render(result)
    page.line()
  }
  const rest = results.slice(MOST_SHOWN)
  for (const { verdict, id, findings } of rest.slice(0, MOST_LISTED)) {
    page.field(verdict.toUpperCase(), `${clean(id, LONGEST_ID)}: ${findings[0]?.message ?? ''}`, { most: page.columns })
  }
  if (rest.length > MOST_LISTED) page.text(`and ${rest.length - MOST_LISTED} more, in the report`)
  if (rest.length > 0) page.line()
}

function serverErrors(page: Page, report: Report): void {
  const { serverErrors: found } = report
  if (!found || found.kinds.length === 0) return
  page.line(`${page.paint.bold(page.paint.magenta('SERVER ERRORS'))} ${serverErrorsInWords(found)}`)
  page.text(
    report.failOn?.includes('server-error')
      ? '5xx responses to well-formed requests; they fail this command (--fail-on server-error)'
      : '5xx responses to well-formed requests; they break no requirement (--fail-on server-error makes them count)',
    { indent: 2, style: page.paint.dim },
  )
  const [kind] = found.kinds
  if (kind) {
    page.text(serverErrorLine(kind), { indent: 2, style: kind.count > 0 ? page.paint.magenta : page.paint.dim })
    request(page, kind.smallest, { base: report.target.baseUrl })
  }
  const rest = found.kinds.length - 1
  if (rest > 0) page.text(`and ${counted(rest, 'more kind')}, in the report`, { indent: 2 })
  page.line()
}

function leftovers(page: Page, { leftovers: left }: Report): void {
  if (left.length === 0) return
  page.line(`${page.paint.bold('LEFT BEHIND')} ${counted(left.length, 'thing')}, such as`)
  page.text(left[0] ?? '', { indent: 2 })
  page.line()
}

/** The requirements that were not judged, as a list of things to do; `all`: with those that need no action. */
function notRun(page: Page, report: Report, all: boolean): void {
  const { toDo, rest } = notJudged(report.requirements)
  const count = (entries: readonly ToDo[]): number => entries.reduce((sum, { results }) => sum + results.length, 0)
  if (toDo.length + rest.length === 0) return
  const title = page.paint.bold(isTraffic(report) ? 'NOT SEEN' : 'NOT RUN')
  page.line(`${title} ${count(toDo) + count(rest)}`)
  if (toDo.length > 0) page.text('what to do, most requirements first:', { indent: 2, style: page.paint.dim })
  const shown = toDo.slice(0, all ? toDo.length : MOST_TO_DO)
  for (const { cause, fix, results } of shown) {
    page.field(String(results.length), `${cause}. ${fix}`, { indent: 2 })
    page.text(named(results, all ? results.length : MOST_NAMED), {
      indent: MARGIN,
      style: page.paint.dim,
      most: 20_000,
    })
  }
  const hidden = toDo.slice(shown.length)
  if (hidden.length > 0) page.field(String(count(hidden)), `for ${hidden.length} other causes (--all)`, { indent: 2 })
  if (rest.length > 0) {
    page.field(String(count(rest)), `need nothing${all ? ':' : ' (why: --all)'}`, { indent: 2 })
    for (const { cause, results } of all ? rest : []) {
      page.text(`${results.length} ${cause}`, { indent: MARGIN })
      page.text(named(results, results.length), { indent: MARGIN, style: page.paint.dim, most: 20_000 })
    }
  }
  page.line()
}

/** The findings, if nobody else had used the account. */
function inDoubt(page: Page, all: readonly RequirementResult[]): void {
  const doubted = all
    .filter(({ verdict, evidence }) => evidence.doubted !== undefined && verdict !== 'fail' && verdict !== 'warn')
    .sort((a, b) => (b.evidence.doubted ?? 0) - (a.evidence.doubted ?? 0))
  if (doubted.length === 0) return
  const names = doubted.map(({ id, evidence }) => `${id} ${evidence.doubted}×`)
  page.line(`${page.paint.bold('IN DOUBT')} ${doubted.length}`)
  page.text('broken, unless another client did it; --alone rules that out and judges it', { indent: 2 })
  page.text(firstOf(names, 2 * MOST_NAMED), { indent: INDENT, style: page.paint.dim })
  page.line()
}

/** Pointers of the binding that lead nowhere: a typing error there is found by nothing else where another entry stands in. */
function unmatched(page: Page, { operations }: Report): void {
  const lines = operations.flatMap(({ accepted, unmatched = {} }) =>
    Object.entries(unmatched).map(
      ([place, pointer]) => `${place}: ${pointer} is in none of ${counted(accepted, 'good response')}`,
    ),
  )
  if (lines.length === 0) return
  page.line(`${page.paint.bold(page.paint.yellow('BINDING'))} ${counted(lines.length, 'pointer')} that no response has`)
  page.list(lines, MOST_LISTED, { rest: ', in the report' })
  page.line()
}

function named(results: readonly RequirementResult[], most: number): string {
  return firstOf(
    results.map(({ id }) => id),
    most,
  )
}

function counts(page: Page, report: Report): void {
  // Where a part was selected, the rest is not counted.
  const selected = report.requirements.filter(({ reason }) => reason !== LEFT_OUT)
  const counted = report.only.length > 0 ? countResults(selected) : report.counts
  const rows = LEVELS.map((level) => ({ level, row: counted[level] ?? {} }))
  const widths = VERDICTS.map((name) => Math.max(name.length, ...rows.map(({ row }) => String(row[name] ?? 0).length)))
  const first = Math.max(...LEVELS.map((level) => level.length))
  if (first + widths.reduce((sum, width) => sum + width + 2, 0) > page.columns) {
    for (const { level, row } of rows) {
      page.field(level, VERDICTS.map((name) => `${row[name] ?? 0} ${name}`).join(', '))
    }
  } else {
    page.line(
      page.paint.dim(padded('', first) + VERDICTS.map((name, i) => `  ${name.padStart(widths[i] ?? 0)}`).join('')),
    )
    for (const { level, row } of rows) {
      const cells = VERDICTS.map((name, i) => {
        const cell = String(row[name] ?? 0).padStart(widths[i] ?? 0)
        return `  ${row[name] ? painted(page, name, cell) : page.paint.dim(cell)}`
      })
      page.line(padded(level, first) + cells.join(''))
    }
  }
  page.line()
}

function expected(page: Page, report: Report): void {
  const { expectations } = report
  if (!expectations) return
  const { source, met, unexpected, stale, unchecked } = expectations
  const numbers = [`${met.length} failed as expected`, `${unexpected.length} unexpected`, `${stale.length} stale`]
  if (unchecked.length > 0) numbers.push(`${unchecked.length} not judged`)
  page.text(`known failures of ${source}: ${numbers.join(', ')}`)
  if (stale.length > 0) {
    page.text('stale, because they hold now; remove them from the list:', { style: page.paint.red })
    page.text(stale.join(', '), { indent: 2 })
  }
  if (unexpected.length > 0) {
    page.text('unexpected; these entries under "failures" would list them:', { style: page.paint.red })
    const entries = entriesFor(report, unexpected)
    const lines = entries.map((entry) => `${JSON.stringify(entry, null, 1).replaceAll(/\n */g, ' ')},`)
    page.list(lines, MOST_LISTED)
  }
  page.line()
}

function since(page: Page, { baseline }: Report): void {
  if (!baseline) return
  const { source, worse, fixed, known } = baseline
  page.text(`since ${source}: ${worse.length} worse, ${fixed.length} fixed, ${known.length} failing as before`)
  if (worse.length > 0) page.text(`worse: ${worse.join(', ')}`, { indent: 2, style: page.paint.red })
  if (fixed.length > 0) page.text(`fixed: ${fixed.join(', ')}`, { indent: 2, style: page.paint.green })
  page.line()
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
  'texts',
  'pace',
  'reads',
  'looks',
]

function about(page: Page, report: Report): void {
  const { target, binding } = report
  const traffic = isTraffic(report)
  const requests = number(report.requests)
  const seconds = (report.durationMs / 1000).toFixed(1)
  page.text(
    traffic
      ? `${requests} recorded exchanges with ${target.baseUrl}, judged in ${seconds} s`
      : `${requests} requests in ${seconds} s to ${target.baseUrl}`,
    { style: page.paint.dim },
  )
  if (report.failures) page.text(failuresInWords(report.failures), { style: page.paint.dim })
  for (const name of RECORDED) {
    const text = report.environment[name]
    if (text !== undefined) page.text(`${name}: ${text}`, { style: page.paint.dim })
  }
  page.text(
    [
      ...(traffic ? [] : [`profile ${report.profile}`, `seed ${report.seed}`]),
      `binding ${binding.name || 'none'} (${unansweredInWords(report)})`,
      ...(report.strict ? ['strict'] : []),
      ...(report.only.length > 0 ? [`only ${report.only.join(', ')}`] : []),
    ].join(', '),
    { style: page.paint.dim },
  )
}

function verdict(page: Page, report: Report): void {
  const { paint } = page
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
  page.text(`${head}: ${target === '' ? '' : `${target}: `}${part ?? reason}`, {
    style: (text) => paint.bold(style(text)),
  })
  if (failsForServerErrors(report)) {
    page.text('failed: there are server errors (--fail-on server-error)', {
      style: (text) => paint.bold(paint.red(text)),
    })
  }
  const next = nextStep(report)
  if (part === undefined && next !== undefined) page.text(`next: ${next}`)
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
