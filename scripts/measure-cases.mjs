// Measures the cases and writes schemas/cases.json. It says how many requests each sends: by these --shard splits a run evenly,
// and a run says how long it takes. It says what each is about: by this --only chooses. Certifies the embedded target in each
// profile, and judges the evidence of the standard one, with one case after the other.
// A case is about a requirement that its requests name, or that was judged at its own operation. Where no case is, all
// are about it in which it was judged, but for those that only observe. A walk is about all that it shows of things, too.
// Takes two minutes; needs a built package.
//   node scripts/measure-cases.mjs [--dist dist]
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { dist: { type: 'string', default: 'dist' } } })
const dist = resolve(root, values.dist)
const load = (path) => import(pathToFileURL(join(dist, path)))
const modules = ['suites/cases/index', 'engine/judge/judge', 'rules/oracle']
const tables = ['schemas/ledger', 'schemas/binding', 'schemas/service']
const [{ allCases }, { evidenceIn }, { createOracle }, { ledger }, { resolveBinding }, { service }] = await Promise.all(
  [...modules, ...tables].map((path) => load(`${path}.js`)),
)
const ofThings = new Set([
  ...service().resources.flatMap(({ relations = {} }) => Object.values(relations)),
  ...service().operations.flatMap(({ stored, reaches }) => [stored, reaches]),
])
/** Something was seen of the requirement. */
const SEEN = new Set(['held', 'broken', 'failed', 'observed'])

const file = join(root, 'schemas', 'cases.json')
const known = JSON.parse(readFileSync(file, 'utf8'))
const out = mkdtempSync(join(tmpdir(), 'assay-cases-'))
try {
  const folder = evidenceOf('standard')
  const cases = new Map(allCases().map((one) => [one.id, one]))
  const about = collector()
  const judged = collector()
  const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
  const judge = createOracle({ ...run, binding: resolveBinding(run.binding) }).createJudge()
  const note = (judgements) => {
    for (const { outcome, caseId, requirement } of judgements) {
      if (!SEEN.has(outcome) || !cases.has(caseId)) continue
      judged.add(caseId, requirement)
      if (ledger().get(requirement)?.operations.includes(cases.get(caseId).operation)) about.add(caseId, requirement)
    }
  }
  for await (const exchange of evidenceIn(folder).exchanges()) {
    const named = exchange._intent?.requirement
    if (named !== undefined) about.add(exchange._case, named)
    note(judge.judge(exchange).judgements)
  }
  note(judge.end())
  const chosen = new Set(about.pairs().map(([, requirement]) => requirement))
  const isStated = (requirement) => ledger().get(requirement)?.level !== 'open'
  for (const [id, requirement] of judged.pairs()) {
    const isWalked = cases.get(id).looksLast === true && ofThings.has(requirement)
    if (isWalked || (!chosen.has(requirement) && about.of(id).some(isStated))) about.add(id, requirement)
  }
  const sent = []
  for (const profile of ['quick', 'standard', 'thorough']) {
    const counts = new Map()
    const evidence = evidenceIn(profile === 'standard' ? folder : evidenceOf(profile))
    for await (const { case: id, state, requests } of evidence.cases()) {
      if (state !== 'done') throw new Error(`${id} was not run to its end`)
      counts.set(id, requests)
    }
    sent.push(counts)
  }
  // What sends about as many as before keeps its figure: a change of the file shows what changed.
  const figure = (count, before = 0) => (Math.abs(count - before) <= Math.max(2, before / 20) ? before : count)
  const rows = [...sent[1].keys()].map((id) => {
    const requests = sent.map((counts, profile) => figure(counts.get(id) ?? 0, known[id]?.requests?.[profile]))
    return [id, { requests, requirements: about.of(id) }]
  })
  rows.sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
  execFileSync('npx', ['biome', 'format', '--write', file], { cwd: root, stdio: 'inherit' })
  copyFileSync(file, join(dist, 'schemas', 'cases.json'))
  console.log(`${rows.length} cases, about ${about.pairs().length} requirements in all`)
} finally {
  rmSync(out, { recursive: true, force: true })
}

/** The evidence of a run. One walk is like the other. */
function evidenceOf(profile) {
  const folder = join(out, profile)
  const once = profile === 'standard' ? ['--concurrency', '1'] : []
  const command = ['certify', '--embedded', '--seed', '1', '--profile', profile, '--walks', '3', ...once]
  const args = [join(dist, 'cli', 'main.js'), ...command, '--late-look', '1', '--out', folder]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  // A reference that breaks something, such as what it is not taught yet, is measured as well.
  if (status !== 0 && status !== 1) throw new Error(`the run ended with ${status}: cases cannot be measured`)
  return join(folder, 'evidence')
}

/** Requirements by case. */
function collector() {
  const found = new Map()
  return {
    add: (id, requirement) => found.set(id, (found.get(id) ?? new Set()).add(requirement)),
    of: (id) => [...(found.get(id) ?? [])].sort(),
    pairs: () => [...found].flatMap(([id, requirements]) => [...requirements].map((one) => [id, one])),
  }
}
