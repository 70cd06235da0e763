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
// Reports say how far the pace of a run was lowered. Tests of suites, engine and prove hold what whole runs of cli held before.
// Tests of rules, suites and schemas hold secrets of keys, hosts of exclusion rules, the patience and the clock of a run.
// Bindings are learned from targets that are functions, and not only in whole runs (engine).
// A replay carries what a proxy recorded of a run, and a distilled walk keeps the histories of its things (fixtures).
// Tests of fixtures and proxy try that nothing remembered holds a body, and where in an address secrets stand.
// Walks take in turn what chance left out, and look again once nothing comes late; refusals of guards are told from others
// (suites). That a wait for a connection is no time of a tap is tried through `check` (tests of cli). Consequences of a
// fault are listed (tests of prove).
// A change that got no response casts doubt on what it bears on, also later, and no longer on its whole case (rules).
// Bindings learn more from servers that others wrote: hosts and tags in lines, transforms in revisions, values that refusals
// list, tokens beside enterprise keys (engine). Cleanup takes parents before what their children use (suites). Numbers may
// be ids of several kinds of things (rules, schemas). Faults and variants share wrappers, and what tests alone use stands
// with them (tests of schemas and reference). All rooms but schemas went down since, most by hundreds of lines.
// Days are asked about around now, and a target with old reads is told how long a run has to wait (suites).
// The check of all specimens moved to the tests (schemas). A target on a bad day is built, for the tests of cli and the
// evidence of the documents use it (reference). Bindings say which wrapper and which other things a body needs, without
// circles (schemas), and taps say so where events name no edge (suites). Each of these has a test that was red (prove, cli).
// How old reads are is measured with a thing too, and tried (tests of suites and engine). Tests that broken code did not turn
// red were made stronger (all rooms).
// Shares of a past day are judged, and what asks twice judges itself when a change was lost (rules, and faults of it in
// reference). Refusals of more frameworks and three states of ingestion are tried (tests of engine and rules). Suites,
// engine and their tests went down by far more. Pages of a list are one list (rules). Dropped lines count in no report
// (rules, suites, and faults of it in reference). Their tests, those of names in the evidence and those of a binding that
// is there already are fewer than those that went (engine).
/** room -> lines of the program, and of its tests with their helpers */
const BOUNDS = {
  schemas: [2_100, 1_830],
  rules: [11_314, 8_413],
  fixtures: [11_555, 6_616],
  suites: [10_933, 3_484],
  proxy: [3_195, 2_425],
  reports: [10_310, 4_550],
  reference: [6_352, 2_055],
  prove: [1_107, 1_396],
  engine: [13_771, 4_366],
  cli: [3_820, 13_305],
  library: [936, 760],
  bench: [2_964, 155],
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
