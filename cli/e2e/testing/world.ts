import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type TestAPI } from 'vitest'
import type { TargetConfig } from '../../../schemas/types/config.ts'
import type { Ended, Served } from '../../testing/program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DIST = resolve(ROOT, process.env.ASSAY_DIST ?? 'dist')
const LONGEST_MS = 100_000

/** The compiled program; another build of it where ASSAY_DIST names its folder. */
const MAIN = join(DIST, 'cli', 'main.js')

export interface RunOptions {
  /** beside PATH, which is all of the tests' own environment that the program sees */
  readonly env?: Readonly<Record<string, string>>
  /** options of node itself, before the program */
  readonly node?: readonly string[]
  /** a process group of its own, which can be signalled as a terminal does */
  readonly group?: boolean
  /** folder of the world: the new one */
  readonly cwd?: string
}

/** A command under way. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended & { readonly ms: number }>
  /** Waits until standard output or error holds what `pattern` matches. @throws where the command ends before */
  said(pattern: RegExp): Promise<RegExpMatchArray>
}

/** What one test works with: a folder, and processes and servers that end with the test. */
export interface World {
  readonly folder: string
  /** Writes a file below the folder and returns its path. */
  write(name: string, content: string | object): string
  start(args: readonly string[], options?: RunOptions): Running
  /** Runs `assay <args>` in the folder, to its end. */
  assay(args: readonly string[], options?: RunOptions): Running['ended']
  /** Starts a reference target by `assay serve`. */
  serve(): Promise<Omit<Served, 'started'>>
  /** Lets a server listen on a free port; returns the port. */
  listen(server: Server): Promise<number>
  /** Starts an HTTP server; returns its URL. */
  http(listener: RequestListener): Promise<string>
}

/** A test with a world of its own; several can run at the same time. */
export const test: TestAPI<{ world: World }> = base.extend<{ world: World }>({
  world: async ({ task }, use) => {
    const { world, close } = createWorld(task.id)
    try {
      await use(world)
    } finally {
      await close()
    }
  },
})

/** The configuration of a served reference; the run is allowed to change it. */
export function configOf(served: Omit<Served, 'started'>, more: Partial<TargetConfig> = {}): TargetConfig {
  const { url, credentials, resources } = served
  return {
    name: 'served',
    baseUrl: url,
    credentials,
    resources,
    binding: 'reference',
    consent: { modifyTarget: true, exclusions: true },
    ...more,
  }
}

function createWorld(id: string): { world: World; close(): Promise<void> } {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`)
  const folder = mkdtempSync(join(tmpdir(), `assay-e2e-${id}-`))
  const running: Running[] = []
  const closers: (() => Promise<void>)[] = []

  const world: World = {
    folder,
    write(name, content) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
    start(args, options = {}) {
      const started = startProgram(args, { cwd: folder, ...options })
      running.push(started)
      return started
    },
    assay: (args, options) => world.start(args, options).ended,
    async serve() {
      const [line] = await world.start(['serve', '--json']).said(/^\{.*\}$/m)
      return JSON.parse(line) as Omit<Served, 'started'>
    },
    async listen(server) {
      await new Promise<void>((done, failed) => {
        server.once('error', failed)
        server.listen(0, '127.0.0.1', done)
      })
      const sockets = new Set<Socket>()
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      closers.push(
        () =>
          new Promise((done) => {
            server.close(() => done())
            for (const socket of sockets) socket.destroy()
          }),
      )
      return (server.address() as AddressInfo).port
    },
    http: async (listener) => `http://127.0.0.1:${await world.listen(createServer(listener))}`,
  }

  async function close(): Promise<void> {
    for (const { child } of running) if (child.exitCode === null && child.signalCode === null) kill(child)
    await Promise.all(running.map(({ ended }) => ended))
    await Promise.all(closers.map((closer) => closer()))
    rmSync(folder, { recursive: true, force: true })
  }
  return { world, close }
}

/** SIGTERM first: a run that is killed leaves its embedded target to notice by itself. */
function kill(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), 2000).unref()
}

function startProgram(args: readonly string[], options: RunOptions & { readonly cwd: string }): Running {
  const begun = performance.now()
  const child = spawn(process.execPath, [...(options.node ?? []), MAIN, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.group === true,
  })
  const text = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      for (const watch of watchers) watch()
    })
  }
  const ended = new Promise<Ended & { readonly ms: number }>((done, failed) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
    child.once('error', failed)
    child.once('close', (code) => {
      clearTimeout(timer)
      done({ code, ...text, ms: performance.now() - begun })
    })
  })
  return {
    child,
    ended,
    said: (pattern) =>
      new Promise((done, failed) => {
        const watch = (): void => {
          const match = text.stdout.match(pattern) ?? text.stderr.match(pattern)
          if (match) done(match)
        }
        watchers.add(watch)
        watch()
        ended.then(
          ({ code }) => failed(new Error(`ended with ${code} before it said ${pattern}: ${text.stderr}`)),
          failed,
        )
      }),
  }
}
