import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FileFault, readPlain } from '../fixtures/plain-file.ts'
import { PRIVATE_FILE } from '../fixtures/private-folder.ts'
import { removedAtExit } from '../fixtures/transient.ts'
import { UsageError } from './errors.ts'

/** Stands in a folder as long as a program writes there, and holds its process id. */
const CLAIM = '.in-use'

/** Folders that this very process writes to. */
const own = new Set<string>()

/**
 * Claims a folder for one program. Two programs that write evidence, segments or reports into one folder would mix them
 * up. What a killed program claimed is free. The answer gives it back. `instead`: what to do where it is taken.
 * @throws UsageError
 */
export function claimFolder(folder: string, instead: string): () => void {
  const path = join(folder, CLAIM)
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: PRIVATE_FILE })
      break
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException
      // Without the right to write there, the first write says so.
      if (code !== 'EEXIST') return () => undefined
    }
    const holder = holderOf(path)
    if (holder !== undefined && (holder === process.pid ? own.has(path) : isAlive(holder))) {
      const what = `another assay writes there (process ${holder})`
      throw new UsageError({ where: folder, what, hint: `${instead}; if that is no assay, remove ${path}` })
    }
    rmSync(path, { force: true })
  }
  own.add(path)
  const stays = removedAtExit(path)
  let mine = true
  return () => {
    if (!mine) return
    mine = false
    own.delete(path)
    stays()
    try {
      // Where the folder was, another one may stand, which somebody else uses.
      if (holderOf(path) === process.pid) rmSync(path, { force: true })
    } catch {
      // Something else stands where the folder was.
    }
  }
}

/** Undefined where no process is named. */
function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readPlain(path, 'found', 32).toString('latin1'))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch (thrown) {
    if (thrown instanceof FileFault && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
