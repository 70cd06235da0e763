import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, type TestAPI } from 'vitest'
import { listen } from '../../fixtures/testing.ts'
import type { Credentials, ListedResources, TargetConfig } from '../../schemas/types/config.ts'
import { type Ended, kill, type Running, type RunOptions, startProgram } from './program.ts'

/** A served reference target. */
export interface Served {
  readonly url: string
  readonly credentials: Credentials
  readonly resources: ListedResources
}

/** What one test works with: a folder, and processes and servers that end with the test. */
export interface World {
  readonly folder: string
  /** Writes a file below the folder and returns its path. */
  write(name: string, content: string | object): string
  start(args: readonly string[], options?: RunOptions): Running
  /** Runs `assay <args>` in the folder, to its end. */
  assay(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Starts a reference target by `assay serve`. */
  serve(): Promise<Served>
  /** Lets a server listen on a free port; returns the port. */
  listen(server: Server): Promise<number>
  /** Starts an HTTP server; returns its URL. */
  http(listener: RequestListener): Promise<string>
  /** Is called when the test has ended. */
  onClose(action: () => Promise<void>): void
}

/** Consent to all that a run can do to an account. */
export const ALL_CONSENT: NonNullable<TargetConfig['consent']> = {
  ...{ modifyTarget: true, exclusions: true, suspend: true, archiving: true },
  ...{ deleteListedResources: true, allowOwnerDeletion: true },
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

/** The configuration of a served reference; the run is allowed to change it, and its last look does not wait. */
export function configOf(served: Served, more: Partial<TargetConfig> = {}): TargetConfig {
  const { url, credentials, resources } = served
  return {
    name: 'served',
    baseUrl: url,
    credentials,
    resources,
    binding: 'reference',
    consent: { modifyTarget: true, exclusions: true },
    lateLook: 100,
    settleTimeout: 0,
    ...more,
  }
}

/** Makes a world; `close` ends what runs in it and removes its folder. */
export function createWorld(id: string): { world: World; close(): Promise<void> } {
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
      // It ends with the test, however long that takes on a busy machine.
      const [line] = await world.start(['serve', '--json'], { longest: 3_600_000 }).said(/^\{.*\}$/m)
      return JSON.parse(line) as Served
    },
    async listen(server) {
      const { port, close } = await listen(server)
      closers.push(close)
      return port
    },
    http: async (listener) => `http://127.0.0.1:${await world.listen(createServer(listener))}`,
    onClose: (action) => closers.push(action),
  }

  async function close(): Promise<void> {
    for (const one of running) kill(one)
    await Promise.all(running.map(({ ended }) => ended))
    await Promise.all(closers.map((closer) => closer()))
    rmSync(folder, { recursive: true, force: true })
  }
  return { world, close }
}
