import type { Command } from 'commander'
import type { ExplainOptions } from '../run/inform.ts'
import type { Io } from '../terminal/io.ts'

/** `assay explain <id>`: all about one requirement or gap. */
export function register(program: Command, io: Io): void {
  program
    .command('explain')
    .summary('explain a requirement: its section, how it is provoked and judged')
    .description('Explains a requirement or a gap: text, section, schema constraints, cases, and how it is judged.')
    .argument('<id>', 'id of a requirement, such as NODE-TITLE-MAX, in any letter case')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  assay explain NODE-TITLE-MAX\n  assay explain GAP-TAP-ANSWER')
    .action(async (id: string, options: ExplainOptions) => {
      const { runExplain } = await import('../run/inform.ts')
      const { allCases } = await import('../../suites/cases/index.ts')
      runExplain(id, options, io, allCases())
    })
}
