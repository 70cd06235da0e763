import { existsSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Notes which folders of a path are not there yet. The answer removes those that were made since and are still empty. */
export function watchFolder(path: string): () => void {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.push(folder)
  return () => {
    try {
      for (const folder of missing) rmdirSync(folder)
    } catch {
      // It holds something, or was never made: either way it stays as it is.
    }
  }
}
