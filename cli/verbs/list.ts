import type { Command } from 'commander'
import type { ListWords } from '../run/inform.ts'
import type { Io } from '../terminal/io.ts'

/** `assay list`: the requirements and the gaps. */
export function register(program: Command, io: Io): void {
  program
    .command('list')
    .summary('list the requirements')
    .description('Lists the requirements of the specification, a line each: id, level, category, text.')
    .option('--level <levels>', 'only these levels: stated, implied, declared, open')
    .option('--category <categories>', 'only these categories of the specification: pipelines, errors, …')
    .option('--feature <features>', 'only these features: pipelines, screen-removal, …')
    .option('--operation <operations>', 'only these operations: update-transform, …')
    .option('--json', 'print the entries as JSON')
    .addHelpText('after', '\nExamples:\n  assay list --feature pipelines --level stated,implied\n  assay list --json')
    .action(async (options: ListWords) => {
      const { runList } = await import('../run/inform.ts')
      runList(options, io)
    })
}
