// Collects evidence by which two programs can be compared (scripts/compare-rules.mjs): runs, recordings and HAR files of
// good and faulty targets, below one folder. Each piece is a folder with `piece.json`, which says what `assay check` is
// to judge and how. Existing pieces are left alone. Takes about ten minutes; needs a built package.
//   node scripts/collect-evidence.mjs <folder> [--dist dist] [--only faults,proxy] [--faults 200] [--variants 30]
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { endAll, front, start } from './lib/targets.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: join(root, 'dist') },
    only: { type: 'string' },
    faults: { type: 'string', default: '200' },
    variants: { type: 'string', default: '30' },
  },
})
if (positionals.length !== 1) {
  console.error('error: name one folder for the evidence')
  process.exit(2)
}
const folder = resolve(positionals[0])
const dist = resolve(values.dist)
const main = join(dist, 'cli', 'main.js')
const { generator } = await import(join(dist, 'reference', 'variants', 'core', 'variant.js'))
const CONSENT = { modifyTarget: true, exclusions: true }
const WHOLE_CONSENT = { ...CONSENT, suspend: true, archiving: true, allowOwnerDeletion: true }
/** pipelines that four of the clients of the recording share */
const shares = []

/** Groups in their order: later ones take the pieces of earlier ones. */
const GROUPS = { embedded, second, flaky, broken, proxy, middle, har, faults, variants }
const wanted = values.only?.split(',') ?? Object.keys(GROUPS)
try {
  for (const name of wanted) {
    const collect = GROUPS[name]
    if (collect === undefined) throw new Error(`there is no group ${name}; choose ${Object.keys(GROUPS).join(', ')}`)
    const started = performance.now()
    const problems = await collect()
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${name}: ${seconds} s${problems === undefined ? '' : `, ${problems}`}`)
  }
} finally {
  endAll()
}

/** Makes one piece, unless it is there. `make` writes into a folder and returns pieces by name: what is judged, and how. */
async function piece(name, make) {
  const path = join(folder, name)
  if (existsSync(path)) return
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  // `ways`: options of `assay check` for each time that it is judged; `path`: what is judged, in the folder
  const { path: judged, ways = [[]] } = await make(unfinished)
  writeFileSync(join(unfinished, 'piece.json'), `${JSON.stringify({ path: judged, ways }, null, 2)}\n`)
  renameSync(unfinished, path)
}

async function embedded() {
  await piece('quick', (out) => certify(out, ['--embedded', '--profile', 'quick', '--seed', '1']))
  for (const seed of [1, 2, 3]) {
    await piece(`embedded/${seed}`, (out) => certify(out, ['--embedded', '--seed', String(seed)]))
  }
}

async function second() {
  const example = join(dist, '..', 'examples', 'second-server')
  for (const [index, seed] of [1, 2, 3].entries()) {
    await piece(`second/${seed}`, async (out) => {
      const port = 18_200 + index
      const server = await start([join(example, 'server.mjs')], /listens on (\S+),/, { PORT: String(port) })
      try {
        const config = join(example, 'assay.config.json')
        return await certify(out, [`http://127.0.0.1:${port}`, '--config', config, '--seed', String(seed)])
      } finally {
        await server.stop('SIGTERM')
      }
    })
  }
}

/** A tenth of all requests is answered with 5xx; of half of them the target never hears. */
async function flaky() {
  const random = generator(11)
  const trouble = () => {
    if (random() >= 0.1) return undefined
    const status = [500, 502, 503, 504][Math.floor(random() * 4)]
    return { status, type: 'application/json', text: '{"error":"a bad day","status":"error"}', done: random() < 0.5 }
  }
  for (const seed of [1, 2]) await behindFront(`flaky/${seed}`, seed, trouble)
}

