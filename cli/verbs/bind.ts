import type { Command } from 'commander'
import type { BindVerbOptions } from '../run/bind.ts'
import type { Io } from '../terminal/io.ts'

/** `assay bind`: finds out how a target has the operations, and writes it as a binding. */
export function register(program: Command, io: Io): void {
  program
    .command('bind')
    .summary('write a binding: how a target has the operations')
    .description(
      'Finds out where a target has each operation, and how it names and places fields. Writes that as a binding. Uncertain parts stay open, as questions.',
    )
    .option('--probe [url]', 'ask the target; the address is in the configuration where it is left out')
    .option('--openapi <file...>', 'read OpenAPI 3 documents, JSON or YAML')
    .option('--from <recording...>', 'read recorded traffic: recordings, evidence of a run, HAR files')
    .option(
      '--yes-modify-target',
      'agree that one thing of each kind is made on the target, and removed; otherwise only reads are sent',
    )
    .option(
      '--config <file>',
      'target configuration, for address, credentials and consent (default: assay.config.* here)',
    )
    .option('--out <file>', 'the binding; one that is there is brought up to date', 'binding.json')
    .option('--name <name>', 'name of a new binding (default: that of the file)')
    .option('--replace', 'also replace what was written by hand and differs')
    .option('--all', 'also show operations that were not found, and every question')
    .option('--json', 'print the binding, the operations and the questions as JSON')
    .addHelpText(
      'after',
      `
Examples:
  assay bind --probe http://127.0.0.1:8080 --config assay.config.json
  assay bind --probe --yes-modify-target --out our-binding.json
  assay bind --openapi openapi.yaml --probe http://127.0.0.1:8080
  assay bind --from traffic.har`,
    )
    .action(async (options: BindVerbOptions) => {
      const { runBind } = await import('../run/bind.ts')
      await runBind(options, io)
    })
}
