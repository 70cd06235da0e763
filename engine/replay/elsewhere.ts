import { join, sep } from 'node:path'
import { realPath } from '../conclude/earlier.ts'
import { UsageError } from '../errors.ts'
import { BASELINE, EVIDENCE } from './once.ts'

/**
 * The new exchanges take the place of those of an earlier replay. Both are whole paths.
 * @throws UsageError where these are to be replayed
 */
export function requireElsewhere(recording: string, out: string): void {
  const path = realPath(recording)
  const taken = [EVIDENCE, BASELINE].map((name) => join(realPath(out), name))
  if (!taken.some((folder) => path === folder || path.startsWith(folder + sep))) return
  const what = 'the new exchanges would take the place of those that are to be replayed'
  throw new UsageError({ where: recording, what, hint: 'choose another --out' })
}
