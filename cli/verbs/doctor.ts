import type { Command } from 'commander'
import type { DoctorOptions } from '../run/doctor.ts'
import type { Io } from '../terminal/io.ts'

/** `assay doctor`: whether a target and its configuration are ready for a run. */
export function register(program: Command, io: Io): void {
  program
    .command('doctor')
    .summary('check whether a target and its configuration are ready for a run')
    .description(
      'Checks address, TLS, clock, credentials, operations, consent and resources. Says how to fix each problem before `assay certify`. Changes nothing on the target.',
    )
    .argument('[url]', 'base URL of the target; wins over the configuration')
    .option('--config <file>', 'target configuration (default: assay.config.json here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--features <name...>', 'features that the target claims, instead of the configured ones')
    .option('--timeout <ms>', 'milliseconds that a request may take, 10000 at most')
    .option('--json', 'print the checks as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 0 no problem, 2 a problem, 3 the target cannot be reached or takes
no credential.

Examples:
  assay doctor
  assay doctor http://127.0.0.1:8080 --config my.json`,
    )
    .action(async (url: string | undefined, options: DoctorOptions) => {
      const { runDoctor } = await import('../run/doctor.ts')
      await runDoctor(url, options, io)
    })
}
