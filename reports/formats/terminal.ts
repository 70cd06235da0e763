import { LEFT_OUT } from '../../rules/core/not-run.ts'
import type { Finding, FindingExchange, Report, RequirementResult } from '../../schemas/types/report.ts'
import { countResults, LEVELS, VERDICTS } from '../build.ts'
import { counted } from '../counted.ts'
import { entriesFor } from '../expectations/expectations.ts'
import { isWholePart, selectedOf } from '../merge/runs.ts'
import { clean, createPage, type Page, type PageOptions, painted, type Style } from '../page.ts'
import { failsForServerErrors, failuresInWords, serverErrorLine, serverErrorsInWords } from '../server-errors.ts'
import { changeOf, isRemoved, whereOf } from '../shown-exchange.ts'
import { padded } from '../text.ts'
import { notJudged, type ToDo, unansweredInWords } from '../to-do.ts'

const MOST_FAILURES = 20
const MOST_WARNINGS = 20
const MOST_NAMED = 4
const MOST_SERVER_ERRORS = 8
const MOST_EXCHANGES = 4
const LONGEST_BODY = 400
const LONGEST_ID = 48
const INDENT = 6
/** Of the text beside a count. */
const MARGIN = 12
const MOST_TO_DO = 8

/**
 * The output for a person when a run ends. Failures come first, each with its requests and the commands that repeat it.
 * Then our own errors, warnings, requirements that were not run, the counts, and last the verdict. Text for a terminal,
 * lines within `columns`, of bounded length whatever the target answered.
 */
export function renderTerminal(report: Report, options: PageOptions & { readonly all?: boolean }): string {
  const page = createPage(options)
  const { paint } = page
  const by = (verdict: string): RequirementResult[] =>
    report.requirements.filter((result) => result.verdict === verdict)

  blocks(page, by('fail'), MOST_FAILURES, (result) => broken(page, result, report))
  blocks(page, by('error'), MOST_FAILURES, (result) => {
    heading(page, paint.bold(paint.magenta('ERROR')), result)
    page.text(result.reason, { indent: INDENT })
  })
  if (report.problems.length > 0) {
    listed(page, 'What went wrong with the run itself:', report.problems, paint.magenta)
  }
  blocks(page, by('warn'), MOST_WARNINGS, (result) => broken(page, result, report))
  serverErrors(page, report)
  notRun(page, report, options.all === true)
  inDoubt(page, report.requirements)
  unmatched(page, report)
  if (report.leftovers.length > 0) {
    listed(page, 'Left behind on the target, and why:', report.leftovers)
  }
  counts(page, report)
  expected(page, report)
  since(page, report)
  about(page, report)
  verdict(page, report)
  return page.toString()
}

/** One broken requirement as the summary shows it, for where nothing else of a report is shown. */
export function renderFailure(result: RequirementResult, options: PageOptions): string {
  const page = createPage(options)
  broken(page, result)
  return page.toString()
}

function blocks(
  page: Page,
  results: readonly RequirementResult[],
  most: number,
  render: (result: RequirementResult) => void,
): void {
  for (const result of results.slice(0, most)) {
    render(result)
    page.line()
  }
  const rest = results.slice(most)
  if (rest.length === 0) return
  page.text(`and ${rest.length} more, in report.json: ${named(rest, 4 * MOST_NAMED)}`)
  page.line()
}

function heading(page: Page, label: string, result: RequirementResult): void {
  page.line(`${label} ${page.paint.bold(clean(result.id, LONGEST_ID))} ${page.paint.dim(`(${result.level})`)}`)
  page.text(result.text, { indent: INDENT })
  page.text(result.section, { indent: INDENT, style: page.paint.dim })
}

