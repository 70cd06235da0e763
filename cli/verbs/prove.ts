import type { Command } from 'commander'
import type { ProveWords } from '../run/prove.ts'
import type { Io } from '../terminal/io.ts'

/** `assay prove`: lets the suite loose on deliberate faults, and on behaviours that it must not blame. */
export function register(program: Command, io: Io): void {
  program
    .command('prove')
    .summary('test the suite itself against deliberate faults and allowed variants')
    .description(
      'Runs the suite against deliberate faults of the reference target (mutants), each until a requirement that it breaks fails. Also runs it against other behaviour that the specification allows (variants), which must give no finding. After a run of all mutants, each case must have noticed one, and one must have failed each stated requirement.',
    )
    .option('--mutants', 'mutants only')
    .option('--variants', 'variants only')
    .option('--only <name...>', 'only these; a * at the end of a name stands for any ending')
    .option('--sample <number>', 'only so many, chosen by the seed')
    .option('--profile <name>', 'quick, standard or thorough (default: standard for mutants, quick for variants)')
    .option('--seed <number>', 'seed of all random values', '1')
    .option('--seeds <number>', 'seeds for each variant, counted up from the seed', '1')
    .option('--threads <number>', 'threads to use (default: one for each processor)')
    .option('--out <folder>', 'where the outcome is written; a run that was interrupted continues there', 'assay-prove')
    .option('--again', 'ignore earlier outcomes and try everything again')
    .option('--write-strength <file>', 'write how many faults each requirement is worth (whole runs only)')
    .option('--json', 'print the outcome as JSON instead of the tables')
    .addHelpText(
      'after',
      `
Ends with 1 if a mutant survives or fails only unrelated requirements. Also if a
variant is blamed, or a case or a requirement notices nothing.

Examples:
  assay prove
  assay prove --mutants --only 'node/title/*' v3-open
  assay prove --variants --seeds 20`,
    )
    .action(async (options: ProveWords) => {
      const { runProve } = await import('../run/prove.ts')
      await runProve(options, io)
    })
}
