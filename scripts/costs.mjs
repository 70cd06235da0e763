// Measures what each case costs and writes schemas/costs.json, by which --shard splits a run evenly: certifies the embedded
// target with one case after the other. Takes about half a minute; needs a built package.
//   node scripts/costs.mjs [--dist dist] [--evidence folder]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { dist: { type: 'string', default: 'dist' }, evidence: { type: 'string' } } })
const out = mkdtempSync(join(tmpdir(), 'assay-costs-'))
try {
  if (values.evidence === undefined) {
    const main = join(resolve(root, values.dist), 'cli', 'main.js')
    execFileSync(process.execPath, [main, 'certify', '--embedded', '--seed', '1', '--concurrency', '1', '--out', out], {
      stdio: 'inherit',
    })
  }
  const folder = values.evidence ?? join(out, 'evidence')
  const records = readdirSync(folder)
    .filter((name) => name.startsWith('cases-'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(1))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ state }) => state === 'done')
    .sort((a, b) => (a.case < b.case ? -1 : 1))
  const costs = records.map(({ case: id, durationMs }) => [id, Math.max(1, Math.round(durationMs))])
  writeFileSync(join(root, 'schemas', 'costs.json'), `${JSON.stringify(Object.fromEntries(costs), null, 2)}\n`)
  console.log(
    `${costs.length} cases, ${Math.round(records.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000)} s`,
  )
} finally {
  rmSync(out, { recursive: true, force: true })
}
