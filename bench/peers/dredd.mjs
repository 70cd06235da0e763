// Gives the same faults to Dredd, through the exported OpenAPI document as far as Dredd can read it. Needs a built assay
// (`npm run build`) and the registry of npm, from which Dredd comes into a folder of its own.
//
//   node bench/peers/dredd.mjs --sample 40 --seed 1
//
// Dredd sends the one request that the document shows for each operation and compares the answer with its schema. Each
// target has one thing of each kind, whose id stands in the document. A kill is an operation that fails and does not fail
// for the reference as it is.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { documentForDredd } from './dredd-document.mjs'
import { installPackages } from './install.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    dist: { type: 'string', default: join(root, 'dist') },
    folder: { type: 'string', default: join(root, 'node_modules', '.cache', 'assay-peers') },
    out: { type: 'string', default: join(here, 'dredd.md') },
  },
})
const dist = resolve(values.dist)
if (!existsSync(join(dist, 'cli', 'main.js'))) fail(`there is no built assay in ${dist}: npm run build`)
const load = (path) => import(pathToFileURL(join(dist, path)).href)
const { jobsOf } = await load('prove/job.js')
const { proveMutant } = await load('prove/prove-mutant.js')
const { allFaults } = await load('reference/faults/index.js')
const { overlayOf } = await load('reference/faults/core/fault.js')
const { startReference } = await load('reference/server.js')
const { openApiDocument } = await load('schemas/openapi/document.js')
const { resolveBinding, shippedBinding } = await load('schemas/binding.js')
const { fillPath } = await load('schemas/matcher.js')
const { at } = await load('schemas/pointer.js')
const { fillTemplate } = await load('schemas/template.js')
const { machine } = await load('bench/readme.js')

const { folder: npm, versions } = await installPackages(values.folder, ['dredd']).catch((thrown) =>
  fail(thrown.message),
)
const work = mkdtempSync(join(tmpdir(), 'assay-dredd-'))
const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: files.map(({ name }) => name), files })
const document = openApiDocument(binding)
const seed = Number(values.seed)

const clean = await tried(undefined)
const failing = new Set(clean.failed)
const all = clean.passed.length + clean.failed.length
console.log(`the reference: ${clean.failed.length} of ${all} operations fail`)

const selection = { only: [], seed, seeds: 1, mutantProfile: 'standard', variantProfile: 'quick' }
const jobs = jobsOf({ ...selection, mutants: true, variants: false, sample: Number(values.sample) || undefined })
const rows = []
for (const { name } of jobs) {
  const mutant = allFaults().find((one) => one.name === name)
  if (!mutant) continue
  const { failed, seconds } = await tried(overlayOf(mutant))
  const fresh = failed.filter((operation) => !failing.has(operation))
  const ours = await proveMutant(mutant, { seed, profile: 'standard' })
  rows.push({ name, about: mutant.about, fresh, seconds, ours })
  console.log(`${name}: assay ${ours.result}, Dredd ${fresh.length > 0 ? `noticed (${fresh[0]})` : 'nothing'}`)
}
writeFileSync(values.out, rendered())
console.log(`wrote ${values.out}`)
rmSync(work, { recursive: true, force: true })

