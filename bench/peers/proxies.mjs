// Other proxies beside ours, with everything on, and beside bare http-proxy: the same load in alternating slices of one
// run. Needs a built assay (`npm run build`) with its benchmark, and Python 3.9 or later with its venv module for
// mitmproxy. The others come from npm and PyPI.
//
//   node bench/peers/proxies.mjs [--rounds 5] [--seconds 2] [--connections 16] [--dist FOLDER] [--out FILE]
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort, installPackages, installPython, startListening } from './install.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    dist: { type: 'string', default: join(root, 'dist') },
    folder: { type: 'string', default: join(root, 'node_modules', '.cache', 'assay-peers') },
    out: { type: 'string', default: join(here, 'proxies.md') },
    note: { type: 'string', default: '' },
  },
})
const dist = resolve(values.dist)
if (!existsSync(join(dist, 'bench', 'proxy', 'ours.js'))) fail(`there is no built assay in ${dist}: npm run build`)
const load = (path) => import(pathToFileURL(join(dist, path)).href)
const { startProgram } = await load('bench/proxy/servers.js')
const { inTurns, table } = await load('bench/proxy/slices.js')
const { machine } = await load('bench/readme.js')
const { markdownTable } = await load('bench/figures.js')
const { openApiDocument } = await load('schemas/openapi/document.js')
const { resolveBinding, shippedBinding } = await load('schemas/binding.js')

const packages = ['mockttp', 'talkback', '@stoplight/prism-cli']
const { folder: npm, versions } = await installPackages(values.folder, packages).catch((thrown) => fail(thrown.message))
const mitm = await installPython(values.folder, 'mitmproxy', 'mitmdump').catch((thrown) => fail(thrown.message))

const GET = '/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const work = mkdtempSync(join(tmpdir(), 'assay-peers-'))
const stops = []

try {
  const upstream = await startProgram('direct', 'upstream', [])
  stops.push(() => upstream.stop())
  const target = `http://127.0.0.1:${upstream.port}`
  const programs = await started(target)
  const connections = Number(values.connections)
  const warm = { path: GET, connections, seconds: 2 }
  for (const put of [false, true]) await inTurns(programs, 'bare', { ...warm, put }, 1)
  const measured = []
  for (const put of [false, true]) {
    const title = `${put ? 'PUT of 1 KB' : 'GET of 300 B'}, ${connections} connections`
    const load = { path: GET, connections, seconds: Number(values.seconds), put }
    const rows = await inTurns(programs, 'bare', load, Number(values.rounds))
    console.log(table(title, rows))
    measured.push({ title, rows })
  }
  writeFileSync(values.out, rendered(measured))
  console.log(`wrote ${values.out}`)
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(work, { recursive: true, force: true })
}

/** All proxies in front of the target; `DOES` says how each works. */
async function started(target) {
  const bare = await startProgram('bare', 'bare', [target])
  const ours = await startProgram('assay', 'ours', [target, 'judge', join(work, 'ours')])
  stops.push(
    () => bare.stop(),
    () => ours.stop(),
  )
  const document = join(work, 'openapi.json')
  const files = [shippedBinding('reference'), shippedBinding('default')]
  const binding = resolveBinding({ name: 'reference', chain: files.map(({ name }) => name), files })
  writeFileSync(document, JSON.stringify(openApiDocument(binding)))
  const node = (script, ...words) => [process.execPath, [join(here, 'programs', script), npm, ...words]]
  const prism = join(npm, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
  const others = [
    ['mockttp', (port) => node('mockttp.mjs', port, target, join(work, 'mockttp.ndjson'))],
    ['talkback', (port) => node('talkback.mjs', port, target, join(work, 'tapes'))],
    ['Prism', (port) => [process.execPath, [prism, 'proxy', document, target, '-p', port, '--verboseLevel', 'silent']]],
    [
      'mitmdump',
      (port) => [
        mitm.path,
        [
          '--quiet',
          '--mode',
          `reverse:${target}`,
          '--listen-port',
          port,
          '--listen-host',
          '127.0.0.1',
          '-w',
          join(work, 'flows'),
        ],
      ],
    ],
  ]
  const programs = [bare, ours]
  for (const [name, commandOf] of others) {
    const port = await freePort()
    const [command, words] = commandOf(String(port))
    const child = await startListening(command, words, port, { cwd: work })
    stops.push(() => new Promise((done) => child.once('exit', done) && child.kill('SIGKILL')))
    // Its output is not read any more, and must not stop it.
    for (const stream of [child.stdout, child.stderr]) stream.resume()
    programs.push({ name, port, cpu: () => 0 })
  }
  return programs
}

function rendered(measured) {
  const wanted = { mockttp: 4, talkback: 8, Prism: 15, mitmdump: 12 }
  const does = {
    bare: 'http-proxy with a keep-alive agent: forwards',
    assay: 'forwards, records without secrets, judges every exchange',
    mockttp: `${versions.get('mockttp')}: forwards, writes request and answer as a line of JSON`,
    talkback: `${versions.get('talkback')}: forwards, writes a tape a request (the same file for the same request)`,
    Prism: `${versions.get('@stoplight/prism-cli')}, \`prism proxy\`: forwards and validates by the document of \`assay openapi\`; records nothing`,
    mitmdump: `${mitm.version}: forwards, writes its flows; ${mitm.python}`,
  }
  const lines = [
    '# Other proxies',
    '',
    '`node bench/peers/proxies.mjs` writes this page. It installs the others from their registries into a folder of its own.',
    'It puts each in front of the same server, which answers from memory. Each gets the same load in turn, slice after slice.',
    'A share is the median of the rounds beside bare http-proxy.',
    '',
    `${machine(join(root, 'bench'))}`,
    '',
    ...(values.note === '' ? [] : [values.note, '']),
  ]
  for (const { title, rows } of measured) {
    const ours = rows.find(({ name }) => name === 'assay')
    lines.push(`## ${title}`, '')
    lines.push(
      markdownTable([
        ['proxy', 'requests a second', 'of bare', 'assay is', 'wanted', 'errors'],
        ...rows.map(({ name, perSecond, ratio, errors }) => [
          name,
          perSecond.toFixed(0),
          ratio.toFixed(3),
          name === 'assay' || name === 'bare' ? '' : `${(ours.ratio / ratio).toFixed(1)} times as fast`,
          wanted[name] === undefined ? '' : `${wanted[name]} times`,
          String(errors),
        ]),
      ]),
    )
  }
  lines.push(
    '## What each of them does here',
    '',
    ...Object.entries(does).map(([name, what]) => `- **${name}** ${what}`),
    '',
  )
  return lines.join('\n')
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