/** Requests with a body are answered by something else than the target. */
async function broken() {
  const hasBody = ({ headers }) =>
    Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  const error = JSON.stringify({ error: 'it does not work', code: 'Broken', status: 'error' })
  const answers = {
    500: { status: 500, type: 'application/json', text: error },
    404: { status: 404, type: 'application/json', text: error },
    empty: { status: 200, text: '' },
  }
  for (const [name, answer] of Object.entries(answers)) {
    await behindFront(`broken/${name}`, 7, (incoming) => (hasBody(incoming) ? answer : undefined))
  }
}

async function behindFront(name, seed, answerOf) {
  await piece(name, async (out) => {
    const target = await serve()
    const server = createServer(front(target.url, answerOf))
    await new Promise((done) => server.listen(0, '127.0.0.1', done))
    try {
      const config = configOf(out, target, `http://127.0.0.1:${server.address().port}`, WHOLE_CONSENT)
      const made = await certify(out, ['--config', config, '--profile', 'quick', '--seed', String(seed)])
      rmSync(config)
      return made
    } finally {
      server.closeAllConnections()
      server.close()
      await target.stop('SIGTERM')
    }
  })
}

/** 32 clients at once: four runs with four connections each, and sixteen that share some pipelines. */
async function proxy() {
  await piece('proxy/whole', async (out) => {
    const target = await serve()
    const recording = join(out, 'recording')
    const words = ['record', '--target', target.url, '--listen', '127.0.0.1:0', '--binding', 'reference']
    const recorder = await start([main, ...words, '--out', recording], /Recording on (http:\/\/\S+?),/)
    const url = recorder.said[1]
    try {
      let over = false
      const clients = Array.from({ length: 16 }, (_, index) => client(url, target.credentials, index, () => over))
      const runs = [1, 2, 3, 4].map(async (seed) => {
        const own = join(out, `run-${seed}`)
        mkdirSync(own)
        const config = configOf(own, target, url, seed === 1 ? WHOLE_CONSENT : CONSENT)
        const options = ['--profile', 'quick', '--seed', String(seed), '--concurrency', '4', '--config', config]
        await certify(own, options)
        rmSync(own, { recursive: true })
      })
      await Promise.all(runs)
      over = true
      await Promise.all(clients)
    } finally {
      await recorder.stop('SIGINT')
      await target.stop('SIGTERM')
    }
    return {
      path: 'recording',
      ways: [[], ['--alone']],
    }
  })
}

/** One of sixteen clients: it makes, reads, changes and removes what is its own, and some of what four of them share. */
async function client(url, { accessToken }, index, isOver) {
  const random = generator(100 + index)
  const headers = { authorization: `Token ${accessToken}`, 'content-type': 'application/json' }
  const send = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    try {
      return JSON.parse(text)?.data
    } catch {
      return undefined
    }
  }
  const common = { description: 'of one client', deploy_type: 'saas' }
  shares[index % 4] ??= send('POST', '/v3/pipeline', { ...common, title: `shared ${index % 4}` })
  const shared = shares[index % 4]
  // On a slow machine the runs take long, and the recording is no better for being larger.
  for (let turn = 0; turn < 60 && !isOver(); turn += 1) {
    const pipeline =
      random() < 0.5 ? await shared : await send('POST', '/v3/pipeline', { ...common, title: `client ${index}` })
    const path = `/v3/pipeline/${pipeline?.id}`
    const node = { ...common, title: `of ${index}`, user_config: { rate: 100 }, inputs: [] }
    const made = await send('POST', `${path}/transform`, { ...node, type: 'sample' })
    const own = `${path}/transform/${made?.id}`
    let generation = made?.generation_id ?? 0
    for (let round = 0; round < 6; round += 1) {
      const kind = random()
      if (kind < 0.3) await send('GET', own)
      else if (kind < 0.5) await send('GET', path)
      else if (kind < 0.6) await send('GET', '/v1/config/view')
      else if (kind < 0.7) await send('PUT', own, { ...node, title: 'x'.repeat(600), generation_id: generation })
      else {
        const rate = Math.ceil(random() * 100)
        const changed = await send('PUT', own, { ...node, user_config: { rate }, generation_id: generation })
        generation = changed?.generation_id ?? generation
      }
    }
    if (random() < 0.7) await send('DELETE', own)
    if (random() < 0.3) await send('GET', own)
    if (pipeline?.id !== (await shared)?.id && random() < 0.7) await send('DELETE', path)
    await new Promise((done) => setTimeout(done, 500 * random()))
  }
}

