// Runs the reference target in a process of its own, forked by another one. The first argument holds its options as
// JSON; the first message says where it listens. It ends with its parent.
import { type ReferenceOptions, startReference } from './server.ts'

interface Options extends Pick<ReferenceOptions, 'port' | 'host' | 'credentials' | 'plan'> {
  /** name of a deliberate fault to serve with */
  readonly mutant?: string
}

const tell = process.send?.bind(process)
if (!tell) {
  console.error('this program is started by another one, which it reports to')
  process.exitCode = 2
} else {
  // Its starter may end before it listens.
  process.once('disconnect', () => process.exit())
  if (!process.connected) process.exit()
  const { mutant, ...options } = JSON.parse(process.argv[2] ?? '{}') as Options
  // Most runs are against the faultless one, which is there sooner without all the others.
  const overlays = mutant === undefined ? [] : [(await import('./faults/index.ts')).faultOverlay(mutant)]
  const reference = await startReference({ ...options, overlays })
  const stop = async (): Promise<void> => {
    await reference.close()
    process.exit()
  }
  process.once('SIGTERM', stop)
  // Ctrl-C reaches the whole group of processes; the parent still needs its target to clean up.
  process.on('SIGINT', () => {})
  const { url, credentials, resources } = reference
  tell({ type: 'ready', url, credentials, resources }, undefined, undefined, () => {})
}
