import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT, type ExitCode, exitCodeOf, mayBePartial } from '../../cli/exit-codes.ts'
import { type Io, type Output, pageFor } from '../../cli/io.ts'
import { renderAnnotations } from '../../reports/annotations.ts'
import { type HeldTo, standingOf } from '../../reports/expectations/held.ts'
import { verdictWithout } from '../../reports/expectations/standing.ts'
import { FORMATS, formatOf } from '../../reports/formats.ts'
import { plainJson } from '../../reports/inert.ts'
import { failsForServerErrors } from '../../reports/server-errors.ts'
import { renderTerminal } from '../../reports/terminal.ts'
import { ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import type { Expectations } from '../../schemas/types/expectations.ts'
import type { Report } from '../../schemas/types/report.ts'
import { createValidator } from '../../schemas/validator.ts'
import { readJsonFile } from '../config/config-file.ts'
import { didYouMean } from '../config/nearest.ts'
import { type Problem, UsageError } from '../errors.ts'
import { recordProblems } from '../record-problems.ts'
import { readReports } from './read-reports.ts'

/** What becomes of a report when it is there: the options that all verbs which make one share. */
export interface ConcludeOptions {
  readonly expect?: string
  readonly baseline?: string
  readonly reporter?: readonly string[]
  readonly format?: string
  readonly annotations?: string
  readonly allowPartial?: boolean
  /** what fails beside broken requirements; of certify and check the configuration may name it, too */
  readonly failOn?: readonly string[]
  readonly json?: boolean
  /** the summary names every cause for which something was not judged, and all requirements */
  readonly all?: boolean
}

/** The end of a run, planned before it begins, so that nothing can be wrong with it when it comes. */
export interface Conclusion {
  /** formats to write besides those that are always written */
  readonly formats: readonly string[]
  /** what the report is held to */
  readonly heldTo: HeldTo
  /** Called before anything is printed: from here on nothing that is printed is taken for a command. */
  begin(): void
  /** The report with how it stands to what was expected. */
  judge(report: Report): Report
  /** Prints it, and the paths that were written. */
  print(report: Report, paths: readonly string[]): void
  /** Called when nothing more is printed, whatever happened. */
  end(): void
  exitCode(report: Report): ExitCode
}

/** @throws UsageError with every problem found */
export function planConclusion(options: ConcludeOptions, io: Io): Conclusion {
  const problems: Problem[] = []
  const names = options.reporter ?? []
  const format = options.json === true ? 'json' : (options.format ?? 'text')
  for (const name of [...names, format]) {
    if (formatOf(name) === undefined)
      problems.push(unknownFormat(name, names.includes(name) ? '--reporter' : '--format'))
  }
  const github = annotates(options.annotations, io, problems)
  if (options.expect !== undefined && options.baseline !== undefined) {
    const what = '--expect and --baseline exclude each other'
    problems.push({ where: '--baseline', what, hint: 'leave one of them out' })
  }
  for (const word of options.failOn ?? []) {
    if (isFailOn(word)) continue
    const hint = didYouMean(word, FAIL_ON, `choose ${FAIL_ON.join(', ')}`)
    problems.push({ where: '--fail-on', what: `there is nothing called ${JSON.stringify(word)} to fail on`, hint })
  }
  const failOn = (options.failOn ?? []).filter(isFailOn)
  const expected = options.expect === undefined ? undefined : readExpectations(options.expect, io.cwd, problems)
  if (problems.length > 0) throw new UsageError(...problems)
  const earlier = options.baseline === undefined ? undefined : readReports([options.baseline], io.cwd)[0]?.report
  const heldTo: HeldTo = {
    ...(expected ? { expectations: { source: options.expect ?? '', failures: expected.failures } } : {}),
    ...(earlier ? { baseline: { source: options.baseline ?? '', report: earlier } } : {}),
  }

  // what reads the report from standard output gets nothing else
  const aside: Output = format === 'text' ? io.stdout : io.stderr
  const token = randomBytes(16).toString('hex')
  let begun = false
  const end = (): void => {
    if (begun) aside.write(`::${token}::\n`)
    begun = false
  }
  return {
    formats: names,
    heldTo,
    begin() {
      if (!github) return
      begun = true
      aside.write(`::stop-commands::${token}\n`)
    },
    judge(report) {
      const { expectations: _before, baseline: _since, ...rest } = report
      const all = [...new Set([...(report.failOn ?? []), ...failOn])]
      return { ...rest, ...(all.length === 0 ? {} : { failOn: all }), ...standingOf(report, heldTo) }
    },
    print(report, paths) {
      io.stdout.write(printed(report, format, options, io))
      if (paths.length > 0) {
        aside.write(`${format === 'text' ? '\n' : ''}${paths.map((path) => `wrote ${path}`).join('\n')}\n`)
      }
      end()
      if (github) aside.write(renderAnnotations(report))
    },
    end,
    exitCode: (report) => exitCode(report, options.allowPartial === true),
  }
}

function printed(report: Report, format: string, { json, all = false }: ConcludeOptions, io: Io): string {
  if (json === true) return `${plainJson(report)}\n`
  if (format === 'text') return renderTerminal(report, { ...pageFor(io), all })
  return formatOf(format)?.render(report) ?? ''
}

type FailOn = NonNullable<Report['failOn']>[number]

const FAIL_ON: readonly FailOn[] = ['server-error']

function isFailOn(word: string): word is FailOn {
  return (FAIL_ON as readonly string[]).includes(word)
}

function exitCode(report: Report, allowPartial: boolean): ExitCode {
  const code = exitCodeOfVerdicts(report, allowPartial)
  const isGood = code === EXIT.ok || code === EXIT.partial
  return isGood && failsForServerErrors(report) ? EXIT.nonConformant : code
}

function exitCodeOfVerdicts(report: Report, allowPartial: boolean): ExitCode {
  const { expectations, baseline, verdict } = report
  if (expectations) {
    if (verdict === 'invalid') return EXIT.invalid
    if (expectations.unexpected.length + expectations.stale.length > 0) return EXIT.nonConformant
    const met = new Set(expectations.met)
    return exitCodeOf(verdictWithout(report, met, ledger()), allowPartial && mayBePartial(report, met))
  }
  if (baseline) {
    if (verdict === 'invalid') return EXIT.invalid
    return baseline.worse.length > 0 ? EXIT.nonConformant : EXIT.ok
  }
  return exitCodeOf(verdict, allowPartial && mayBePartial(report))
}

function annotates(where: string | undefined, io: Io, problems: Problem[]): boolean {
  if (where === undefined) return io.env.GITHUB_ACTIONS === 'true'
  if (where === 'github' || where === 'none') return where === 'github'
  problems.push({ where: '--annotations', what: `${JSON.stringify(where)} is nothing known`, hint: 'github or none' })
  return false
}

/** The problem of a format that does not exist. */
export function unknownFormat(name: string, where: string): Problem {
  const known = FORMATS.map((format) => format.name)
  const hint = didYouMean(name, known, `choose ${known.join(', ')}`)
  return { where, what: `there is no format ${JSON.stringify(name)}`, hint }
}

function readExpectations(path: string, cwd: string, problems: Problem[]): Expectations | undefined {
  const file = resolve(cwd, path)
  if (!existsSync(file)) {
    problems.push({ where: path, what: 'no such file', hint: 'write {"formatVersion":1,"failures":[]} into it' })
    return undefined
  }
  const schemas = loadRecordSchemas()
  const value = readJsonFile(file, path)
  const schema = schemas.get('expectations') as JsonSchema
  const found = recordProblems(createValidator(schemas), 'expectations', schema, value, path)
  problems.push(...found)
  if (found.length > 0) return undefined
  const expectations = value as Expectations
  for (const [index, { requirement }] of expectations.failures.entries()) {
    const entry = ledger().get(requirement)
    const where = `${path}#/failures/${index}/requirement`
    if (!entry) {
      const hint = didYouMean(requirement, ledger().keys(), '`assay list` shows them')
      problems.push({ where, what: `there is no requirement ${JSON.stringify(requirement)}`, hint })
    } else if (entry.level === 'open') {
      problems.push({ where, what: `${requirement} is a gap, which is never judged`, hint: 'take it off the list' })
    }
  }
  return expectations
}