/** The same recording without its first two fifths: whatever was made there is used without being known. */
async function middle() {
  await piece('proxy/middle', async (out) => {
    const whole = join(folder, 'proxy', 'whole', 'recording')
    const recording = join(out, 'recording')
    cpSync(whole, recording, { recursive: true })
    const segments = readdirSync(recording).filter((name) => /^exchanges-.*\.ndjson(\.gz)?$/.test(name))
    const read = (name) => {
      const bytes = readFileSync(join(recording, name))
      const lines = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
      const isEnd = (line) => line === '' || line.startsWith('{"end":')
      return { header: lines[0], exchanges: lines.slice(1).filter((line) => !isEnd(line)) }
    }
    const all = segments.sort().map((name) => ({ name, ...read(name) }))
    let left = Math.round(0.4 * all.reduce((sum, { exchanges }) => sum + exchanges.length, 0))
    for (const { name, header, exchanges } of all) {
      const kept = exchanges.slice(left)
      left = Math.max(0, left - exchanges.length)
      if (kept.length === 0) {
        rmSync(join(recording, name))
        continue
      }
      const text = `${[header, ...kept, JSON.stringify({ end: { exchanges: kept.length, lost: 0 } })].join('\n')}\n`
      writeFileSync(join(recording, name), name.endsWith('.gz') ? gzipSync(text) : text)
    }
    return {
      path: 'recording',
      ways: [[], ['--alone']],
    }
  })
}

async function har() {
  const sources = { run: join(folder, 'quick', 'evidence'), proxy: join(folder, 'proxy', 'whole', 'recording') }
  for (const [name, source] of Object.entries(sources)) {
    await piece(`har/${name}`, async (out) => {
      await assay(['fixtures', 'export', source, '--out', join(out, 'session.har')])
      const binding = ['--binding', 'reference']
      return { path: 'session.har', ways: [name === 'run' ? [...binding, '--alone'] : binding] }
    })
  }
}

async function faults() {
  const { allFaults } = await load('reference/faults/index.js')
  const { overlayOf } = await load('reference/faults/core/fault.js')
  const { ledger } = await load('schemas/ledger.js')
  const { allCases } = await load('suites/cases/index.js')
  // Most faults are made by rule: beside some of all, one for each requirement that none of them is about.
  const all = [...allFaults()].sort(byName)
  const some = spread(all, Number(values.faults))
  const about = new Map([...all, ...some].map((fault) => [fault.kills[0], fault]))
  const chosen = [...new Set([...some, ...about.values()])]
  let unseen = 0
  await eachOf(chosen, 4, (fault) =>
    piece(`faults/${fault.name}`, async (out) => {
      const { kills } = fault
      const citing = allCases().filter(({ requirements }) => requirements.some((id) => kills.includes(id)))
      const operations = new Set(kills.flatMap((id) => ledger().get(id)?.operations ?? []))
      const near = allCases().filter((one) => operations.has(one.operation))
      const base = { overlay: overlayOf(fault), seed: 1, profile: 'standard' }
      let trial = await keepTrial(out, { ...base, cases: citing, concurrency: 1, only: kills })
      const isSeen = () => trial.broken.some(({ requirement }) => kills.includes(requirement))
      // Some faults show beside other cases only, as `assay prove` tries them next.
      if (!isSeen() && !fault.withheld) trial = await keepTrial(out, { ...base, cases: near, concurrency: 8 })
      if (!isSeen() && !fault.withheld) unseen += 1
      return { path: 'evidence' }
    }),
  )
  return `${chosen.length} faults, ${unseen} not noticed`
}

