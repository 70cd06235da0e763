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
const SLACK = 4_000
/** room -> lines of each kind; a kind that is left out has none */
const BOUNDS = {
  bench: { program: 3_500, tests: 750, scripts: 1_300 },
  cli: { program: 4_350, tests: 13_900, scripts: 200 },
  engine: { program: 14_300, tests: 5_000 },
  examples: { json: 2_800, scripts: 1_250 },
  fixtures: { program: 12_100, tests: 7_200 },
  library: { program: 1_450, tests: 1_400 },
  prove: { program: 1_650, tests: 2_000 },
  proxy: { program: 3_700, tests: 3_000 },
  reference: { program: 6_900, tests: 2_650, json: 4_200 },
  reports: { program: 10_850, tests: 5_150, json: 450, styles: 2_750 },
  rules: { program: 11_850, tests: 9_050 },
  schemas: { program: 2_600, tests: 2_450, json: 15_650 },
  scripts: { json: 450, scripts: 2_250 },
  suites: { program: 11_450, tests: 4_100 },
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
