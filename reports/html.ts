import { existsSync, readFileSync } from 'node:fs'
import type { Report } from '../schemas/types/report.ts'
import type { NamedReport } from './compare/compare.ts'
import { inertJson } from './inert.ts'
import { markupText } from './markup.ts'
import { slimmed } from './slim.ts'
import { bounded } from './text.ts'

// Beside this module where it was built; a build by the side of `dist`, and the sources, take the page from there.
const HERE = new URL('./', import.meta.url)
const PLACES = ['./page.html', '../dist/reports/page.html', '../../dist/reports/page.html']
const LONGEST_NAME = 200
/** of all data in a page, in bytes */
const MOST_DATA = 1_600_000

let template: string | undefined

/** The page without data, as it was built; undefined where it was not. */
export function pageTemplate(): string | undefined {
  template ??= PLACES.map((place) => new URL(place, HERE))
    .filter((url) => existsSync(url))
    .map((url) => readFileSync(url, 'utf8'))[0]
  return template
}

/**
 * The report as one HTML file that needs nothing from anywhere and asks nobody. The report stands in it as inert data;
 * what a target answered cannot become markup or script. Of a report that is too large for a page, long bodies and
 * further findings are left out, which the page says.
 */
export function renderHtml(report: Report, page: string): string {
  return renderComparisonHtml([{ name: 'report.json', report }], page)
}

/** The same for several reports: opened as a comparison, in which the first is what the others are held to. */
export function renderComparisonHtml(reports: readonly NamedReport[], page: string): string {
  const each = Math.floor(MOST_DATA / Math.max(1, reports.length))
  const cuts = new Set<string>()
  const shown = reports.map(({ name, report }) => {
    const slim = slimmed(report, each)
    for (const cut of slim.cuts) cuts.add(cut)
    return { name, report: slim.report }
  })
  const parts: Readonly<Record<string, string>> = {
    title: markupText(titleOf(reports), 2 * LONGEST_NAME),
    data: inertJson({ reports: shown, cuts: [...cuts] }),
  }
  // one pass, so that nothing that is put in is looked at again
  return page.replaceAll(/%(title|data)%/g, (_mark, name: string) => parts[name] ?? '')
}

function titleOf(reports: readonly NamedReport[]): string {
  const [first] = reports
  if (!first || reports.length > 1) return `Comparison of ${reports.length} reports`
  const { target, verdict, specification } = first.report
  const name = bounded([target.name, target.version].filter(Boolean).join(' '), LONGEST_NAME)
  return `${name || 'The target'}: ${verdict} with specification ${specification}`
}
