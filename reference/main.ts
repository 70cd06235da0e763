// Runs the reference target in a process of its own, forked by another: the first argument holds its options as JSON,
// the first message says where it listens. It ends with its parent.
import { type ReferenceOptions, startReference } from './server.ts'

const tell = process.send?.bind(process)
if (!tell) {
  console.error('this program is started by another one, which it reports to')
  process.exitCode = 2
} else {
  const options = JSON.parse(process.argv[2] ?? '{}') as Pick<
    ReferenceOptions,
    'port' | 'host' | 'credentials' | 'plan'
  >
  const reference = await startReference(options)
  const stop = async (): Promise<void> => {
    await reference.close()
    process.exit()
  }
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  // Ctrl-C reaches the whole group of processes; the parent still needs its target to clean up.
  process.on('SIGINT', () => {})
  const { url, credentials, resources } = reference
  tell({ type: 'ready', url, credentials, resources })
}
