import { markdownCode, markdownText } from '../markup.ts'
import { createPage, type PageOptions, painted } from '../page.ts'
import { type History, runName, sinceInWords, summaryOf } from './history.ts'

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
  const page = createPage(options)
  const { paint } = page
  const { runs, requirements } = history
  for (const run of runs) {
    page.field(run.startedAt.slice(0, 10), `${run.verdict}  ${runName(run)} (${run.name})`, { most: 200 })
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
