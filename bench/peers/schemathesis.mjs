// Gives the same faults to Schemathesis, through the exported OpenAPI document, and compares what it notices with what
// assay notices. Needs a built assay (`npm run build`) and Python 3.9 or later with its venv module. Schemathesis comes
// from PyPI into a virtual environment of this script.
//
//   node bench/peers/schemathesis.mjs --sample 20 --seed 1
//
// A kill of Schemathesis is a failure that it does not report for the unchanged reference, with the same operations,
// settings and seed. What it reports for the reference, or for a variant that the specification allows, is a false
// alarm.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { operationsFor } from './operations.mjs'
import { rendered } from './render.mjs'
import { prepare, tryTarget } from './runner.mjs'
import { openRuns } from './runs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '20' },
    variants: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', multiple: true, default: [] },
    dist: { type: 'string', default: join(root, 'dist') },
    venv: { type: 'string', default: join(root, 'node_modules', '.cache', 'assay-peers') },
    out: { type: 'string', default: join(here, 'README.md') },
    state: { type: 'string' },
    minutes: { type: 'string', default: '1000' },
    note: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`node bench/peers/schemathesis.mjs [options]
  --sample N     mutants that are drawn (20); 0: all
  --only NAME    these mutants and variants instead; may be repeated
  --variants N   variants that are drawn (4)
  --seed N       seed of the draw and of both testers (1)
  --seconds N    most seconds for a target and a setting (20)
  --dist FOLDER  the compiled assay
  --venv FOLDER  where the virtual environment is made
  --out FILE     where the table is written
  --state FILE   where what is known is kept, so that a run goes on where one broke off
  --minutes N    begin nothing more after so many minutes
  --note TEXT    what a reader has to know about this run`)
  process.exit(0)
}

const seed = Number(values.seed)
const seconds = Number(values.seconds)
const dist = resolve(values.dist)
if (!existsSync(join(dist, 'cli', 'main.js'))) fail(`there is no built assay in ${dist}: npm run build`)
const load = (path) => import(pathToFileURL(join(dist, path)).href)
const [{ jobsOf }, { proveMutant }, { allFaults }, { allVariants }, { overlayOf }, { overlayOfVariant }] =
  await Promise.all([
    load('prove/job.js'),
    load('prove/prove-mutant.js'),
    load('reference/faults/index.js'),
    load('reference/variants/index.js'),
    load('reference/faults/core/fault.js'),
    load('reference/variants/core/variant.js'),
  ])
const { startReference } = await load('reference/server.js')
const { openApiDocument } = await load('schemas/openapi/document.js')
const { resolveBinding, shippedBinding } = await load('schemas/binding.js')
const { ledger } = await load('schemas/ledger.js')

const peer = await prepare(values.venv).catch((thrown) => fail(thrown.message))
console.log(`Schemathesis ${peer.version}, ${peer.python}`)

/** The two settings: as it comes, and everything that it can be asked for within the time. */
const SETTINGS = [
  { name: 'default', args: [], seconds: seconds * 3 },
  {
    name: 'thorough',
    args: [
      ...['--checks', 'all', '--mode', 'all', '--max-examples', '400', '--continue-on-failure'],
      ...['--max-time', String(seconds * 3)],
    ],
    seconds: seconds * 4,
  },
]

const folder = mkdtempSync(join(tmpdir(), 'assay-peers-'))
const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: files.map(({ name }) => name), files })
const document = openApiDocument(binding)
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))

const selection = { only: values.only, seed, seeds: 1, mutantProfile: 'standard', variantProfile: 'quick' }
const drawn = (kind, count) =>
  jobsOf({ ...selection, mutants: kind === 'mutant', variants: kind === 'variant', sample: count || undefined }).map(
    ({ name }) => name,
  )

const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex')
const runs = openRuns(values.state, `${peer.version} ${seconds} ${digest}`)
const until = performance.now() + Number(values.minutes) * 60_000

class TimeIsOver extends Error {}

