import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeFileWhole } from '../../reports/formats/write.ts'
import type { IgnoreEntry, IgnoreFile } from '../../schemas/types/ignore.ts'
import { readJsonFile } from '../config/config-file.ts'
import { ownProblems } from '../config/record-problems.ts'
import { UsageError } from '../errors.ts'

/** Reads a file of ignored places. `mayBeMissing`: it is going to be written. @throws UsageError */
export function readIgnoreFile(path: string, cwd: string, mayBeMissing: boolean): readonly IgnoreEntry[] {
  const file = resolve(cwd, path)
  if (!existsSync(file)) {
    if (mayBeMissing) return []
    throw new UsageError({ where: path, what: 'does not exist', hint: '--baseline --ignore writes one' })
  }
  const value = readJsonFile(file, path)
  const problems = ownProblems('ignore', value, path)
  if (problems.length > 0) throw new UsageError(...problems)
  return (value as IgnoreFile).ignore
}

/** Adds what was learned to a file of ignored places, and makes it where it is missing. Returns how many were new. */
export async function addIgnored(
  path: string,
  cwd: string,
  before: readonly IgnoreEntry[],
  learned: readonly IgnoreEntry[],
): Promise<number> {
  const known = new Set(before.map(({ operation, pointer }) => `${operation} ${pointer}`))
  const fresh = learned.filter(({ operation, pointer }) => !known.has(`${operation} ${pointer}`))
  if (fresh.length === 0) return 0
  const file: IgnoreFile = { formatVersion: 1, ignore: [...before, ...fresh] }
  await writeFileWhole(resolve(cwd, path), `${JSON.stringify(file, null, 2)}\n`)
  return fresh.length
}
