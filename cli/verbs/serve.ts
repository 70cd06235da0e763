import type { Command } from 'commander'
import { EXIT } from '../terminal/exit-codes.ts'
import { exitWith, type Io } from '../terminal/io.ts'

interface ServeOptions {
  readonly port: string
  readonly host: string
  readonly json?: boolean
}

/** `assay serve`: runs the reference target by itself, until it is interrupted. */
export function register(program: Command, io: Io): void {
  program
    .command('serve')
    .summary('run the reference target')
    .description('Runs the reference target with an empty memory, and prints its URL and credentials.')
    .option('--port <number>', 'port to listen on; 0: any free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--json', 'print URL, credentials and resources as JSON')
    .addHelpText('after', '\nExamples:\n  assay serve --port 8080')
    .action(async (options: ServeOptions) => {
      const { UsageError } = await import('../../engine/errors.ts')
      const { listenAddress, listenProblem } = await import('../../engine/listening.ts')
      const address = listenAddress(options.host, options.port)
      if ('what' in address) throw new UsageError(address)
      const { startReference } = await import('../../reference/server.ts')
      const reference = await startReference(address).catch((thrown: Error) => {
        const where = `${address.host}:${address.port}`
        throw new UsageError(listenProblem(thrown, where, { port: '--port', host: '--host' }))
      })
      const { url, credentials, resources } = reference
      const { untilInterrupted } = await import('../terminal/signals.ts')
      const interrupted = untilInterrupted()
      if (options.json === true) io.stdout.write(`${JSON.stringify({ url, credentials, resources })}\n`)
      else io.stdout.write(text(url, { ...credentials }, resources))
      await interrupted
      await reference.close()
      exitWith(io, EXIT.ok)
    })
}

function text(url: string, credentials: Readonly<Record<string, unknown>>, resources: object): string {
  const rows = Object.entries({ ...credentials, ...resources }).map(
    ([name, value]) =>
      `  ${name.padEnd(22)}${Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `The reference target listens on ${url}\n${rows.join('\n')}\nCtrl-C ends it.\n`
}
