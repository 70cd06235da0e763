import { counted } from '../counted.ts'
import { markdownCode, markdownText } from '../markup.ts'
import { Screen, type ScreenOptions, type Style } from '../screen.ts'
import { CHANGES, type Change, type ComparedGap, type ComparedRequirement, type Comparison } from './compare.ts'

const TITLES: Readonly<Record<Change, string>> = {
  'newly-failing': 'Newly failing',
  'newly-warning': 'Newly warning',
  vanished: 'No longer judged',
  fixed: 'Fixed',
  appeared: 'Judged for the first time, and holding',
  different: 'Different in another way',
  same: 'The same in all',
}

/** Reports side by side, for a terminal: the worst changes first, then what the targets do in the gaps. */
export function renderComparisonTerminal(comparison: Comparison, options: ScreenOptions): string {
  const screen = new Screen(options)
  const { paint } = screen
  for (const [index, report] of comparison.reports.entries()) {
    const target = report.target === '' ? report.baseUrl : report.target
    const { serverErrors = 0 } = report
    const errors = serverErrors === 0 ? '' : `, ${counted(serverErrors, 'server error')}`
    const facts = `${report.verdict}, ${target}, ${report.profile}, seed ${report.seed}${errors}`
    screen.field(letter(index), `${report.name}: ${facts}`, { most: 300 })
  }
  screen.line()
  for (const note of comparison.notes) screen.text(note, { style: paint.yellow })
  if (comparison.notes.length > 0) screen.line()
  for (const change of CHANGES) {
    const rows = comparison.requirements.filter((row) => row.change === change)
    if (rows.length === 0) continue
    screen.line(styleOf(screen, change)(`${TITLES[change]}: ${rows.length}`))
    for (const row of rows) requirement(screen, row)
    screen.line()
  }
  if (comparison.gaps.length > 0) {
    screen.line(`Where the specification is silent: ${comparison.gaps.length}`)
    for (const gap of comparison.gaps) {
      screen.text(`${gap.id}: ${gap.text}`, { indent: 2 })
      for (const [index, seen] of gap.cells.entries()) {
        screen.field(letter(index), seen.length === 0 ? 'nothing seen' : seen.join('; '), { indent: 4, most: 300 })
      }
    }
    screen.line()
  }
  const { counts } = comparison
  const numbers = CHANGES.filter((change) => counts[change] > 0).map((change) => `${counts[change]} ${change}`)
  screen.text(numbers.length === 0 ? 'nothing to compare' : numbers.join(', '))
  screen.text(comparison.regression ? 'worse than the first report' : 'not worse than the first report', {
    style: (text) => paint.bold(comparison.regression ? paint.red(text) : paint.green(text)),
  })
  return screen.toString()
}

function requirement(screen: Screen, { id, level, cells }: ComparedRequirement): void {
  screen.text(`${id} (${level}): ${cells.map((cell, index) => `${letter(index)} ${cell.verdict}`).join(', ')}`, {
    indent: 2,
  })
  for (const [index, { note, change }] of cells.entries()) {
    if (note !== '' && (change !== 'same' || index === 0)) screen.field(letter(index), note, { indent: 4, most: 200 })
  }
}

function styleOf({ paint }: Screen, change: Change): Style {
  if (change === 'newly-failing' || change === 'vanished') return (text) => paint.bold(paint.red(text))
  if (change === 'newly-warning') return (text) => paint.bold(paint.yellow(text))
  return change === 'fixed' || change === 'appeared' ? (text) => paint.bold(paint.green(text)) : paint.bold
}

/** A, B, … Z, A1, … */
function letter(index: number): string {
  const round = Math.floor(index / 26)
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? '' : round}`
}

/** The matrix of requirements and reports as Markdown; the first column of reports is the baseline. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { reports, requirements, gaps, counts, notes, regression } = comparison
  const names = reports.map(({ name }) => markdownText(name, 100))
  const blocks = [
    `## ${regression ? '❌ worse than' : '✅ not worse than'} ${names[0] ?? ''}`,
    [
      '| report | verdict | target | binding | profile | seed | started | server errors |',
      '|---|---|---|---|---|---:|---|---:|',
      ...reports.map((report, index) =>
        row([
          names[index] ?? '',
          report.verdict,
          markdownText(report.target === '' ? report.baseUrl : report.target, 200),
          markdownText(report.binding || 'none', 80),
          report.profile,
          String(report.seed),
          markdownText(report.startedAt, 40),
          `${report.serverErrors ?? ''}`,
        ]),
      ),
    ].join('\n'),
    ...notes.map((note) => `> ${markdownText(note, 500)}`),
    Object.entries(counts)
      .map(([change, count]) => `${count} ${change}`)
      .join(', '),
    matrix('Requirements', ['requirement', 'level', 'change', ...names], requirements.map(requirementRow)),
    matrix('Where the specification is silent', ['gap', ...names], gaps.map(gapRow)),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function matrix(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [`### ${title}: ${rows.length}`, '', row(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(row)].join(
    '\n',
  )
}

function requirementRow({ id, level, change, regression, cells }: ComparedRequirement): string[] {
  return [
    markdownText(id),
    level,
    regression ? `**${change}**` : change,
    ...cells.map(({ verdict, note }) => (note === '' ? verdict : `${verdict}<br>${markdownCode(note, 160)}`)),
  ]
}

function gapRow({ id, differs, cells }: ComparedGap): string[] {
  return [
    differs ? `**${markdownText(id)}**` : markdownText(id),
    ...cells.map((seen) =>
      seen
        .slice(0, 5)
        .map((what) => markdownCode(what, 120))
        .join('<br>'),
    ),
  ]
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
