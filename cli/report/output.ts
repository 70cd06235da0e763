import { resolve } from 'node:path'
import { writeFileWhole } from '../../reports/write.ts'
import type { Io } from '../io.ts'

/** Prints text, or writes it into the file that `out` names and says so beside it. @throws ReportWriteError */
export async function deliver(text: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) {
    io.stdout.write(text)
    return
  }
  const path = resolve(io.cwd, out)
  await writeFileWhole(path, text)
  io.stderr.write(`wrote ${path}\n`)
}
