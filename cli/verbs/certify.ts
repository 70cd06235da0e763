import type { Command } from 'commander'
import type { CertifyWords } from '../run/certify.ts'
import type { Io } from '../terminal/io.ts'
import { concluding } from '../terminal/report-options.ts'

/** `assay certify [url]`: judges a target by every requirement that it claims. */
export function register(program: Command, io: Io): void {
  const certify = program
    .command('certify')
    .summary('certify a target: judge it by every requirement of the specification')
    .description('Sends what the suites hold to a target, judges every exchange and writes a report.')
    .argument('[url]', 'base URL of the target; from the configuration where it is left out')
    .option('--embedded', 'certify the reference target that comes with assay, started for this run')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file; wins over the configuration')
    .option('--features <name...>', 'features that the target claims; wins over the configuration')
    .option('--only <what...>', 'only this requirement, category, feature or operation')
    .option('--shard <i/n>', 'only the i-th of n parts, by the same seed; `report merge` puts them together')
    .option('--profile <name>', 'quick, standard or thorough', 'standard')
    .option('--seed <number>', 'seed of all random values; the same seed sends the same requests')
    .option('--runs <number>', 'random values for each property; wins over the profile')
    .option('--strict', 'what the specification implies counts like what it states')
    .option('--concurrency <number>', 'requests under way at once (default: 16)')
    .option('--rate <number>', 'requests per second, at most')
    .option('--max-ingest <lines>', 'log lines that the run may send in all (default: 100000)')
    .option('--max-ingest-bytes <bytes>', 'bytes that these lines may have in all (default: 100000000)')
    .option('--read-only', 'send nothing that changes the target; what needs more is not run')
    .option('--timeout <ms>', 'milliseconds that a request may take (default: 30000)')
    .option('--out <folder>', 'where reports and evidence are written (default: assay-report)')
    .option('--record <folder>', 'keep every exchange with its whole bodies here, for `assay replay` and `assay mock`')
    .option('--hide-lines', 'replace the texts of log lines in what is kept, but for those that the run makes')
    .option('--key-file <file>', 'key of the pseudonyms; made where it is missing (default: a new key each time)')
    .option('--bundle <file>', 'write report, evidence and hashes into one archive, for `assay verify`')
    .option('--sign <key>', 'sign the bundle: a private key (Ed25519, PEM)')
    .option('--bail', 'stop at the first failure')
    .option('--yes-modify-target', 'agree that the run creates, changes and deletes resources of its own on the target')
    .option('--allow-partial', 'exit with 0 where nothing failed but not everything was run')
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
      const { tuneEngine } = await import('../../engine/fast/v8-tuning.ts')
      tuneEngine()
      const { startEmbedded } = await import('../../engine/embedded.ts')
      // It starts beside the loading of everything else, which takes about as long.
      const embedded = options.embedded === true && url === undefined ? startEmbedded() : undefined
      // What went wrong with it is told by whoever waits for it.
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
