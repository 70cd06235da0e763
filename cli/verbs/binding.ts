import type { Command } from 'commander'
import type { BindingVerbOptions } from '../run/binding.ts'
import type { Io } from '../terminal/io.ts'

/** `assay binding show|check|explain|schema`: what a binding says, whether it is right, and what it could say. */
export function register(program: Command, io: Io): void {
  const binding = program
    .command('binding')
    .summary('show, check and explain a binding')
    .description('Shows a binding with all that it inherits, checks it, or explains one of its operations.')
    .addHelpText(
      'after',
      '\nExamples:\n  assay binding check --binding ./binding.json\n  assay binding explain export-v2',
    )
  const jobs = (): Promise<typeof import('../run/binding.ts')> => import('../run/binding.ts')
  const common = (command: Command): Command =>
    command
      .option('--config <file>', 'target configuration that names the binding (default: assay.config.json here)')
      .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
      .option('--json', 'print it as JSON')
  common(
    binding
      .command('show')
      .summary('print the binding in force')
      .description('Prints each operation and each answer with file and line.'),
  )
    .addHelpText('after', '\nExamples:\n  assay binding show --binding ./binding.json')
    .action(async (options: BindingVerbOptions) => (await jobs()).showBinding(options, io))
  common(
    binding
      .command('check')
      .summary('check a binding')
      .description(
        'Checks a binding. Prints every problem with its place and the nearest known name. Ends with 2 if there is one.',
      ),
  )
    .addHelpText('after', '\nExamples:\n  assay binding check --binding ./binding.json')
    .action(async (options: BindingVerbOptions) => (await jobs()).checkBinding(options, io))
  common(
    binding
      .command('explain')
      .summary('list what a binding can say about an operation')
      .description(
        'Lists the parameters, fields and answer names of an operation, with examples and what the binding says.',
      ),
  )
    .argument('<operation>', 'id of the operation, such as list-boards')
    .addHelpText('after', '\nExamples:\n  assay binding explain export-v2')
    .action(async (operation: string, options: BindingVerbOptions) =>
      (await jobs()).explainBinding(operation, options, io),
    )
  binding
    .command('schema')
    .summary('print the JSON Schema of a binding, for editors')
    .description('Prints the JSON Schema of a binding. An editor completes a binding whose $schema names that file.')
    .option('--out <file>', 'where it is written (default: standard output)')
    .option('--json', 'print the path of the file as JSON')
    .addHelpText('after', '\nExamples:\n  assay binding schema --out binding.schema.json')
    .action(async (options: { readonly out?: string; readonly json?: boolean }) =>
      (await jobs()).printBindingSchema(options, io),
    )
}
