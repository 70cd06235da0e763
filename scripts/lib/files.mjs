import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files of the project that match, those not committed yet included. */
export function trackedFiles(root, patterns) {
  const found = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(found.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path))).sort()
}
