import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { plainJson } from '../inert.ts'
import { renderBadgeEndpoint } from './badge.ts'
import { renderCtrf } from './ctrf.ts'
import { builtPage, renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderTable } from './table.ts'
import { renderTerminal } from './terminal.ts'

/** One way to write a report down. */
export interface Format {
  readonly name: string
  /** name of the file that holds it, beside the others */
  readonly file: string
  readonly summary: string
  /** stands at the beginning of each such file, and of hardly any that somebody else wrote */
  readonly mark: RegExp
  /** undefined where it cannot be had: the page, where assay was not built whole */
  render(report: Report, more?: More): string | undefined
}

/** What some formats show beside a report. */
export interface More {
  /** of text: lists all that was not judged */
  readonly all?: boolean | undefined
  /** of the page: what the replay found that the report is of */
  readonly replay?: ReplayReport | undefined
}

/** Columns of text that goes into a file. */
const COLUMNS = 80

export const FORMATS: readonly Format[] = [
  {
    name: 'json',
    file: 'report.json',
    summary: 'everything, by our own schema',
    mark: /^\{\s*"schemaVersion":\s*\d+,\s*"specification":/,
    render: (report) => `${plainJson(report, 2)}\n`,
  },
  {
    name: 'junit',
    file: 'junit.xml',
    summary: 'JUnit XML',
    mark: /<testsuites name="assay: /,
    render: (report) => renderJunit(report),
  },
  {
    name: 'html',
    file: 'report.html',
    summary: 'a page that opens from disk',
    mark: /<title>[^<]* with specification [^<]*<\/title>/,
    render: (report, { replay } = {}) => {
      const page = builtPage('page.html')
      return page === undefined ? undefined : renderHtml(report, page, replay)
    },
  },
  {
    name: 'ctrf',
    file: 'ctrf.json',
    summary: 'Common Test Report Format',
    mark: /"tool": \{\s*"name": "assay"/,
    render: renderCtrf,
  },
  {
    name: 'markdown',
    file: 'summary.md',
    summary: 'short, for the summary of a build',
    mark: /^## \S+ (?:conformant|partial|non-conformant|invalid)\b[\s\S]* requests in [\d.]+ s to .*, assay /,
    render: renderMarkdown,
  },
  {
    name: 'badge-json',
    file: 'badge.json',
    summary: 'for services that draw badges',
    mark: /"label": "conformance [\d.]+"/,
    render: renderBadgeEndpoint,
  },
  {
    name: 'table',
    file: 'table.txt',
    summary: 'a line for each requirement, 80 columns',
    mark: /^verdict +level +id +evidence/,
    render: (report) => renderTable(report, { columns: COLUMNS, color: false }),
  },
  {
    name: 'text',
    file: 'summary.txt',
    summary: 'what a terminal shows when a run ends',
    mark: /^stated(?: +\d+){6} *$/m,
    render: (report, { all = false } = {}) => renderTerminal(report, { columns: COLUMNS, color: false, all }),
  },
]

/** What every run writes. */
export const ALWAYS: readonly string[] = ['json', 'junit', 'html']

/** The format of a name; undefined where there is none. */
export function formatOf(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name)
}
