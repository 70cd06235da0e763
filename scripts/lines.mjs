// Fails where a room has more lines of a kind than its bound. Bounds only go down; where one rises, the commit says why.
// Counted are TypeScript of the program and of tests, JSON that people keep, style sheets, and scripts.
// Each requirement that the ledger has gained brings 60 lines, for whichever rooms need them.
// A bound far above its count fails as well: it goes down. `--show` prints the bounds that today's figures would give.
// Files that a program writes do not count.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trackedFiles } from './lib/files.mjs'

const KINDS = ['program', 'tests', 'json', 'styles', 'scripts']
/** Entries of the ledger when the bounds were set. */
const REQUIREMENTS = 469
const LINES_OF_A_REQUIREMENT = 60
/** A bound may be so much too high, so that not every change has to touch it. */
const SLACK = 150
/** room -> lines of each kind; a kind that is left out has none */
const BOUNDS = {
  bench: { program: 2_968, tests: 162, scripts: 1_107 },
  cli: { program: 3_802, tests: 13_355, scripts: 15 },
  engine: { program: 13_617, tests: 4_418 },
  examples: { json: 2_395, scripts: 1_072 },
  fixtures: { program: 11_823, tests: 7_405 },
  library: { program: 944, tests: 760 },
  prove: { program: 1_107, tests: 1_377 },
  proxy: { program: 3_426, tests: 2_567 },
  reference: { program: 6_532, tests: 2_093, json: 3_829 },
  reports: { program: 10_471, tests: 4_571, json: 18, styles: 2_641 },
  rules: { program: 11_568, tests: 8_562 },
  schemas: { program: 2_379, tests: 1_869, json: 15_615 },
  scripts: { json: 42, scripts: 2_164 },
  suites: { program: 11_266, tests: 3_540 },
}

const WRITTEN = /^(schemas\/(cases|strength)\.json|bench\/(growth|noted)\.json|fixtures\/recorded\/)/
const TEST = /\.test\.|(^|\/)_?testing(\/|\.ts)|^cli\/e2e\//
const root = dirname(dirname(fileURLToPath(import.meta.url)))

function kindOf(path) {
  if (/\.tsx?$/.test(path)) return TEST.test(path) ? 'tests' : 'program'
  return path.endsWith('.json') ? 'json' : path.endsWith('.css') ? 'styles' : 'scripts'
}

const read = (path) => readFileSync(join(root, path), 'utf8')
const { requirements } = JSON.parse(read('schemas/requirements.json'))
const counts = {}
for (const path of trackedFiles(root, ['*.ts', '*.tsx', '*.json', '*.css', '*.js', '*.mjs'])) {
  const room = path.split('/')[0]
  if (room === path || room.startsWith('.') || WRITTEN.test(path)) continue
  counts[room] ??= {}
  counts[room][kindOf(path)] = (counts[room][kindOf(path)] ?? 0) + read(path).split('\n').length - 1
}

const problems = []
const excess = []
for (const room of new Set([...Object.keys(counts), ...Object.keys(BOUNDS)])) {
  for (const kind of KINDS) {
    const [count, bound] = [counts[room]?.[kind] ?? 0, BOUNDS[room]?.[kind] ?? 0]
    if (count > bound) excess.push({ lines: count - bound, what: `${room}, ${kind}: ${count} lines, at most ${bound}` })
    if (count < bound - SLACK) problems.push(`${room}, ${kind}: ${count} lines; lower its bound from ${bound}`)
  }
}
const brought = (requirements.length - REQUIREMENTS) * LINES_OF_A_REQUIREMENT
if (excess.reduce((sum, { lines }) => sum + lines, 0) > brought) {
  problems.push(...excess.map(({ what }) => `${what}; remove some before you add`))
  if (brought > 0) problems.push(`new requirements bring ${brought} lines in all`)
}

if (process.argv.includes('--show')) {
  console.log(`REQUIREMENTS = ${requirements.length}`)
  for (const [room, kinds] of Object.entries(counts).sort()) {
    const figures = KINDS.flatMap((kind) => (kinds[kind] > 0 ? [`${kind}: ${kinds[kind]}`] : []))
    console.log(`  ${room}: { ${figures.join(', ')} },`)
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
