import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../fixtures/journal.ts'
import { UsageError } from '../errors.ts'
import { cleanupCommand } from '../leftovers.ts'

/**
 * Refuses to start while a journal in the folder of reports says that an earlier run suspended the same target and did
 * not come to resume it. `cleanup`: the command that does so.
 * @throws UsageError
 */
export function refuseWhileSuspended(
  folder: string,
  baseUrl: string,
  cleanup = (journal: string): string => cleanupCommand('assay', journal, { target: baseUrl }),
): void {
  for (const name of readdirSync(folder).filter((file) => /^journal-.*\.ndjson$/.test(file))) {
    const path = join(folder, name)
    const journal = read(path)
    if (journal?.header.baseUrl !== baseUrl) continue
    if (!journal.remaining.some(({ making }) => making.resource === 'suspension')) continue
    throw new UsageError({
      where: baseUrl,
      what: 'an earlier run ended while it tried to suspend ingestion here, which may still be suspended',
      hint: `resume it first: ${cleanup(path)}`,
    })
  }
}

/** A journal that cannot be read says nothing. */
function read(path: string): ReturnType<typeof readJournal> | undefined {
  try {
    return readJournal(path)
  } catch {
    return undefined
  }
}
