import { extname, resolve } from 'node:path'
import { unknownFormat } from '../../engine/conclude/conclude.ts'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { readReport, replayBeside } from '../../engine/conclude/read-reports.ts'
import { didYouMean } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { compare, merge } from '../../engine/report/report.ts'
import { type Comparison, type NamedReport, onlyDifferences } from '../../reports/compare/compare.ts'
import { renderComparisonMarkdown, renderComparisonTerminal } from '../../reports/compare/render.ts'
import { formatOf } from '../../reports/formats/formats.ts'
import { builtPage, renderComparisonHtml } from '../../reports/formats/html.ts'
import { removeOwn, writeFileWhole } from '../../reports/formats/write.ts'
import { plainJson } from '../../reports/inert.ts'
import { planReport, type ReportOptions } from '../terminal/conclusion.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say, screenFor } from '../terminal/io.ts'

/** What the command line gives: whether all is shown, in which format, and where. */
export interface ReportWords {
  readonly all?: boolean
  readonly format?: string
  readonly out?: string
  readonly json?: boolean
}

/** How a comparison is written down. */
interface Format {
  render(comparison: Comparison, reports: readonly NamedReport[], io: Io): string
  /** stands at the beginning of each such file */
  readonly mark: RegExp
}

const FORMATS: Readonly<Record<string, Format>> = {
  text: {
    render: (comparison, _reports, io) => renderComparisonTerminal(comparison, screenFor(io)),
    mark: /^A +\S.*: (?:conformant|partial|non-conformant|invalid), /m,
  },
  markdown: { render: renderComparisonMarkdown, mark: /^\| report \| verdict \| target \| binding \|/m },
  json: {
    render: (comparison) => `${plainJson(comparison, 2)}\n`,
    mark: /^\{\s*"formatVersion": \d+,\s*"reports": /,
  },
  html: {
    render: (_comparison, reports) => renderComparisonHtml(reports, pageOrFault()),
    mark: /<title>Comparison of \d+ reports<\/title>/,
  },
}

/** Lays reports side by side. Ends with 1 where one got worse after the first. @throws UsageError */
export async function runCompare(paths: readonly string[], options: ReportWords, io: Io): Promise<void> {
  const format = await chosen(options, io)
  const { reports, comparison } = compare(paths, io.cwd)
  const text = format.render(options.all === true ? comparison : onlyDifferences(comparison), reports, io)
  await deliver(text, options.out, io)
  io.exitCode = comparison.regression ? EXIT.nonConformant : EXIT.ok
}

/** The format that is asked for. What stands where it will be written does not stand for it. @throws UsageError */
async function chosen(options: ReportWords, io: Io): Promise<Format> {
  const name = formatAsked(options)
  if (options.out !== undefined)
    for (const { mark } of Object.values(FORMATS)) await removeOwn(resolve(io.cwd, options.out), mark)
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  if (format) return format
  const known = Object.keys(FORMATS)
  const hint = didYouMean(name, known, `choose ${known.join(', ')}`)
  throw new UsageError({ where: '--format', what: `there is no format ${JSON.stringify(name)}`, hint })
}

function pageOrFault(): string {
  const page = builtPage('page.html')
  if (page === undefined) throw pageNotBuilt()
  return page
}

function pageNotBuilt(): UsageError {
  return new UsageError({ where: '--format', what: 'the page was not built', hint: '`npm run build` builds it' })
}

export interface MergeOptions extends ReportOptions {
  readonly out?: string
}

/**
 * Makes one report of several over the same target, and ends with the exit code of its verdict.
 * @throws UsageError, MergeError
 */
export async function runMerge(paths: readonly string[], options: MergeOptions, io: Io): Promise<void> {
  const folder = resolve(io.cwd, options.out ?? 'assay-report')
  const given = [...paths, ...(options.baseline === undefined ? [] : [options.baseline])]
  const reads = given.map((path) => resolve(io.cwd, path))
  await removeEarlier(folder, { besides: options.reporter, reads, replay: true })
  const conclusion = planReport(options, io)
  try {
    const { report, written } = await merge(paths, folder, conclusion, io.cwd, conclusion.begin)
    conclusion.print(report, written)
    io.exitCode = conclusion.exitCode(report)
  } finally {
    conclusion.end()
  }
}

/** Writes a report down in another format. @throws UsageError */
export async function runRender(path: string, options: ReportWords, io: Io): Promise<void> {
  const name = formatAsked(options)
  const format = formatOf(name)
  if (!format) throw new UsageError(unknownFormat(name, '--format'))
  const report = readReport(path, io.cwd)
  const text = format.render(report, { all: options.all, replay: replayBeside(path, report, io.cwd) })
  if (text === undefined) throw pageNotBuilt()
  await deliver(text, options.out, io)
}

/** Prints text, or writes it into the file that `out` names and says so beside it. @throws ReportWriteError */
async function deliver(text: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) {
    io.stdout.write(text)
    return
  }
  const path = resolve(io.cwd, out)
  await writeFileWhole(path, text)
  say(io.stderr, `wrote ${path}`)
}

/** Ends of names -> the format that such a file holds. */
const FORMAT_OF: Readonly<Record<string, string>> = {
  '.html': 'html',
  '.htm': 'html',
  '.xml': 'junit',
  '.md': 'markdown',
  '.json': 'json',
}

/** What browsers run by the end of its name: words of a target, escaped for something else, would be markup in it. */
const IS_MARKUP = /^\.(?:x?html?|svgz?|xml|xsl|mhtml?)$/

/** The format that is asked for: by its name, or by that of the file. @throws UsageError where the two do not fit */
function formatAsked({ format, json, out = '' }: ReportWords): string {
  const end = extname(out).toLowerCase()
  const fitting = Object.hasOwn(FORMAT_OF, end) ? FORMAT_OF[end] : undefined
  const asked = json === true ? 'json' : (format ?? fitting ?? 'text')
  if (!IS_MARKUP.test(end) || asked === fitting) return asked
  const what = `browsers read a ${end} file as markup, but the format ${JSON.stringify(asked)} is none`
  throw new UsageError({
    where: out,
    what,
    hint: `${fitting ? `use --format ${fitting}, or ` : ''}choose another name`,
  })
}