/** A broken requirement: one that fails the run, or a warning. */
function broken(page: Page, result: RequirementResult, report?: Report): void {
  const warns = result.verdict === 'warn'
  const style = warns ? page.paint.yellow : page.paint.red
  heading(page, page.paint.bold(style(warns ? 'WARN ' : 'FAIL ')), result)
  const [finding] = result.findings
  if (!finding) return
  described(page, finding, style)
  // The page shows the requests that only prepared.
  const change = changeOf(finding)
  const about = finding.exchanges.filter((exchange) => exchange.role !== 'setup' || exchange === change)
  const last = about.slice(-MOST_EXCHANGES)
  const exchanges = change === undefined || last.includes(change) ? last : [change, ...last.slice(1)]
  const skipped = about.length - exchanges.length
  if (skipped > 0) page.field('before', `${counted(skipped, 'earlier request')}, in report.json`, { indent: INDENT })
  for (const [index, exchange] of exchanges.entries()) {
    const deciding = index === exchanges.length - 1
    request(page, exchange, deciding, exchange === change ? 'change' : undefined)
  }
  if (report && isTraffic(report)) place(page, finding)
  if (finding.curl !== '') {
    const gone = report !== undefined && finding.reproduce !== '' && isRemoved(finding, report)
    const aside = gone ? ' (its resources are removed by now: use the command below)' : ''
    page.text(`the request by hand${aside}:`, { indent: INDENT, style: page.paint.dim })
    page.shell(finding.curl)
  }
  again(page, finding)
  more(page, result)
}

function described(page: Page, finding: Finding, style: Style): void {
  page.text(finding.message, { indent: INDENT, style })
  page.field('expected', finding.expected, { indent: INDENT })
  page.field('actual', finding.actual, { indent: INDENT })
  const place = whereOf(finding).join(', ')
  if (place !== '') page.field('at', place, { indent: INDENT })
  if (finding.case !== '') page.field('case', finding.case, { indent: INDENT })
}

function request(page: Page, exchange: FindingExchange, deciding: boolean, name?: string): void {
  const answer = exchange.outcome === 'complete' ? String(exchange.status) : exchange.outcome
  const label = name ?? (deciding ? 'request' : exchange.role)
  page.field(label, `${exchange.method} ${exchange.url} -> ${answer}`, { indent: INDENT, most: LONGEST_BODY })
  if (exchange.requestBody !== '') page.field('', exchange.requestBody, { indent: INDENT, most: LONGEST_BODY })
  if (deciding && exchange.responseBody !== '') {
    page.field('response', exchange.responseBody, { indent: INDENT, most: LONGEST_BODY })
  }
}

/** Where in a recording the deciding exchange stands: many requests for one address look alike. */
function place(page: Page, { exchanges }: Finding): void {
  const deciding = exchanges.at(-1)
  if (!deciding) return
  const when = deciding.startedAt === undefined ? '' : `, ${deciding.startedAt}`
  page.field('recorded', `${deciding.id}${when}`, { indent: INDENT })
}

function again(page: Page, finding: Finding): void {
  if (finding.reproduce === '') return
  page.text('again:', { indent: INDENT, style: page.paint.dim })
  page.shell(finding.reproduce)
}

function more(page: Page, result: RequirementResult): void {
  const others = result.findings.length - 1
  if (others > 0) {
    page.text(`and ${others} more ${others === 1 ? 'finding' : 'findings'} of this kind, in report.json`, {
      indent: INDENT,
      style: page.paint.dim,
    })
  }
}

function serverErrors(page: Page, report: Report): void {
  const { serverErrors: found, failOn = [] } = report
  if (!found || found.kinds.length === 0) return
  page.line(`${page.paint.bold(page.paint.magenta('SERVER ERRORS'))} ${serverErrorsInWords(found)}`)
  page.text(
    failOn.includes('server-error')
      ? '5xx responses to well-formed requests; they fail this command (--fail-on server-error)'
      : '5xx responses to well-formed requests; they break no requirement (--fail-on server-error makes them count)',
    { indent: 2, style: page.paint.dim },
  )
  for (const kind of found.kinds.slice(0, MOST_SERVER_ERRORS)) {
    page.text(serverErrorLine(kind), { indent: 2, style: kind.count > 0 ? page.paint.magenta : page.paint.dim })
    request(page, kind.smallest, true)
  }
  const rest = found.kinds.length - MOST_SERVER_ERRORS
  if (rest > 0) page.text(`and ${rest} more kinds, in report.json`, { indent: 2 })
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
  const first = doubted.slice(0, 2 * MOST_NAMED).map(({ id, evidence }) => `${id} ${evidence.doubted}×`)
  const rest = doubted.length - first.length
  page.line(`${page.paint.bold('IN DOUBT')} ${doubted.length}`)
  page.text('broken, unless another client did it; --alone rules that out and judges it', {
    indent: 2,
  })
  page.text(first.join(', ') + (rest > 0 ? ` and ${rest} more` : ''), { indent: INDENT, style: page.paint.dim })
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
  for (const line of lines.slice(0, MOST_FAILURES)) page.text(line, { indent: 2 })
  if (lines.length > MOST_FAILURES) page.text(`and ${lines.length - MOST_FAILURES} more, in report.json`, { indent: 2 })
  page.line()
}

