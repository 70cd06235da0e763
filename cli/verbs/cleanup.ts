import type { Command } from 'commander'
import type { CleanupOptions } from '../../engine/cleanup/cleanup.ts'
import type { Io } from '../terminal/io.ts'

/** `assay cleanup <journal>`: removes what a killed run left on its target. */
export function register(program: Command, io: Io): void {
  program
    .command('cleanup')
    .summary('remove what a killed run left')
    .description(
      'Removes from the target what a run made and did not remove, as its journal says. The target is that of the configuration or of --target. A journal of another target is refused.',
    )
    .argument('<journal>', 'the journal, in the folder of the report')
    .option('--config <file>', 'target configuration, for the credentials')
    .option('--target <url>', 'base URL of the target (default: that of the configuration)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--json', 'print what was removed and what is left as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  assay cleanup assay-report/journal-assay-1a2b3c.ndjson --config assay.config.json',
    )
    .action(async (journal: string, options: CleanupOptions & { readonly json?: boolean }) => {
      const { runCleanup } = await import('../run/cleanup.ts')
      const { endOnSignals } = await import('../terminal/signals.ts')
      const release = endOnSignals('run the same command again: the journal knows what is left')
      await runCleanup(journal, options, io).finally(release)
    })
}