/** The operations that pass and those that fail on one target. */
async function tried(overlay) {
  const started = performance.now()
  const server = await startReference({ overlays: overlay ? [overlay] : [], onFault: () => {} })
  try {
    const path = join(work, 'openapi.json')
    writeFileSync(path, JSON.stringify(documentForDredd(document, await things(server))))
    const text = await dredd(path, server)
    const of = (word) => [
      ...new Set(
        [...text.matchAll(new RegExp(`^${word}: ([A-Z]+ \\(\\d+\\) \\S+)`, 'gm'))].map(([, what]) =>
          // ids differ from target to target; 1 stands for what could not be made
          what.replace(/\?.*/, '').replaceAll(/\/(1|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g, '/…'),
        ),
      ),
    ]
    const outcome = { passed: of('pass'), failed: of('fail'), seconds: (performance.now() - started) / 1000 }
    if (outcome.passed.length + outcome.failed.length === 0) fail(`Dredd tried nothing: ${text.slice(-500)}`)
    return outcome
  } finally {
    await server.close()
  }
}

/** Makes one thing of each kind; what the document's parameters are called, and the ids. */
async function things({ url, credentials }) {
  const params = new Map()
  for (const [, { create, id, key = 'id', list }] of binding.resources) {
    const operation = binding.operations.get(create ?? '')
    if (!operation?.offered || operation.path === '') continue
    const template = operation.body ?? binding.answers.get('GAP-PRESET-BODY')?.value
    if (template === undefined) continue
    const known = Object.fromEntries(params)
    try {
      const body = fillTemplate(template, { ...known, label: `dredd ${id}`, email: 'dredd@example.com' })
      const made = await ask(url, credentials, operation, fillPath(operation.path, known), body)
      const told = at(made, operation.answer.id ?? '/-')
      const listed = binding.operations.get(list ?? '')
      const elements = told === undefined && listed ? await ask(url, credentials, listed, listed.path) : undefined
      const value = told ?? (Array.isArray(elements) ? elements.at(-1)?.[key] : undefined)
      if (typeof value === 'string') params.set(id, value)
    } catch {
      // a fault may keep it from being made
    }
  }
  return new Map([...params, ['component_id', params.get('pipeline_source_id') ?? '1']])
}

async function ask(url, credentials, { method, family }, path, body) {
  const headers = headersFor(credentials, family)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.ok ? response.json() : undefined
}

function headersFor({ accessToken, enterpriseServiceKey, ingestionKey }, family) {
  if (family === 'enterprise') return { 'enterprise-servicekey': enterpriseServiceKey }
  return family === 'ingestion' ? { apikey: ingestionKey } : { authorization: `Token ${accessToken}` }
}

function dredd(path, { url, credentials }) {
  const headers = [
    `Authorization: Token ${credentials.accessToken}`,
    `enterprise-servicekey: ${credentials.enterpriseServiceKey}`,
    `apikey: ${credentials.ingestionKey}`,
  ].flatMap((header) => ['--header', header])
  const program = join(npm, 'node_modules', 'dredd', 'bin', 'dredd')
  const words = [program, path, url, ...headers, '--sorted', '--loglevel', 'error', '--no-color']
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, words, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more) => {
        text += more
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      done(text)
    })
  })
}

function rendered() {
  const killed = rows.filter(({ ours }) => ['killed', 'withheld'].includes(ours.result)).length
  const noticed = rows.filter(({ fresh }) => fresh.length > 0)
  const share = (count) => `${count} (${rows.length === 0 ? 0 : Math.round((100 * count) / rows.length)} %)`
  const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
  return [
    '# The same faults, given to Dredd',
    '',
    '`node bench/peers/dredd.mjs` writes this page. [Dredd](https://dredd.org) sends the one request that an API description',
    'shows for each operation. It compares the response with the schema. It reads OpenAPI 3 only in part, and not 3.1 at all:',
    'given the document of `assay openapi` it stops before the first request. So `dredd-document.mjs` first translates the',
    'document to OpenAPI 3.0. That has one status a success, one type a schema, inlined references, no `const`, and an',
    'example for each parameter. One resource of each kind is made on every target, and its id is put into the document. A',
    'tester of one target would write hooks for this.',
    '',
    'The comparison is not one of equals: Dredd makes no invalid request, and keeps no history.',
    '',
    `${machine(join(root, 'bench'))}; Dredd ${versions.get('dredd')}, seed ${seed}`,
    '',
    `${rows.length} mutants, drawn out of ${allFaults().length}:`,
    '',
    '| tester | killed | seconds in the median |',
    '|---|---|---|',
    `| assay | ${share(killed)} | ${middle(rows.map(({ ours }) => ours.milliseconds / 1000)).toFixed(1)} |`,
    `| Dredd | ${share(noticed.length)} | ${middle(rows.map(({ seconds }) => seconds)).toFixed(1)} |`,
    '',
    `On the unchanged reference, ${clean.failed.length} of ${all} operations fail. Requests use the id of a resource that`,
    'an earlier one deleted. Examples do not fit existing resources. Responses have no body where the document leaves the',
    'status open. A fault is noticed only where none of these is in its way.',
    '',
    '| mutant | assay | Dredd |',
    '|---|---|---|',
    ...rows.map(
      ({ name, about, ours, fresh }) =>
        `| \`${name}\`: ${about.replaceAll('|', '\\|').replaceAll('<', '&lt;')} | ${ours.requirement || ours.result} after ${ours.requests} | ${fresh.length > 0 ? fresh.join(', ') : 'nothing'} |`,
    ),
    '',
  ].join('\n')
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
