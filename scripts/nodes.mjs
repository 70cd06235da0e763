// Runs `npm test` on every Node that has to do, one after the other; fails where one fails.
//   node scripts/nodes.mjs [--node 20,22,24,26] [--script test]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { environmentOf, MAJORS, majorsOf, nodeFolder, versionIn } from './lib/nodes.mjs'

const { values } = parseArgs({
  options: { node: { type: 'string', default: MAJORS.join(',') }, script: { type: 'string', default: 'test' } },
})
const root = dirname(dirname(fileURLToPath(import.meta.url)))
if (!existsSync(join(root, 'node_modules'))) {
  console.log('node_modules is missing: npm ci')
  const { status } = spawnSync('npm', ['ci'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const failed = []
for (const major of majorsOf(values.node)) {
  const folder = nodeFolder(major)
  const version = versionIn(folder)
  console.log(`\n── npm run ${values.script} on Node ${version}`)
  const started = Date.now()
  const { status } = spawnSync('npm', ['run', values.script], {
    cwd: root,
    stdio: 'inherit',
    env: environmentOf(folder),
  })
  console.log(
    `── Node ${version}: ${status === 0 ? 'passed' : 'failed'} in ${Math.round((Date.now() - started) / 1000)} s`,
  )
  if (status !== 0) failed.push(version)
}
console.log(failed.length === 0 ? '\nall passed' : `\nfailed on ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
