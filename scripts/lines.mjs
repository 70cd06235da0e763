// Fails where a room has more lines than its bound, and where it has far fewer: then the bound goes down. Bounds only go
// down. Who must raise one says why beside it, in the same change. Counted are lines of TypeScript in git.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Raised once: for the walk and its faults (reference, engine, cli, prove), and for the table of the service (schemas).
// Suites and rules went down by more. Later by a few lines, for what keeps
// paths safe (schemas, engine, cli), and for targets with quotas, other users or late lines (suites).
// Then for shorter walks and for waiting at guards (suites), and for what a binding can say (schemas). The proxy passes raw
// UTF-8, and notices a recording that loses its folder. Reference, engine and fixtures went down by far more.
/** room -> lines of the program, and of its tests with their helpers */
const BOUNDS = {
  schemas: [2_418, 1_760],
  rules: [11_595, 8_590],
  fixtures: [12_338, 7_465],
  suites: [11_638, 3_409],
  proxy: [3_379, 2_468],
  reports: [11_051, 4_727],
  reference: [8_001, 2_475],
  prove: [1_228, 1_387],
  engine: [15_104, 3_984],
  cli: [4_290, 15_876],
  library: [976, 778],
  bench: [2_995, 174],
}
/** A bound may be so much too high, so that not every change has to touch it. */
const SLACK = 150
const TEST = /\.test\.|(^|\/)_?testing(\/|\.ts)|^cli\/e2e\//

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const listed = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).split('\0')
const problems = []
for (const [room, bounds] of Object.entries(BOUNDS)) {
  const counts = [0, 0]
  for (const path of listed.filter((one) => one.startsWith(`${room}/`) && existsSync(join(root, one)))) {
    counts[TEST.test(path) ? 1 : 0] += readFileSync(join(root, path), 'utf8').split('\n').length - 1
  }
  for (const [index, what] of ['program', 'tests'].entries()) {
    const [count, bound] = [counts[index], bounds[index]]
    if (count > bound) problems.push(`${room}, ${what}: ${count} lines, at most ${bound}; remove some before you add`)
    if (count < bound - SLACK) problems.push(`${room}, ${what}: ${count} lines; lower its bound from ${bound}`)
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
