import type { Command } from 'commander'
import type { VerifyOptions } from '../run/verify.ts'
import type { Io } from '../terminal/io.ts'

/** `assay verify <bundle>`: whether what a bundle claims follows from what it holds. */
export function register(program: Command, io: Io): void {
  program
    .command('verify')
    .summary('check that the verdict of a bundle follows from its evidence')
    .description(
      'Checks the hashes in a bundle, and computes every verdict again from the evidence. Needs no network and no target. Names the first mismatch.',
    )
    .argument('<bundle>', 'the archive that `certify --bundle` wrote')
    .option('--key <file>', 'public key (Ed25519, PEM) that must have signed the bundle')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
Ends with 1 if something does not agree.

Examples:
  assay verify claim.tgz --key public.pem`,
    )
    .action(async (bundle: string, options: VerifyOptions) => {
      const { runVerify } = await import('../run/verify.ts')
      const { whileDoing } = await import('../terminal/progress.ts')
      await whileDoing(io, `verifying ${bundle}`, () => runVerify(bundle, options, io))
    })
}
