import { rm } from 'node:fs/promises'
import { readJournal } from '../../fixtures/journal.ts'

/**
 * Removes the journal where nothing is left to be removed from the target, and says whether it did. `cleared`: nothing is,
 * though the journal could not be told of it.
 */
export async function closeJournal(path: string, cleared: boolean): Promise<boolean> {
  if (!cleared && readJournal(path).remaining.length > 0) return false
  await rm(path, { force: true })
  return true
}
