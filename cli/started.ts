import { basename, relative } from 'node:path'
import { quoted } from '../reports/shell.ts'

const INSTALLED = /[\\/]node_modules[\\/](\.bin|assay)[\\/]/

/** How to start this program once more, as words for a shell in `cwd`. `path`: of the program, as it was started. */
export function programName(path: string, cwd: string): string {
  if (path === '' || INSTALLED.test(path)) return 'npx assay'
  if (/^assay(\.\w+)?$/.test(basename(path))) return 'assay'
  if (!/^main\.[jt]s$/.test(basename(path))) return 'npx assay'
  const short = relative(cwd, path)
  return `node ${quoted(short.startsWith('..') ? path : short)}`
}
