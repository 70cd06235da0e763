import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One program of the benchmark, in a process of its own. */
export interface Program {
  readonly name: string
  readonly port: number
  readonly pid: number | undefined
  /** seconds of CPU that it has used, all its threads */
  cpu(): number
  /** bytes */
  memory(): number
  ask<T>(message: string): Promise<T>
  stop(): Promise<void>
}

const FILES: Readonly<Record<'upstream' | 'bare' | 'ours', URL>> = {
  upstream: new URL('./upstream.js', import.meta.url),
  bare: new URL('./bare.js', import.meta.url),
  ours: new URL('./ours.js', import.meta.url),
}

/** Starts a program of this folder, which tells its port when it listens. */
export async function startProgram(name: string, file: keyof typeof FILES, words: readonly string[]): Promise<Program> {
  const child = fork(fileURLToPath(FILES[file]), words)
  const first = await answer<{ port: number }>(child)
  const { pid } = child
  return {
    name,
    port: first.port,
    pid,
    cpu: () => cpuOf(pid),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    ask(message) {
      const answered = answer<never>(child)
      child.send(message)
      return answered
    },
    stop() {
      if (child.exitCode !== null) return Promise.resolve()
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.disconnect()
      return ended
    },
  }
}

function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a program of the benchmark ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
}

/** Linux counts in hundredths of a second. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
