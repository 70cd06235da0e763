import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isGap, ledger } from '../../../schemas/ledger.ts'
import { loadRecordSchemas } from '../../../schemas/load.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { createValidator, type Validator } from '../../../schemas/validator.ts'
import type { Ended } from '../../testing/program.ts'

let records: Validator | undefined

/** Reads the report of a folder and holds it to its schema. */
export function readReport(folder: string): Report {
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  records ??= createValidator(loadRecordSchemas())
  expect(records.violations('report', report)).toEqual([])
  return report
}

/** What a replay found, as it wrote it into a folder. */
export function readReplay(folder: string): ReplayReport {
  return JSON.parse(readFileSync(join(folder, 'replay.json'), 'utf8')) as ReplayReport
}

/** The paths of all files below a folder, relative to it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
}

/** The lines of standard error that say why the program ended. Anything that looks like a stack fails. */
export function errorLines({ stderr, stdout }: Pick<Ended, 'stderr' | 'stdout'>): string[] {
  expect(stdout + stderr).not.toMatch(/^\s+at .+:\d+/m)
  expect(stdout + stderr).not.toMatch(/assay itself failed|node:internal|UnhandledPromise/)
  return stderr.split('\n').filter((line) => line.startsWith('error: '))
}

/** ids of the requirements with a finding. */
export function found(report: Report, ...verdicts: string[]): string[] {
  return report.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
}

/** Requirements that a run can bring about, and this one did not decide: id -> reason. */
export function undecided(report: Report): Map<string, string> {
  return new Map(
    report.requirements
      .filter(({ id, verdict }) => {
        const entry = ledger().get(id)
        return entry?.provoke === 'always' && entry.level !== 'open' && !isGap(entry) && verdict !== 'pass'
      })
      .map(({ id, verdict, reason }) => [id, `${verdict}: ${reason}`]),
  )
}
