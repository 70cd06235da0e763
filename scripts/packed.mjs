// Packs assay and installs the package into empty projects whose path has a space. Uses each verb and each library
// entry there, with npm and pnpm, on every supported Node. Also: what publint and arethetypeswrong say of the package,
// and its size. Fails where anything fails.
//   node scripts/packed.mjs [--node 20,22,24,26] [--manager npm,pnpm] [--no-lint]
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { environmentOf, MAJORS, majorsOf, nodeFolder, versionIn } from './lib/nodes.mjs'

const LARGEST = 5_000_000
const PNPM = 'pnpm@10'
const MANAGERS = {
  npm: (tarball) => ['npm', ['install', '--no-audit', '--no-fund', '--silent', tarball]],
  // a store of its own, and nothing hoisted: undeclared packages are not there
  pnpm: (tarball) => [pnpm(), ['add', '--silent', '--store-dir', join(work, 'store'), '--config.hoist=false', tarball]],
}

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: MAJORS.join(',') },
    manager: { type: 'string', default: Object.keys(MANAGERS).join(',') },
    lint: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const work = mkdtempSync(join(tmpdir(), 'assay-packed-'))
const failures = []
const check = (name, good, said = '') => {
  console.log(`${good ? 'ok  ' : 'FAIL'}  ${name}${good || said === '' ? '' : `\n${indented(said)}`}`)
  if (!good) failures.push(name)
}

try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', work], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }).replace(/^[^[]*/, ''),
  )
  const tarball = join(work, packed.filename)
  check(
    `${packed.filename}: ${packed.unpackedSize} bytes unpacked, ${packed.entryCount} files`,
    packed.unpackedSize < LARGEST,
  )
  if (values.lint) lint(tarball)
  for (const major of majorsOf(values.node)) {
    for (const manager of values.manager.split(',')) await tryOut(tarball, nodeFolder(major), manager)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
console.log(failures.length === 0 ? 'all passed' : `${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1

/** pnpm of our own, installed from the registry where it is first needed. */
function pnpm() {
  const folder = join(work, 'pnpm')
  const program = join(folder, 'node_modules', '.bin', 'pnpm')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', PNPM], { cwd: folder })
  }
  return program
}

function lint(tarball) {
  const publint = spawnSync('npx', ['--yes', 'publint@0.3', tarball, '--strict'], { encoding: 'utf8' })
  check('publint', publint.status === 0, publint.stdout + publint.stderr)
  const types = spawnSync('npx', ['--yes', '@arethetypeswrong/cli@0.18', tarball, '--profile', 'esm-only'], {
    encoding: 'utf8',
  })
  check('arethetypeswrong', types.status === 0, types.stdout + types.stderr)
}

async function tryOut(tarball, folder, manager) {
  const name = `${versionIn(folder)} ${manager}`
  const project = join(work, `project ${name}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n')
  const env = environmentOf(folder, { CI: '1', NO_COLOR: '1' })
  const [program, args] = MANAGERS[manager](tarball)
  const begun = performance.now()
  const installed = spawnSync(program, args, { cwd: project, env, encoding: 'utf8' })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  check(`${name}: installed in ${seconds} s`, installed.status === 0, installed.stdout + installed.stderr)
  if (installed.status !== 0) return
  const assay = (...words) => {
    const { status, stdout, stderr } = spawnSync(join(project, 'node_modules', '.bin', 'assay'), words, {
      cwd: project,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
    return { status, said: `${stdout}${stderr}` }
  }
  const wants = (code, ...words) => {
    const { status, said } = assay(...words)
    check(`${name}: assay ${words.join(' ')}`, status === code, `exit code ${status}\n${said}`)
  }
  wants(0, '--version')
  wants(0, 'list', '--feature', 'pipelines')
  // 0: all that was selected passes
  wants(0, 'certify', '--embedded', '--profile', 'quick', '--only', 'NODE-TITLE-MAX', '--record', 'recorded')
  wants(0, 'report', 'compare', 'assay-report/report.json', 'assay-report/report.json')
  wants(0, 'check', 'recorded', '--out', 'checked')
  wants(0, 'fixtures', 'stats', 'recorded')
  await served(project, env, name, async (url, configuration) => {
    writeFileSync(join(project, 'assay.config.json'), JSON.stringify(configuration))
    wants(0, 'replay', 'recorded', '--target', url, '--yes-modify-target', '--out', 'replayed')
  })
  for (const verb of ['record', 'mock', 'prove', 'openapi', 'verify']) wants(0, verb, '--help')
  for (const entry of Object.keys(manifest.exports)) {
    if (entry.endsWith('.json')) continue
    // entries for a user's vitest are only there inside one
    if (entry === './vitest') continue
    const specifier = `assay${entry.slice(1)}`
    const code = `const entry = await import('${specifier}'); if (Object.keys(entry).length === 0) throw new Error('empty')`
    const { status, stderr } = spawnSync(join(folder, 'node'), ['--input-type=module', '-e', code], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    check(`${name}: import '${specifier}'`, status === 0, stderr)
  }
}

/** Runs the reference target while `use` goes on; it gets the address and a configuration for it. */
async function served(project, env, name, use) {
  const target = spawn(join(project, 'node_modules', '.bin', 'assay'), ['serve', '--json'], {
    cwd: project,
    env,
    detached: true,
  })
  try {
    const text = await new Promise((resolve, reject) => {
      let out = ''
      target.stdout.setEncoding('utf8').on('data', (chunk) => {
        out += chunk
        if (out.includes('\n')) resolve(out)
      })
      target.once('exit', (code) => reject(new Error(`assay serve ended with ${code}`)))
    })
    const { url, credentials, resources } = JSON.parse(text)
    await use(url, { name: 'packed', baseUrl: url, credentials, resources, binding: 'reference' })
  } catch (error) {
    check(`${name}: assay serve`, false, String(error))
  } finally {
    if (target.pid !== undefined) process.kill(-target.pid)
  }
}

function indented(text) {
  return text.trim().replaceAll(/^/gm, '      ')
}
