import { RUN_NUMBERS, shardOption } from '../../engine/options.ts'
import type { CertifyWords } from '../run/certify.ts'
import { BINDING, CONCLUDING, CONFIG, KEEP, KEY_FILE, number, STRICT, type Verb } from './verb.ts'

/** `assay certify [url]`: judges a target by every requirement that it claims. */
export const certify: Verb = {
  name: 'certify',
  summary: 'certify a target: judge it by every requirement of the specification',
  description: 'Sends all cases to a target, judges every exchange and writes a report.',
  argument: ['[url]', 'base URL of the target (default: that of the configuration)'],
  options: [
    ['--embedded', 'certify the reference target, started for this run'],
    CONFIG,
    BINDING,
    ['--features <name...>', 'features that the target claims, instead of the configured ones'],
    ['--only <what...>', 'only these requirements, categories, features or operations: `A B` or `A,B`'],
    [
      '--shard <i/n>',
      'only part i of n, with the same seed for all; `report merge` combines them',
      { read: shardOption },
    ],
    ['--profile <name>', 'quick, standard or thorough', { otherwise: 'standard' }],
    ['--seed <number>', 'seed of all random values; the same seed sends the same requests', number(RUN_NUMBERS.seed)],
    ['--runs <number>', 'random values for each property, instead of those of the profile', number(RUN_NUMBERS.runs)],
    ['--walks <number>', 'random walks, instead of those of the profile (1, 3 or 20)', number(RUN_NUMBERS.walks)],
    [
      '--steps <number>',
      'steps of each walk, instead of those of the profile (40, 80 or 200)',
      number(RUN_NUMBERS.steps),
    ],
    [
      '--late-look <ms>',
      'from the last change of a walk to its last look (default: 10000; 0: none)',
      number(RUN_NUMBERS.lateLook),
    ],
    STRICT,
    ['--concurrency <number>', 'requests under way at once (default: 16)', number(RUN_NUMBERS.concurrency)],
    ['--rate <number>', 'requests per second, at most', number(RUN_NUMBERS.rate)],
    ['--max-ingest <lines>', 'log lines that the run may send in all (default: 100000)', number(RUN_NUMBERS.maxIngest)],
    [
      '--max-ingest-bytes <bytes>',
      'bytes that these lines may have in all (default: 100000000)',
      number(RUN_NUMBERS.maxIngestBytes),
    ],
    ['--read-only', 'send nothing that changes the target; the rest is not run'],
    ['--timeout <ms>', 'milliseconds that a request may take (default: 30000)', number(RUN_NUMBERS.timeout)],
    ['--out <folder>', 'where reports and evidence are written (default: assay-report)'],
    ['--record <folder>', 'keep every exchange here, with whole bodies, for `assay replay` and `assay mock`'],
    KEEP,
    KEY_FILE,
    ['--bundle <file>', 'write report, evidence and hashes into one archive, for `assay verify`'],
    ['--sign <key>', 'sign the bundle: a private key (Ed25519, PEM)'],
    ['--bail', 'stop at the first failure'],
    ['--yes-modify-target', 'consent: the run creates, changes and deletes resources of its own'],
    ['--allow-partial', 'exit with 0 if nothing failed but not everything was run'],
    ...CONCLUDING,
  ],
  examples: [
    'certify --embedded',
    'certify http://127.0.0.1:8080 --config my.json --yes-modify-target',
    'certify --only NODE-TITLE-MAX --seed 42',
  ],
  tells: true,
  async run(io, words: CertifyWords, url: string | undefined, { problems }) {
    const { tuneForRunning } = await import('../../engine/fast/v8-tuning.ts')
    tuneForRunning()
    const { startEmbedded } = await import('../../engine/embedded.ts')
    // It starts beside the loading of everything else, which takes about as long.
    const embedded = words.embedded === true && url === undefined ? startEmbedded() : undefined
    // Whoever waits for it reports its failure.
    const ended = (): Promise<void> | undefined => embedded?.then((target) => target.stop()).catch(() => {})
    embedded?.catch(() => {})
    try {
      const { runCertify } = await import('../run/certify.ts')
      await runCertify(url, words, problems, io, embedded)
    } finally {
      await ended()
    }
  },
}
