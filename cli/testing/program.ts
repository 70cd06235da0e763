import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DIST = resolve(ROOT, process.env.ASSAY_DIST ?? 'dist')
const LONGEST_MS = 100_000

/** The compiled program; another build of it where ASSAY_DIST names its folder. */
export const MAIN: string = join(DIST, 'cli', 'main.js')

/** How a command of the compiled program ended. */
export interface Ended {
  /** exit code; null where a signal ended it */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** milliseconds that it took */
  readonly ms: number
}

export interface RunOptions {
  /** beside PATH, which is all of the tests' own environment that the program sees */
  readonly env?: Readonly<Record<string, string>>
  /** options of node itself, before the program */
  readonly node?: readonly string[]
  /** a process group of its own, which can be signalled as a terminal does */
  readonly group?: boolean
  /** another program than assay, as the path of its file */
  readonly program?: string
  /** milliseconds that it may take before it is killed */
  readonly longest?: number
  /** folder of the world: the new one */
  readonly cwd?: string
}

/** A command under way. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits until standard output or error holds what `pattern` matches. @throws where the command ends before */
  said(pattern: RegExp): Promise<RegExpMatchArray>
}

/** Starts `assay <args>` as a user would. */
export function startProgram(args: readonly string[], options: RunOptions & { readonly cwd: string }): Running {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`)
  const begun = performance.now()
  const child = spawn(process.execPath, [...(options.node ?? []), options.program ?? MAIN, ...args], {
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
  const ended = new Promise<Ended>((done, failed) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), options.longest ?? LONGEST_MS)
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

/** SIGTERM first: a run that is killed leaves its embedded target to notice by itself. */
export function kill({ child }: Running): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), 2000).unref()
}