async function variants() {
  const { allVariants } = await load('reference/variants/index.js')
  const { overlayOfVariant } = await load('reference/variants/core/variant.js')
  const { allCases } = await load('suites/cases/index.js')
  const chosen = spread([...allVariants].sort(byName), Number(values.variants))
  let blamed = 0
  await eachOf(chosen, 2, (variant) =>
    piece(`variants/${variant.name}`, async (out) => {
      const { newId, binding, settleTimeout, enterprise } = variant
      const trial = await keepTrial(out, {
        overlay: overlayOfVariant(variant),
        seed: 1,
        profile: 'quick',
        ...(newId ? { newId: newId() } : {}),
        ...(binding ? { binding: binding() } : {}),
        ...(settleTimeout === undefined ? {} : { settleTimeout }),
        ...(enterprise === undefined ? {} : { enterprise }),
        cases: allCases(),
        concurrency: 16,
      })
      if (trial.broken.length > 0) blamed += 1
      return { path: 'evidence' }
    }),
  )
  return `${chosen.length} variants, ${blamed} blamed`
}

/** Runs cases as `assay prove` does, and writes what they leave in the form of a run's evidence. */
async function keepTrial(out, options) {
  const { runTrial } = await load('prove/trial.js')
  const { openSegment } = await load('fixtures/segments/write.js')
  const { shippedBinding } = await load('schemas/binding.js')
  const trial = await runTrial({ ...options, enough: () => false })
  const evidence = join(out, 'evidence')
  rmSync(evidence, { recursive: true, force: true })
  for (const [kind, records] of [
    ['exchanges', trial.exchanges.values()],
    ['cases', trial.records],
  ]) {
    const segment = openSegment(evidence, kind, '0')
    for (const record of records) segment.append(record)
    segment.close()
  }
  const files = [...(options.binding ? [options.binding] : []), shippedBinding('reference'), shippedBinding('default')]
  const facts = {
    ...JSON.parse(readFileSync(join(folder, 'quick', 'evidence', 'run.json'), 'utf8')),
    binding: { name: files[0].name, chain: files.map(({ name }) => name), files },
    settleMs: options.settleTimeout ?? 0,
    seed: options.seed,
    profile: options.profile,
    expected: trial.records.map((record) => record.case),
  }
  writeFileSync(join(evidence, 'run.json'), JSON.stringify(facts))
  return trial
}

/** So many of a list, at even distances. */
function spread(list, count) {
  if (count >= list.length) return list
  return Array.from({ length: count }, (_, index) => list[Math.floor((index * list.length) / count)])
}

async function eachOf(list, lanes, work) {
  const waiting = [...list]
  const lane = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** The choice does not depend on the order in which faults and variants are listed. */
function byName(a, b) {
  return a.name < b.name ? -1 : 1
}

function load(path) {
  return import(pathToFileURL(join(dist, path)).href)
}

/** Certifies something, and keeps the evidence. */
async function certify(out, words) {
  await assay(['certify', ...words, '--out', join(out, 'report')], [0, 1, 4, 5])
  renameSync(join(out, 'report', 'evidence'), join(out, 'evidence'))
  rmSync(join(out, 'report'), { recursive: true })
  return { path: 'evidence' }
}

async function assay(words, codes = [0]) {
  try {
    await promisify(execFile)(process.execPath, [main, ...words], { maxBuffer: 1 << 28 })
  } catch (error) {
    if (!codes.includes(error.code)) throw error
  }
}

async function serve() {
  const { said, stop } = await start([main, 'serve', '--json'], /^(\{.*\})$/m)
  return { ...JSON.parse(said[1]), stop }
}

function configOf(out, { credentials, resources }, baseUrl, consent) {
  const path = join(out, 'assay.config.json')
  const config = { name: 'served', baseUrl, credentials, resources, binding: 'reference', consent, timeout: 5_000 }
  writeFileSync(path, JSON.stringify(config))
  return path
}
