import { basename, relative } from 'node:path'
import { quoted } from '../reports/shell.ts'
/** Who asks for a job, as far as the job has to know. */
export interface Caller {
  /** the folder that relative paths are meant from */
  readonly cwd: string
  /** the variables that a configuration may name */
  readonly env: Readonly<Record<string, string | undefined>>
  /** how to start the program, as words for a shell in `cwd`: for the commands that messages and reports give */
  readonly program: string
}

const INSTALLED = /[\\/]node_modules[\\/](\.bin|assay)[\\/]/

/** How to start this program once more, as words for a shell in `cwd`. `path`: of the program, as it was started. */
export function programName(path: string, cwd: string): string {
  if (path === '' || INSTALLED.test(path)) return 'npx assay'
  if (/^assay(\.\w+)?$/.test(basename(path))) return 'assay'
  if (!/^main\.[jt]s$/.test(basename(path))) return 'npx assay'
  const short = relative(cwd, path)
  return `node ${quoted(short.startsWith('..') ? path : short)}`
}
