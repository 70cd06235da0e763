import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { NamedReport } from '../../reports/compare/compare.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { readJsonFile } from '../config/config-file.ts'
import { ownProblems } from '../config/record-problems.ts'
import { type Problem, UsageError } from '../errors.ts'

const MOST_PROBLEMS = 3

/**
 * Reads reports that assay wrote: files, or folders with a report.json. @throws UsageError with a line for each that is
 * none
 */
export function readReports(paths: readonly string[], cwd: string): NamedReport[] {
  const problems: Problem[] = []
  const names = namesOf(paths)
  const reports = paths.flatMap((path, index): NamedReport[] => {
    const file = fileAt(path, cwd)
    if (file === undefined) {
      problems.push({ where: path, what: 'no such file', hint: 'name a report.json, or the folder that holds one' })
      return []
    }
    const value = readJsonFile(file, path)
    const found = versionProblem(path, value) ?? ownProblems('report', value, path)
    problems.push(...found.slice(0, MOST_PROBLEMS))
    return found.length > 0 ? [] : [{ name: names[index] ?? path, report: value as Report }]
  })
  if (problems.length > 0) throw new UsageError(...problems)
  return reports
}

/** @throws UsageError */
export function readReport(path: string, cwd: string): Report {
  const [only] = readReports([path], cwd)
  if (!only) throw new UsageError({ where: path, what: 'holds no report', hint: '' })
  return only.report
}

/** A name for each path, as short as tells them apart: of files that are called the same, their folders. */
export function namesOf(paths: readonly string[]): string[] {
  const parts = paths.map((path) => {
    const whole = resolve('/', path)
    return basename(whole).endsWith('.json') ? whole.replace(/\.json$/, '') : join(whole, 'report')
  })
  const last = parts.map((path) => basename(path))
  if (new Set(last).size === last.length) return last
  const folders = parts.map((path) => basename(dirname(path)))
  return new Set(folders).size === folders.length ? folders : [...paths]
}

function fileAt(path: string, cwd: string): string | undefined {
  const file = resolve(cwd, path)
  if (!existsSync(file)) return undefined
  if (!statSync(file).isDirectory()) return file
  const inside = join(file, 'report.json')
  return existsSync(inside) ? inside : undefined
}

function versionProblem(path: string, value: unknown): Problem[] | undefined {
  const version = value !== null && typeof value === 'object' && 'schemaVersion' in value ? value.schemaVersion : null
  if (version === null) return [{ where: path, what: 'is not a report', hint: 'name a report.json that assay wrote' }]
  if (version === 1) return undefined
  const what = `is a report of another version (${JSON.stringify(version)})`
  return [{ where: path, what, hint: 'read it with the version of assay that wrote it' }]
}

const REPLAY = 'replay.json'

/** What a replay left beside its report; undefined where the report is of none, or stands alone. @throws UsageError */
export function replayBeside(path: string, { basis }: Report, cwd: string): ReplayReport | undefined {
  const file = join(folderOf(resolve(cwd, path)), REPLAY)
  if (basis?.runs.every(({ verb }) => verb === 'replay') !== true || !existsSync(file)) return undefined
  const value = readJsonFile(file, file)
  const problems = ownProblems('replay', value, file)
  if (problems.length > 0) throw new UsageError(...problems.slice(0, MOST_PROBLEMS))
  return value as ReplayReport
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path)
}
