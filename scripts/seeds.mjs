// Certifies the embedded target with many seeds, one after the other: a line each, and a summary. Fails where a seed
// has a finding, a warning or another verdict than conformant.
//   node scripts/seeds.mjs [--count 30] [--first 1] [--profile standard] [--dist dist] [--features pipelines,boards]
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    first: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'standard' },
    dist: { type: 'string', default: 'dist' },
    features: { type: 'string' },
  },
})
const main = join(resolve(root, values.dist), 'cli', 'main.js')
const count = Number(values.count)
const first = Number(values.first)
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(first) && first >= 0)) {
  console.error('error: --count takes a number of at least 1, --first one of at least 0')
  process.exit(2)
}

const bad = []
const seconds = []
const requests = []
for (let seed = first; seed < first + count; seed += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-seeds-'))
  try {
    const { code, stderr } = await certify(seed, folder)
    const report = readReport(folder)
    if (report === undefined) {
      bad.push(seed)
      console.log(`seed ${seed}: no report, exit code ${code}: ${stderr.trim().split('\n').at(-1)}`)
      continue
    }
    const of = (...wanted) => report.requirements.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id)
    const failed = of('fail', 'error')
    const warned = of('warn')
    const good = code === 0 && report.verdict === 'conformant' && failed.length + warned.length === 0
    if (!good) bad.push(seed)
    seconds.push(report.durationMs / 1000)
    requests.push(report.requests)
    const named = [...failed, ...warned.map((id) => `${id} (warning)`)].join(', ')
    const numbers = `${failed.length} findings  ${warned.length} warnings  ${report.requests} requests`
    const why = good ? '' : `  ${report.reason || named}`
    console.log(`seed ${seed}: ${report.verdict}  ${numbers}  ${(report.durationMs / 1000).toFixed(1)} s${why}`)
    if (named !== '') console.log(`  ${named}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const range = (numbers, digits) =>
  numbers.length === 0 ? 'none' : [Math.min, Math.max].map((of) => of(...numbers).toFixed(digits)).join(' to ')
const verdict = bad.length === 0 ? 'all conformant' : `not conformant: ${bad.join(', ')}`
console.log(`${count} seeds, ${verdict}; ${range(requests, 0)} requests, ${range(seconds, 1)} s each`)
process.exitCode = bad.length === 0 ? 0 : 1

function certify(seed, cwd) {
  const args = ['certify', '--embedded', '--profile', values.profile, '--seed', String(seed), '--out', cwd]
  if (values.features !== undefined) args.push('--features', ...values.features.split(','))
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ code, stderr }))
  })
}

function readReport(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  } catch {
    return undefined
  }
}
