import type { Command } from 'commander'
import type { OpenApiOptions } from '../run/openapi.ts'
import type { Io } from '../terminal/io.ts'

/** `assay openapi`: the interface, under a binding, in a form that other tools can read. */
export function register(program: Command, io: Io): void {
  program
    .command('openapi')
    .summary('print the interface under a binding as an OpenAPI document')
    .description(
      'Prints the whole interface as OpenAPI 3.1, made of the schemas that judge targets. It has the requirement of each constraint, examples, security schemes, and the gaps as extensions.',
    )
    .option('--config <file>', 'target configuration that names the binding (default: assay.config.json here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--out <file>', 'write it into a file instead of printing it')
    .option('--json', 'with --out: print the path and the number of operations as JSON')
    .addHelpText(
      'after',
      `
Without a binding it holds what the specification itself gives a path for.

Examples:
  assay openapi --binding reference --out openapi.json
  assay openapi --binding ./my-binding.json`,
    )
    .action(async (options: OpenApiOptions) => {
      const { runOpenApi } = await import('../run/openapi.ts')
      await runOpenApi(options, io)
    })
}
