import type { Command } from 'commander'
import type { CleanupOptions } from '../../engine/cleanup/cleanup.ts'
import type { Io } from '../terminal/io.ts'

/** `assay cleanup <journal>`: removes what a killed run left on its target. */
export function register(program: Command, io: Io): void {
  program
    .command('cleanup')
    .summary('remove what a killed run left')
    .description(
      'Reads the journal of a run and removes from its target what the run made and did not remove. The target is the one of the configuration, or of --target: a journal of another one is refused.',
    )
    .argument('<journal>', 'the journal, in the folder of the report')
    .option('--config <file>', 'target configuration, for the credentials')
    .option('--target <url>', 'base URL of the target; from the configuration where it is left out')
    .option('--binding <name>', 'shipped binding or binding file; wins over the configuration')
    .option('--json', 'print what was removed and what is left as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  assay cleanup assay-report/journal-assay-1a2b3c.ndjson --config assay.config.json',
    )
    .action(async (journal: string, options: CleanupOptions & { readonly json?: boolean }) => {
      const { runCleanup } = await import('../run/cleanup.ts')
      const { endOnSignals } = await import('../terminal/signals.ts')
      const release = endOnSignals('the journal knows what is not removed yet, and the same command goes on with it')
      await runCleanup(journal, options, io).finally(release)
    })
}
