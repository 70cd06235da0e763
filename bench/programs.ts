import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Credentials } from '../schemas/types/config.ts'

/** The compiled program as users have it, beside the compiled benchmark. */
export const ASSAY: string = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'main.js')

/** Flags of the engine with which `certify --embedded` starts its target. */
export const EMBEDDED: readonly string[] = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=100000'] : []

/** The reference target in a process of its own. */
export interface ReferenceProcess {
  readonly url: string
  readonly credentials: Credentials
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** Starts the reference; `flags`: of the engine. */
export async function startTarget(flags: readonly string[] = []): Promise<ReferenceProcess> {
  const child = fork(fileURLToPath(new URL('../reference/main.js', import.meta.url)), ['{}'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...flags],
  })
  const ready = await new Promise<Omit<ReferenceProcess, 'pid' | 'stop'>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as ReferenceProcess))
    child.once('exit', (code) => reject(new Error(`the target ended with ${code}`)))
  })
  return { url: ready.url, credentials: ready.credentials, pid: child.pid, stop: () => ended(child, 'SIGTERM') }
}

/** What one run of a program took. */
export interface Spent {
  readonly code: number | null
  /** seconds from its start to its end */
  readonly seconds: number
  /** seconds of CPU, all its threads, without its children; to a tenth of a second */
  readonly cpu: number
  /** most resident memory, in bytes */
  readonly memory: number
}

const LOOK_MS = 50

/** Runs `assay` to its end; what it prints to stdout is dropped. */
export async function runAssay(words: readonly string[], cwd?: string): Promise<Spent> {
  const start = performance.now()
  const child = spawn(process.execPath, [ASSAY, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  let memory = 0
  let cpu = 0
  const timer = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid))
    cpu = Math.max(cpu, cpuOf(child.pid))
  }, LOOK_MS)
  try {
    const code = await exitOf(child)
    return { code, seconds: (performance.now() - start) / 1000, cpu, memory }
  } finally {
    clearInterval(timer)
  }
}

export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = exitOf(child)
  child.kill(signal)
  await end
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('exit', resolve)
    child.once('error', reject)
  })
}

/** Most resident memory that a process had, in bytes; 0 where the system does not tell. */
function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(fileOf(pid, 'status'))?.[1] ?? 0) * 1024
}

/** Seconds of CPU that a process has used, all its threads, to a hundredth; 0 where the system does not tell. */
function cpuOf(pid: number | undefined): number {
  const fields = fileOf(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

function fileOf(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
