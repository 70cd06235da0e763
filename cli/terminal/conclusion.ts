import { randomBytes } from 'node:crypto'
import {
  type ConcludeOptions,
  type Conclusion,
  outcomeOf,
  planConclusion,
  unknownFormat,
  whyNotAllowed,
} from '../../engine/conclude/conclude.ts'
import type { Problem } from '../../engine/errors.ts'
import { renderAnnotations } from '../../reports/formats/annotations.ts'
import { formatOf } from '../../reports/formats/formats.ts'
import { renderTerminal } from '../../reports/formats/terminal.ts'
import { plainJson } from '../../reports/inert.ts'
import type { Report } from '../../schemas/types/report.ts'
import { type ExitCode, OUTCOME_EXIT } from './exit-codes.ts'
import { type Io, linesOfWritten, type Output, screenFor } from './io.ts'

/** What becomes of a report when it is there: the options that all verbs which make one share. */
export interface ReportOptions extends ConcludeOptions {
  readonly format?: string
  readonly annotations?: string
  readonly allowPartial?: boolean
  readonly json?: boolean
  /** the summary names every cause for which something was not judged, and all requirements */
  readonly all?: boolean
}

/** A conclusion that is printed as well. */
export interface Printing extends Conclusion {
  /** Called before anything is printed: from here on nothing that is printed is taken for a command. */
  begin(): void
  /** Prints the report, and the paths that were written. */
  print(report: Report, paths: readonly string[]): void
  /** Called when nothing more is printed, whatever happened. */
  end(): void
  exitCode(report: Report): ExitCode
}

/** @throws UsageError with every problem found */
export function planReport(options: ReportOptions, io: Io): Printing {
  const format = options.json === true ? 'json' : (options.format ?? 'text')
  const problems: Problem[] = formatOf(format) === undefined ? [unknownFormat(format, '--format')] : []
  const github = annotates(options.annotations, io, problems)
  const conclusion = planConclusion(options, io.cwd, problems)
  // what reads the report from standard output gets nothing else
  const aside: Output = format === 'text' ? io.stdout : io.stderr
  const token = randomBytes(16).toString('hex')
  let begun = false
  const end = (): void => {
    if (begun) aside.write(`::${token}::\n`)
    begun = false
  }
  return {
    ...conclusion,
    begin() {
      if (!github) return
      begun = true
      aside.write(`::stop-commands::${token}\n`)
    },
    print(report, paths) {
      io.stdout.write(printed(report, format, options, io))
      if (paths.length > 0) {
        aside.write(`${format === 'text' ? '\n' : ''}${linesOfWritten(paths)}`)
      }
      const refusal = options.allowPartial === true ? whyNotAllowed(report) : undefined
      if (refusal !== undefined) io.stderr.write(`note: ${refusal}\n`)
      end()
      if (github) aside.write(renderAnnotations(report))
    },
    end,
    exitCode: (report) => OUTCOME_EXIT[outcomeOf(report, options.allowPartial === true)],
  }
}

function printed(report: Report, format: string, { json, all = false }: ReportOptions, io: Io): string {
  if (json === true) return `${plainJson(report)}\n`
  if (format === 'text') return renderTerminal(report, { ...screenFor(io), all })
  return formatOf(format)?.render(report) ?? ''
}

function annotates(where: string | undefined, io: Io, problems: Problem[]): boolean {
  if (where === undefined) return io.env.GITHUB_ACTIONS === 'true'
  if (where === 'github' || where === 'none') return where === 'github'
  problems.push({ where: '--annotations', what: `${JSON.stringify(where)} is nothing known`, hint: 'github or none' })
  return false
}