/** What is reported for one target; known runs are not done again. @throws TimeIsOver for one that is not known then */
async function tried(target, overlay, setting, operations, withSeed = seed) {
  const key = `${target} | ${setting.name} | ${withSeed} | ${operations.join(' ')}`
  const known = runs.get(key)
  if (known) return known
  if (target !== '' && performance.now() > until) throw new TimeIsOver()
  const server = await startReference({ overlays: overlay ? [overlay] : [], onFault: () => {} })
  try {
    const outcome = await tryTarget({ peer, folder, reference: server, setting, operations, seed: withSeed })
    runs.add(key, outcome)
    return outcome
  } finally {
    await server.close()
  }
}

/** What is reported for the reference itself. Two seeds: what it reports now and then proves nothing about a fault. */
async function cleanKeys(setting, operations) {
  const outcomes = await Promise.all([seed, seed + 1].map((one) => tried('', undefined, setting, operations, one)))
  return new Set(outcomes.flatMap(({ failures }) => failures.map(([key]) => key)))
}

/** What is reported for a target and not for the reference; undefined where there was no time for it. */
async function compared(target, overlay, operations) {
  try {
    return await freshOf(target, overlay, operations)
  } catch (thrown) {
    if (thrown instanceof TimeIsOver) return undefined
    throw thrown
  }
}

async function freshOf(target, overlay, operations) {
  // Both settings at once: each keeps about one processor busy.
  const outcomes = await Promise.all(SETTINGS.map((setting) => tried(target, overlay, setting, operations)))
  const peers = {}
  for (const [index, setting] of SETTINGS.entries()) {
    const outcome = outcomes[index]
    const clean = outcome.failures.length === 0 ? new Set() : await cleanKeys(setting, operations)
    peers[setting.name] = { ...outcome, fresh: outcome.failures.filter(([key]) => !clean.has(key)) }
  }
  return peers
}

const specified = [...binding.operations.values()].filter((one) => one.specified).map(({ id }) => id)
const about = [...ledger().values()].filter(({ operations }) => operations.some((id) => specified.includes(id)))
const makers = operationsFor(
  about.filter(({ level }) => level !== 'open').map(({ id }) => id),
  ledger(),
  binding,
)
const reference = {}
for (const setting of SETTINGS) {
  reference[setting.name] = await tried('', undefined, setting, makers)
  console.log(`the reference, ${setting.name}: ${reference[setting.name].failures.length} failures`)
}

const mutants = []
for (const name of drawn('mutant', Number(values.sample))) {
  const mutant = allFaults().find((one) => one.name === name)
  if (!mutant) continue
  const operations = operationsFor(mutant.kills, ledger(), binding)
  const peers = await compared(name, overlayOf(mutant), operations)
  if (!peers) continue
  const ours = await proveMutant(mutant, { seed, profile: 'standard' })
  mutants.push({ name, about: mutant.about, ours, peers })
  const words = SETTINGS.map(
    (setting) => `${setting.name} ${peers[setting.name].fresh.length > 0 ? 'noticed' : 'nothing'}`,
  )
  console.log(`${name}: assay ${ours.result}, ${words.join(', ')}`)
}

const variants = []
for (const name of drawn('variant', Number(values.variants))) {
  const variant = allVariants.find((one) => one.name === name)
  if (!variant) continue
  const peers = await compared(name, overlayOfVariant(variant), makers)
  if (!peers) continue
  variants.push({ name, about: variant.about, peers })
  console.log(
    `${name}: ${SETTINGS.map((one) => `${one.name} ${peers[one.name].fresh.length}`).join(', ')} more failures`,
  )
}
rmSync(folder, { recursive: true, force: true })

const settings = SETTINGS.map(({ name }) => name)
const figures = {
  note: values.note,
  peer,
  seed,
  seconds,
  settings,
  mutants,
  reference,
  variants,
  all: allFaults().length,
}
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, rendered(figures))
console.log(`wrote ${values.out}`)
if (performance.now() > until) console.log('the time is over; the same command with the same --state goes on')

function fail(message) {
  console.error(message)
  process.exit(2)
}
