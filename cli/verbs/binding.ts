import type { Command } from 'commander'
import type { BindingVerbOptions } from '../run/binding.ts'
import type { Io } from '../terminal/io.ts'

/** `assay binding show|check|explain|schema`: what a binding says, whether it is right, and what it could say. */
export function register(program: Command, io: Io): void {
  const binding = program
    .command('binding')
    .summary('show, check and explain a binding')
    .description('Shows a binding with all that it inherits, checks it, or lists what it can say of an operation.')
    .addHelpText(
      'after',
      '\nExamples:\n  assay binding check --binding ./binding.json\n  assay binding explain export-v2',
    )
  const common = (command: Command): Command =>
    command
      .option('--config <file>', 'target configuration whose binding is meant (default: assay.config.* here)')
      .option('--binding <name>', 'shipped binding or binding file; wins over the configuration')
      .option('--json', 'print it as JSON')
  common(
    binding
      .command('show')
      .summary('print the binding in force')
      .description('Prints each operation and each answer with file and line.'),
  )
    .addHelpText('after', '\nExamples:\n  assay binding show --binding ./binding.json')
    .action(async (options: BindingVerbOptions) => {
      const { showBinding } = await import('../run/binding.ts')
      await showBinding(options, io)
    })
  common(
    binding
      .command('check')
      .summary('check a binding')
      .description(
        'Checks a binding: every problem with its place, and the nearest name that is known. Exit code 2 where there is one.',
      ),
  )
    .addHelpText('after', '\nExamples:\n  assay binding check --binding ./binding.json')
    .action(async (options: BindingVerbOptions) => {
      const { checkBinding } = await import('../run/binding.ts')
      await checkBinding(options, io)
    })
  common(
    binding
      .command('explain')
      .summary('list what a binding can say of an operation')
      .description(
        'Lists the parameters, fields and answer names of an operation, each with an example, and what the binding says.',
      ),
  )
    .argument('<operation>', 'id of the operation, such as list-boards')
    .addHelpText('after', '\nExamples:\n  assay binding explain export-v2')
    .action(async (operation: string, options: BindingVerbOptions) => {
      const { explainBinding } = await import('../run/binding.ts')
      await explainBinding(operation, options, io)
    })
  binding
    .command('schema')
    .summary('print the JSON Schema of a binding, for editors')
    .description('Prints the JSON Schema of a binding. An editor completes a binding whose $schema names that file.')
    .option('--out <file>', 'where it is written (default: standard output)')
    .option('--json', 'print the path of the file as JSON')
    .addHelpText('after', '\nExamples:\n  assay binding schema --out binding.schema.json')
    .action(async (options: { readonly out?: string; readonly json?: boolean }) => {
      const { printBindingSchema } = await import('../run/binding.ts')
      await printBindingSchema(options, io)
    })
}