function named(results: readonly RequirementResult[], most: number): string {
  const rest = results.length - most
  const ids = results.slice(0, most).map((result) => result.id)
  return ids.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function listed(page: Page, title: string, items: readonly string[], style: Style = (text) => text): void {
  page.text(title)
  for (const item of items.slice(0, MOST_FAILURES)) page.text(item, { indent: 2, style })
  if (items.length > MOST_FAILURES) page.text(`and ${items.length - MOST_FAILURES} more`, { indent: 2 })
  page.line()
}

function counts(page: Page, report: Report): void {
  // Where a part was selected, the rest is not counted.
  const selected = countResults(report.requirements.filter(({ reason }) => reason !== LEFT_OUT))
  const counted = report.only.length > 0 ? selected : report.counts
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
    const entries = entriesFor(report, unexpected.slice(0, MOST_FAILURES))
    for (const entry of entries) page.text(`${JSON.stringify(entry, null, 1).replaceAll(/\n */g, ' ')},`, { indent: 2 })
    if (unexpected.length > MOST_FAILURES) page.text(`and ${unexpected.length - MOST_FAILURES} more`, { indent: 2 })
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

/** What a report says about the evidence. */
const RECORDED = [
  'recorded',
  'exchanges missing',
  'segments that were not closed',
  'bodies cut',
  'bodies left out',
  'exchanges without a whole answer',
  'entries with something amiss',
]

/** Whether nobody sent anything for the sake of the verdict. */
function isTraffic({ basis }: Report): boolean {
  return basis !== undefined && basis.runs.length > 0 && basis.runs.every(({ verb }) => verb === 'check')
}

function about(page: Page, report: Report): void {
  const { target, binding } = report
  const traffic = isTraffic(report)
  const number = report.requests.toLocaleString('en-US')
  const seconds = (report.durationMs / 1000).toFixed(1)
  page.text(
    traffic
      ? `${number} recorded exchanges with ${target.baseUrl}, judged in ${seconds} s`
      : `${number} requests in ${seconds} s to ${target.baseUrl}`,
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
  const styles: Readonly<Record<string, Style>> = {
    conformant: paint.green,
    partial: paint.yellow,
    'non-conformant': paint.red,
    invalid: paint.magenta,
  }
  const target = [report.target.name, report.target.version].filter((part) => part !== '').join(' ')
  const reason =
    report.reason === '' ? `every stated requirement of ${report.features.join(', ')} holds` : report.reason
  // Of a part that was selected and passed whole, that other parts were not run is no news.
  const part = report.verdict === 'partial' && isWholePart(report) ? passedPart(report) : undefined
  const style = part === undefined ? (styles[report.verdict] ?? ((text) => text)) : paint.green
  const head = part === undefined ? report.verdict : 'passed'
  page.text(`${head}: ${target === '' ? '' : `${target}: `}${part ?? reason}`, {
    style: (text) => paint.bold(style(text)),
  })
  if (failsForServerErrors(report)) {
    page.text('failed: there are server errors (--fail-on server-error)', {
      style: (text) => paint.bold(paint.red(text)),
    })
  }
}

function passedPart({ requirements }: Report): string {
  const selected = selectedOf(requirements)
  const passed = selected.filter(({ verdict }) => verdict === 'pass').length
  if (selected.length === 1) return `the selected requirement, ${selected[0]?.id}`
  const all = `the ${selected.length} selected requirements`
  return passed === selected.length ? all : `${passed} of ${all}`
}
