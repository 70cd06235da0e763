import { markdownCode, markdownText } from '../markup.ts'
import type { ComparedGap, ComparedRequirement, Comparison } from './compare.ts'

/** The matrix of requirements and reports as Markdown; the first column of reports is what the others are held to. */
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
    `${markdownText(id)}`,
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
