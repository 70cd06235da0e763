import { markupText } from '../markup.ts'
import type { ComparedGap, ComparedReport, ComparedRequirement, Comparison } from './compare.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --warn: #8a6100; --good: #2b7a3d; --dim: #6a6a6a }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --warn: #ffcf70; --good: #7fd494; --dim: #a5a5a5 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 90rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { white-space: nowrap }
tr:target { outline: 2px solid currentcolor }
code { font-size: 13px }
small { color: var(--dim); display: block }
.fail, .error, .newly-failing, .vanished, .worse { color: var(--bad); font-weight: 600 }
.warn, .newly-warning { color: var(--warn); font-weight: 600 }
.pass, .fixed, .appeared, .good { color: var(--good); font-weight: 600 }
@media print { body { margin: 0; max-width: none } .wide { overflow: visible } }
`

/** The comparison as one HTML file: no script, nothing loaded, whatever stands in the reports is text. */
export function renderComparisonPage(comparison: Comparison): string {
  const { reports, requirements, gaps, counts, notes, regression } = comparison
  const [first] = reports
  const heading = `${regression ? 'Worse than' : 'Not worse than'} ${first?.name ?? 'the first report'}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markupText(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1 class="${regression ? 'worse' : 'good'}">${markupText(heading)}</h1>
${table(['report', 'verdict', 'target', 'binding', 'profile', 'seed', 'started'], reports.map(reportRow))}
${notes.map((note) => `<p>${markupText(note)}</p>`).join('\n')}
<p>${Object.entries(counts)
    .map(([change, count]) => `<span class="${change}">${count} ${change}</span>`)
    .join(', ')}</p>
${section('Requirements', ['requirement', 'change', ...reports.map(({ name }) => name)], requirements.map(requirementRow))}
${section('Where the specification is silent', ['gap', ...reports.map(({ name }) => name)], gaps.map(gapRow))}
</body>
</html>
`
}

function section(title: string, heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return `<h2>${title}: ${rows.length}</h2>\n${table(heads, rows)}`
}

function table(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((name) => `<th scope="col">${markupText(name)}</th>`).join('')
  return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`
}

function reportRow(report: ComparedReport): string {
  const target = report.target === '' ? report.baseUrl : report.target
  const cells = [
    report.name,
    report.verdict,
    target,
    report.binding || 'none',
    report.profile,
    report.seed,
    report.startedAt,
  ]
  return `<tr>${cells.map((cell) => `<td>${markupText(String(cell), 300)}</td>`).join('')}</tr>`
}

function requirementRow({ id, level, section: place, text, change, cells }: ComparedRequirement): string {
  const shown = cells.map(
    ({ verdict, note }) =>
      `<td class="${verdict}">${verdict}${note === '' ? '' : `<small>${markupText(note)}</small>`}</td>`,
  )
  return `<tr id="${markupText(id)}"><td><b>${markupText(id)}</b> (${level}) ${markupText(text)}<small>${markupText(place)}</small></td><td class="${change}">${change}</td>${shown.join('')}</tr>`
}

function gapRow({ id, text, differs, cells }: ComparedGap): string {
  const shown = cells.map(
    (seen) => `<td>${seen.map((what) => `<code>${markupText(what, 300)}</code>`).join('<br>')}</td>`,
  )
  return `<tr><td><b>${markupText(id)}</b>${differs ? ' (differs)' : ''} ${markupText(text)}</td>${shown.join('')}</tr>`
}
