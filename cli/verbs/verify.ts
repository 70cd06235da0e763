import type { Command } from 'commander'
import type { VerifyOptions } from '../run/verify.ts'
import type { Io } from '../terminal/io.ts'

/** `assay verify <bundle>`: whether what a bundle claims follows from what it holds. */
export function register(program: Command, io: Io): void {
  program
    .command('verify')
    .summary('check that the verdict of a bundle follows from its evidence')
    .description(
      'Checks the hashes in a bundle and works every verdict in it out again from the evidence, by the rules. Needs no network and no target. Names the first thing that does not agree.',
    )
    .argument('<bundle>', 'the archive that `certify --bundle` wrote')
    .option('--key <file>', 'public key (Ed25519, PEM) by which the bundle has to be signed')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
Exits with 1 where something does not agree.

Examples:
  assay verify claim.tgz --key public.pem`,
    )
    .action(async (bundle: string, options: VerifyOptions) => {
      const { runVerify } = await import('../run/verify.ts')
      const { whileDoing } = await import('../terminal/progress.ts')
      await whileDoing(io, `verifying ${bundle}`, () => runVerify(bundle, options, io))
    })
}
