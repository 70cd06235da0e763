import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeOwn, removeReports } from '../../reports/formats/write.ts'

/** How `replay.json` begins. */
const REPLAY = /^\{\s*"formatVersion":\s*\d+,\s*"suite":/

export interface Earlier {
  /** formats that are written besides those that are always written; unknown ones are none */
  readonly besides: readonly string[] | undefined
  /** whole paths of reports that are read, or of folders with one */
  readonly reads: readonly string[]
  /** whole paths of recordings that are read: evidence stands beside the report of its run */
  readonly recordings?: readonly string[]
  /** the outcome of a replay is written as well */
  readonly replay?: boolean
}

/**
 * Takes the report of an earlier run out of the output folder. So nobody takes it for the report of this command,
 * however that ends. Only files that assay wrote go; and where one is read that stands there, all stay.
 * @throws ReportWriteError
 */
export async function removeEarlier(out: string, earlier: Earlier): Promise<void> {
  const { besides, reads, recordings = [], replay = false } = earlier
  const folders = [...reads.flatMap(foldersOf), ...recordings.flatMap(foldersOf).filter(isEvidence).map(dirname)]
  const own = realPath(out)
  if (folders.some((folder) => realPath(folder) === own)) return
  await removeReports(out, besides)
  if (replay) await removeOwn(join(out, 'replay.json'), REPLAY)
}

function isEvidence(folder: string): boolean {
  return basename(folder) === 'evidence'
}

/** The folder that a path stands in, or is: where a link stands, and where what it leads to stands. */
function foldersOf(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return [path, realPath(path)].map((one) => (isFolder ? one : dirname(one)))
}

/** A path without links, as far as it is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
