import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { NamedReport } from '../../reports/compare/compare.ts'
import type { NamedReplay } from '../../reports/merge/replays.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { createValidator } from '../../schemas/validator.ts'
import { readJsonFile } from '../config/config-file.ts'
import { recordProblems } from '../config/record-problems.ts'
import { UsageError } from '../errors.ts'

const NAME = 'replay.json'
const MOST_PROBLEMS = 3

/**
 * What replays left beside their reports; undefined where some of the reports are of no replay, or stand alone.
 * `paths`: of the reports, in their order. @throws UsageError
 */
export function replaysBeside(
  paths: readonly string[],
  reports: readonly NamedReport[],
  cwd: string,
): NamedReplay[] | undefined {
  const files = paths.map((path) => resolve(cwd, path)).map((path) => join(folderOf(path), NAME))
  const all = reports.every(({ report }) => report.basis?.runs.every(({ verb }) => verb === 'replay') === true)
  if (!all || !files.every((file) => existsSync(file))) return undefined
  const schemas = loadRecordSchemas()
  const validator = createValidator(schemas)
  return files.map((file, index) => {
    const value = readJsonFile(file, file)
    const problems = recordProblems(validator, 'replay', schemas.get('replay') as JsonSchema, value, file)
    if (problems.length > 0) throw new UsageError(...problems.slice(0, MOST_PROBLEMS))
    return { name: reports[index]?.name ?? file, replay: value as ReplayReport }
  })
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path)
}
