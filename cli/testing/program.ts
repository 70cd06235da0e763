import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Credentials, ListedResources } from '../../schemas/types/config.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const TIMEOUT_MS = 110_000

/** How a command of the compiled program ended. */
export interface Ended {
  /** exit code; null where a signal ended it */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command under way. */
export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits until standard output holds what `pattern` matches. @throws where the command ends before */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
}

export interface StartOptions {
  readonly cwd: string
  /** beside PATH, which is all of the tests' own environment that the program sees */
  readonly env?: Readonly<Record<string, string>>
}

/** A served reference target. */
export interface Served {
  readonly url: string
  readonly credentials: Credentials
  readonly resources: ListedResources
  readonly started: Started
}

/** An empty folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts `assay <args>` as a user would; what still runs when the test ends is killed. */
function start(args: readonly string[], options: StartOptions): Started {
  if (!existsSync(MAIN)) throw new Error('dist/cli/main.js is missing: run `npm run build` first')
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...said })
    })
  })
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = said.stdout.match(pattern)
          if (match) resolve(match)
        }
        child.stdout.on('data', look)
        look()
        ended.then(
          ({ code, stderr }) => reject(new Error(`ended with ${code} before it printed ${pattern}: ${stderr}`)),
          reject,
        )
      }),
  }
}

/** Runs `assay <args>` to its end. */
export function assay(args: readonly string[], options: StartOptions): Promise<Ended> {
  return start(args, options).ended
}

/** Starts `assay serve` on a free port, or with `args`, and waits until it listens. */
export async function serve(options: StartOptions, args: readonly string[] = []): Promise<Served> {
  const started = start(['serve', '--json', ...args], options)
  const [line] = await started.printed(/^\{.*\}$/m)
  return { ...(JSON.parse(line) as Omit<Served, 'started'>), started }
}
