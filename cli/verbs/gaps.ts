import type { Command } from 'commander'
import type { GapsWords } from '../run/inform.ts'
import type { Io } from '../terminal/io.ts'

/** `assay gaps`: what the specification leaves unsaid, and how a target's binding answers it. */
export function register(program: Command, io: Io): void {
  program
    .command('gaps')
    .summary('list the gaps of the specification and the answers in force')
    .description('Lists what the specification leaves open: the answer in force, its binding, and what depends on it.')
    .option('--config <file>', 'target configuration that names the binding (default: assay.config.json here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--unanswered', 'only gaps without an answer')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExamples:\n  assay gaps --binding reference\n  assay gaps --unanswered')
    .action(async (options: GapsWords) => {
      const { runGaps } = await import('../run/inform.ts')
      await runGaps(options, io)
    })
}
