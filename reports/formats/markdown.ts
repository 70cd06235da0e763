import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { LEVELS, targetName, VERDICTS } from '../build.ts'
import { firstOf, number } from '../counted.ts'
import { markdownRows } from '../finding-rows.ts'
import { markdownCode, markdownText, markupText } from '../markup.ts'
import { failsForServerErrors, failuresInWords, serverErrorsInWords } from '../server-errors.ts'
import { clean } from '../text.ts'
import { notJudged, unansweredInWords } from '../to-do.ts'

/** Bytes. A step of a build server may say 1 MB in all; a comment less. */
const MOST_BYTES = 60_000
/** Bytes of the counts, and of what was expected. */
const MOST_SUMMED = 12_000
const MOST_NAMED = 40

/**
 * The report as Markdown for the summary of a build. First the verdict, then the failures, each with the expected value
 * and the one command that repeats it. Then warnings and counts. At most 60 KB whatever the target answered; nothing in
 * it is markup but our own.
 */
export function renderMarkdown(report: Report): string {
  // They stand behind the failures, and have their place however many there are.
  const summed = createSheet(MOST_SUMMED)
  expectations(summed, report)
  counts(summed, report)
  const page = createSheet(MOST_BYTES - MOST_SUMMED)
  head(page, report)
  const by = (verdict: string): RequirementResult[] =>
    report.requirements.filter((result) => result.verdict === verdict)
  problems(page, report)
  section(page, 'Failed', by('fail'), failure)
  section(
    page,
    'Went wrong in assay itself',
    by('error'),
    ({ id, reason }) => `- **${markdownText(id)}**: ${markdownCode(reason, 300)}`,
  )
  section(page, 'Warnings', by('warn'), failure)
  page.put(summed.toString().trimEnd())
  serverErrors(page, report)
  notRun(page, report.requirements)
  gaps(page, by('observed'))
  return page.toString()
}

type Sheet = ReturnType<typeof createSheet>

function createSheet(most: number) {
  // the note about left-out parts
  const reserve = 400
  let text = ''
  let bytes = 0
  return {
    /** Adds a block where it still fits; returns whether it did. */
    add(block: string): boolean {
      const size = Buffer.byteLength(block) + 2
      if (bytes + size > most - reserve) return false
      text += `${block}\n\n`
      bytes += size
      return true
    },
    /** Adds a block that has its place. */
    put(block: string): void {
      text += `${block}\n\n`
    },
    toString: (): string => `${text.trimEnd()}\n`,
  }
}

const MARKS: Readonly<Record<Report['verdict'], string>> = {
  conformant: '✅',
  partial: '🟡',
  'non-conformant': '❌',
  invalid: '⛔',
}

function head(page: Sheet, report: Report): void {
  const { target, binding } = report
  const name = targetName(target)
  page.add(`## ${MARKS[report.verdict]} ${report.verdict}${name === '' ? '' : `: ${markdownText(name, 200)}`}`)
  if (report.reason !== '') page.add(markdownText(report.reason, 1000))
  const facts = [
    `${number(report.requests)} requests in ${(report.durationMs / 1000).toFixed(1)} s to ${markdownCode(target.baseUrl, 300)}`,
    ...(report.failures ? [failuresInWords(report.failures)] : []),
    `profile ${report.profile}`,
    `seed ${report.seed}`,
    `binding ${markdownCode(binding.name || 'none', 100)} (${unansweredInWords(report)})`,
    ...(report.strict ? ['strict'] : []),
    ...(report.only.length > 0 ? [`only ${report.only.map((word) => markdownCode(word, 80)).join(', ')}`] : []),
    `specification ${markdownText(report.specification, 20)}, ${markdownText(`${report.suite.name} ${report.suite.version}`, 60)}`,
  ]
  page.add(facts.join(', '))
}

function counts(page: Sheet, report: Report): void {
  const rows = LEVELS.map(
    (level) => `| ${level} | ${VERDICTS.map((name) => report.counts[level]?.[name] ?? 0).join(' | ')} |`,
  )
  page.add([`| | ${VERDICTS.join(' | ')} |`, `|---|${'---:|'.repeat(VERDICTS.length)}`, ...rows].join('\n'))
}

function expectations(page: Sheet, { expectations: outcome, baseline }: Report): void {
  if (outcome) {
    const { source, met, unexpected, stale } = outcome
    const counts = `${met.length} failed as expected, ${unexpected.length} unexpected, ${stale.length} stale`
    const named = { unexpected, 'stale, remove them from the list': stale }
    page.add(lists(`Expected failures (${markdownCode(source, 200)}): ${counts}`, named))
  }
  if (baseline) {
    const { source, worse, fixed, known } = baseline
    const counts = `${worse.length} worse, ${fixed.length} fixed, ${known.length} failing as before`
    page.add(lists(`Since ${markdownCode(source, 200)}: ${counts}`, { worse, fixed }))
  }
}

