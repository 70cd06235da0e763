// Brings other tools from their registries into a folder of their own: they are no dependencies of the project.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs packages of npm, or takes those that are there. Returns the version of each.
 * @throws Error that says what is missing
 */
export async function installPackages(folder, names) {
  const own = join(folder, 'npm')
  mkdirSync(own, { recursive: true })
  const manifest = join(own, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  const missing = names.filter((name) => versionOf(own, name) === undefined)
  if (missing.length > 0) {
    console.log(`installing ${missing.join(', ')} from npm into ${own}`)
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...missing]
    await run('npm', words, { cwd: own, maxBuffer: 1e8 }).catch((thrown) => {
      throw new Error(`${missing.join(', ')} could not be installed from npm: ${lastLine(thrown)}`)
    })
  }
  return { folder: own, versions: new Map(names.map((name) => [name, versionOf(own, name)])) }
}

function versionOf(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/**
 * Installs a package of PyPI into a virtual environment of its own, or takes the one that is there.
 * @throws Error that says what is missing
 */
export async function installPython(folder, name, program) {
  const venv = join(folder, name)
  const path = join(venv, 'bin', program)
  const python = await findPython()
  if (!existsSync(path)) {
    console.log(`installing ${name} from PyPI into ${venv}`)
    mkdirSync(folder, { recursive: true })
    try {
      await run(python.command, ['-m', 'venv', venv])
      await run(join(venv, 'bin', 'pip'), ['install', '--quiet', name], { maxBuffer: 1e8 })
    } catch (thrown) {
      throw new Error(`${name} could not be installed from PyPI: ${lastLine(thrown)}`)
    }
  }
  const { stdout } = await run(path, ['--version'])
  return { path, python: python.version, version: /\d[\d.]+/.exec(stdout)?.[0] ?? '' }
}

async function findPython() {
  for (const command of ['python3', 'python']) {
    try {
      const { stdout } = await run(command, ['--version'])
      const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? []
      if (Number(major) === 3 && Number(minor) >= 9) return { command, version: stdout.trim() }
    } catch {
      // not there: the next name
    }
  }
  throw new Error('this needs Python 3.9 or later with its venv module (python3), and there is none')
}

/** The end of all that a failed program printed. */
function lastLine(thrown) {
  return `${thrown.stderr ?? ''}${thrown.message}`.trim().split('\n').at(-1)
}

/** A port that was free a moment ago. */
export async function freePort() {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a program and waits until something listens on its port. Throws with what it said where it ends before. */
export async function startListening(command, words, port, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-2_000)
    })
  }
  const until = performance.now() + 60_000
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${command} does not listen: ${said.trim()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return child
}

async function listens(port) {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true) || socket.destroy())
    socket.once('error', () => resolve(false))
  })
}
