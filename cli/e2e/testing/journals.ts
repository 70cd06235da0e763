import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJournal } from '../../../fixtures/journal.ts'

/** The journal of the run that writes to a folder; undefined where there is none. */
export function journalIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const name = readdirSync(folder).find((file) => file.startsWith('journal-'))
  return name === undefined ? undefined : join(folder, name)
}

/** Waits until a run has made so many things that are still there. @throws after a minute */
export async function untilMade(folder: string, count: number): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    const path = journalIn(folder)
    if (path !== undefined && madeIn(path) >= count) return
    await sleep(25)
  }
  throw new Error(`the run has not made ${count} things within a minute`)
}

function madeIn(path: string): number {
  try {
    return readJournal(path).remaining.filter(({ id }) => id !== undefined).length
  } catch {
    // its first line is being written
    return -1
  }
}
