import type { Command } from 'commander'
import type { CertifyWords } from '../run/certify.ts'
import type { Io } from '../terminal/io.ts'
import { concluding } from '../terminal/report-options.ts'

/** `assay certify [url]`: judges a target by every requirement that it claims. */
export function register(program: Command, io: Io): void {
  const certify = program
    .command('certify')
    .summary('certify a target: judge it by every requirement of the specification')
    .description('Sends all cases to a target, judges every exchange and writes a report.')
    .argument('[url]', 'base URL of the target (default: that of the configuration)')
    .option('--embedded', 'certify the reference target, started for this run')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--features <name...>', 'features that the target claims, instead of the configured ones')
    .option('--only <what...>', 'only these requirements, categories, features or operations: `A B` or `A,B`')
    .option('--shard <i/n>', 'only part i of n, with the same seed for all; `report merge` combines them')
    .option('--profile <name>', 'quick, standard or thorough', 'standard')
    .option('--seed <number>', 'seed of all random values; the same seed sends the same requests')
    .option('--runs <number>', 'random values for each property, instead of those of the profile')
    .option('--walks <number>', 'random walks, instead of those of the profile (1, 3 or 20)')
    .option('--steps <number>', 'steps of each walk, instead of those of the profile (40, 80 or 200)')
    .option('--late-look <ms>', 'from the last change of a walk to its last look (default: 10000; 0: none)')
    .option('--strict', 'implied and declared requirements fail instead of warning')
    .option('--concurrency <number>', 'requests under way at once (default: 16)')
    .option('--rate <number>', 'requests per second, at most')
    .option('--max-ingest <lines>', 'log lines that the run may send in all (default: 100000)')
    .option('--max-ingest-bytes <bytes>', 'bytes that these lines may have in all (default: 100000000)')
    .option('--read-only', 'send nothing that changes the target; the rest is not run')
    .option('--timeout <ms>', 'milliseconds that a request may take (default: 30000)')
    .option('--out <folder>', 'where reports and evidence are written (default: assay-report)')
    .option('--record <folder>', 'keep every exchange here, with whole bodies, for `assay replay` and `assay mock`')
    .addOption(
      program
        .createOption('--keep <what>', 'keep all but places of secrets: what is written is not safe to share')
        .choices(['texts']),
    )
    .option('--key-file <file>', 'key of the pseudonyms; created if missing (default: a new key each time)')
    .option('--bundle <file>', 'write report, evidence and hashes into one archive, for `assay verify`')
    .option('--sign <key>', 'sign the bundle: a private key (Ed25519, PEM)')
    .option('--bail', 'stop at the first failure')
    .option('--yes-modify-target', 'consent: the run creates, changes and deletes resources of its own')
    .option('--allow-partial', 'exit with 0 if nothing failed but not everything was run')
  concluding(certify)
    .addHelpText(
      'after',
      `
Examples:
  assay certify --embedded
  assay certify http://127.0.0.1:8080 --config my.json --yes-modify-target
  assay certify --only NODE-TITLE-MAX --seed 42`,
    )
    .action(async (url: string | undefined, options: CertifyWords) => {
      const { tuneForRunning } = await import('../../engine/fast/v8-tuning.ts')
      tuneForRunning()
      const { startEmbedded } = await import('../../engine/embedded.ts')
      // It starts beside the loading of everything else, which takes about as long.
      const embedded = options.embedded === true && url === undefined ? startEmbedded() : undefined
      // Whoever waits for it reports its failure.
      const ended = (): Promise<void> | undefined => embedded?.then((target) => target.stop()).catch(() => {})
      embedded?.catch(() => {})
      try {
        const { runCertify } = await import('../run/certify.ts')
        await runCertify(url, options, io, embedded)
      } finally {
        await ended()
      }
    })
}
