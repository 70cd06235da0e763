import { resolve } from 'node:path'
import { didYouMean } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { compare } from '../../engine/report/report.ts'
import { type Comparison, type NamedReport, onlyDifferences } from '../../reports/compare/compare.ts'
import { renderComparisonMarkdown, renderComparisonTerminal } from '../../reports/compare/render.ts'
import { pageTemplate, renderComparisonHtml } from '../../reports/formats/html.ts'
import { removeOwn } from '../../reports/formats/write.ts'
import { plainJson } from '../../reports/inert.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io, pageFor } from '../io.ts'
import { deliver, formatAsked } from './output.ts'

export interface CompareOptions {
  readonly all?: boolean
  readonly format?: string
  readonly out?: string
  readonly json?: boolean
}

interface Format {
  render(comparison: Comparison, reports: readonly NamedReport[], io: Io): string
  /** stands at the beginning of each such file */
  readonly mark: RegExp
}

const FORMATS: Readonly<Record<string, Format>> = {
  text: {
    render: (comparison, _reports, io) => renderComparisonTerminal(comparison, pageFor(io)),
    mark: /^A +\S.*: (?:conformant|partial|non-conformant|invalid), /m,
  },
  markdown: { render: renderComparisonMarkdown, mark: /^\| report \| verdict \| target \| binding \|/m },
  json: {
    render: (comparison) => `${plainJson(comparison, 2)}\n`,
    mark: /^\{\s*"formatVersion": \d+,\s*"reports": /,
  },
  html: {
    render(_comparison, reports) {
      const page = pageTemplate()
      if (page !== undefined) return renderComparisonHtml(reports, page)
      throw new UsageError({ where: '--format', what: 'the page was not built', hint: '`npm run build` builds it' })
    },
    mark: /<title>Comparison of \d+ reports<\/title>/,
  },
}

/** Lays reports side by side. Ends with 1 where one got worse after the first. @throws UsageError */
export async function runCompare(paths: readonly string[], options: CompareOptions, io: Io): Promise<void> {
  const name = formatAsked(options)
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  // Where there comes none, an earlier one does not stand for it.
  if (options.out !== undefined)
    for (const { mark } of Object.values(FORMATS)) await removeOwn(resolve(io.cwd, options.out), mark)
  if (!format) {
    const known = Object.keys(FORMATS)
    const hint = didYouMean(name, known, `choose ${known.join(', ')}`)
    throw new UsageError({ where: '--format', what: `there is no format ${JSON.stringify(name)}`, hint })
  }
  const { reports, comparison } = compare(paths, io.cwd)
  const text = format.render(options.all === true ? comparison : onlyDifferences(comparison), reports, io)
  await deliver(text, options.out, io)
  exitWith(io, comparison.regression ? EXIT.nonConformant : EXIT.ok)
}
