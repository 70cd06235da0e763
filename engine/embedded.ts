import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Credentials, ListedResources } from '../schemas/types/config.ts'
import { PATIENT_ENGINE } from './fast/v8-tuning.ts'

/** The reference target, running in a process of its own. */
export interface Embedded {
  readonly url: string
  readonly credentials: Credentials
  readonly resources: ListedResources
  stop(): Promise<void>
}

/** Starts the reference and waits until it listens. */
export async function startEmbedded(): Promise<Embedded> {
  const child = fork(fileURLToPath(new URL('../reference/main.js', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...PATIENT_ENGINE],
  })
  return { ...(await ready(child)), stop: () => stop(child) }
}

function ready(child: ChildProcess): Promise<Omit<Embedded, 'stop'>> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { url, credentials, resources } = message as Omit<Embedded, 'stop'>
      resolve({ url, credentials, resources })
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the embedded target ended with ${code}`)))
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
