import type { Command } from 'commander'
import type { ServeWords } from '../run/serve.ts'
import type { Io } from '../terminal/io.ts'

/** `assay serve`: runs the reference target by itself, until it is interrupted. */
export function register(program: Command, io: Io): void {
  program
    .command('serve')
    .summary('run the reference target')
    .description('Runs the reference target with an empty memory, and prints its URL and credentials.')
    .option('--port <number>', 'port to listen on; 0: any free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--fault <name...>', 'with these deliberate faults; list: print all faults and what they break')
    .option('--json', 'print URL, credentials and resources as JSON')
    .addHelpText(
      'after',
      `
Examples:
  assay serve --port 8080
  assay serve --fault list
  assay serve --fault update-view-not-applied --port 8080`,
    )
    .action(async (options: ServeWords) => {
      const { runServe } = await import('../run/serve.ts')
      await runServe(options, io)
    })
}
