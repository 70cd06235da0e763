import type { Command } from 'commander'
import type { InitOptions } from '../inform/init.ts'
import type { Io } from '../io.ts'

/** `assay init`: writes a target configuration to fill in. */
export function register(program: Command, io: Io): void {
  program
    .command('init')
    .summary('write a commented target configuration')
    .description('Writes a target configuration with every field explained. Secrets stay in environment variables.')
    .option('--out <file>', 'where to write it (default: assay.config.ts, or .json with --json)')
    .option('--json', 'JSON, which has no comments, with a $schema for editors')
    .option('--force', 'replace a configuration that is there')
    .addHelpText('after', '\nExamples:\n  assay init\n  assay init --json --out targets/staging.json')
    .action(async (options: InitOptions) => {
      const { runInit } = await import('../inform/init.ts')
      await runInit(options, io)
    })
}