/** A line, and below it what there is of each list. */
function lists(line: string, named: Readonly<Record<string, readonly string[]>>): string {
  const there = Object.entries(named).filter(([, ids]) => ids.length > 0)
  return [line, ...there.map(([name, ids]) => `- ${name}: ${listed(ids)}`)].join('\n')
}

function problems(page: Sheet, { problems: said }: Report): void {
  if (said.length === 0) return
  const shown = said.slice(0, 10).map((problem) => `- ${markdownCode(problem, 500)}`)
  if (said.length > shown.length) shown.push(`- and ${said.length - shown.length} more`)
  page.add(['### What went wrong with the run itself', ...shown].join('\n'))
}

function section(
  page: Sheet,
  title: string,
  results: readonly RequirementResult[],
  render: (result: RequirementResult) => string,
): void {
  if (results.length === 0) return
  page.add(`### ${title}: ${results.length}`)
  const left = results.filter((result) => !page.add(render(result)))
  const ids = left.map(({ id }) => id)
  if (left.length > 0) page.add(`and ${left.length} more, in report.json: ${listed(ids, 5)}`)
}

function failure(result: RequirementResult): string {
  const [finding] = result.findings
  const title = `**${markdownText(result.id)}** (${result.level}): ${markdownText(result.text, 400)}`
  const place = `_${markdownText(result.section, 200)}_`
  if (!finding) return `${title}<br>${place}`
  return [
    `<details open><summary>${htmlOf(result)}</summary>`,
    '',
    `${markdownText(result.text, 400)} ${place}`,
    '',
    ...markdownRows(finding),
    '',
    '</details>',
  ].join('\n')
}

/** The content of a summary is HTML and not Markdown. */
function htmlOf({ id, level, findings }: RequirementResult): string {
  const said = clean(findings[0]?.message ?? '', 200)
  return `<b>${markupText(id)}</b> (${level})${said === '' ? '' : `: <code>${markupText(said)}</code>`}`
}

function serverErrors(page: Sheet, report: Report): void {
  const { serverErrors: found } = report
  if (!found || found.kinds.length === 0) return
  const rows = found.kinds.slice(0, MOST_NAMED).map(({ operation, kind, count, retried, statuses, smallest }) => {
    const cells = [markdownText(operation, 60), markdownCode(kind, 120), statuses.join(', '), `${count}`, `${retried}`]
    const body = smallest.requestBody === '' ? '' : ` ${smallest.requestBody}`
    return `| ${cells.join(' | ')} | ${markdownCode(clean(`${smallest.method} ${smallest.url}${body}`, 300), 300)} |`
  })
  const weight = failsForServerErrors(report)
    ? 'They fail this command (`--fail-on server-error`).'
    : 'They break no requirement; `--fail-on server-error` makes them count.'
  page.add(`### Server errors: ${found.count}`)
  page.add(
    [
      `5xx responses to well-formed requests: ${serverErrorsInWords(found)}. ${weight}`,
      '',
      '| operation | kind of request | status | times | made up for | smallest request |',
      '|---|---|---|---:|---:|---|',
      ...rows,
    ].join('\n'),
  )
}

function notRun(page: Sheet, results: readonly RequirementResult[]): void {
  const { toDo, rest } = notJudged(results)
  const count = [...toDo, ...rest].reduce((sum, { results: own }) => sum + own.length, 0)
  if (count === 0) return
  const rows = toDo.slice(0, MOST_NAMED).map(({ cause, fix, results: own }) => {
    const ids = own.map(({ id }) => id)
    return `| ${own.length} | ${markdownText(`${cause}. ${fix}`, 400)} | ${listed(ids, 4)} |`
  })
  const table = rows.length === 0 ? [] : ['| requirements | what to do | such as |', '|---:|---|---|', ...rows, '']
  const others = rest.map((one) => `${one.results.length} ${markdownText(one.cause, 200)}`)
  const last = others.length === 0 ? [] : [`Nothing has to be done about: ${others.join('; ')}.`]
  page.add([`### Not run: ${count}`, '', ...table, ...last].join('\n').trimEnd())
}

function gaps(page: Sheet, results: readonly RequirementResult[]): void {
  if (results.length === 0) return
  const rows = results.slice(0, MOST_NAMED).map(({ id, evidence }) => {
    const seen = Object.keys(evidence.observations)
    const shown = seen.slice(0, 3).map((what) => markdownCode(what, 120))
    if (seen.length > shown.length) shown.push(`and ${seen.length - shown.length} more`)
    return `| ${markdownText(id)} | ${shown.join(', ')} |`
  })
  const table = ['| gap | what this target does |', '|---|---|', ...rows].join('\n')
  page.add(
    `<details><summary>Where the specification is silent: ${results.length} observed</summary>\n\n${table}\n\n</details>`,
  )
}

function listed(ids: readonly string[], most: number = MOST_NAMED): string {
  return firstOf(
    ids.map((id) => markdownText(id, 80)),
    most,
  )
}
