import type { ProveWords } from '../run/prove.ts'
import type { VerifyOptions } from '../run/verify.ts'
import { number, type Verb } from './verb.ts'

/** `assay prove`: lets the suite loose on deliberate faults, and on behaviours that it must not blame. */
export const prove: Verb = {
  name: 'prove',
  summary: 'test the suite itself against deliberate faults and allowed variants',
  description:
    'Runs the suite against deliberate faults of the reference target (mutants), each until a requirement that it breaks fails. Also runs it against other behaviour that the specification allows (variants), which must give no finding. After a run of all mutants, each case must have noticed one, and one must have failed each stated requirement.',
  options: [
    ['--mutants', 'mutants only'],
    ['--variants', 'variants only'],
    ['--only <name...>', 'only these; a * at the end of a name stands for any ending'],
    ['--sample <number>', 'only so many, chosen by the seed', number({ least: 1 })],
    ['--profile <name>', 'quick, standard or thorough (default: standard for mutants, quick for variants)'],
    ['--seed <number>', 'seed of all random values', { ...number({ least: 0 }), otherwise: '1' }],
    [
      '--seeds <number>',
      'seeds for each variant, counted up from the seed',
      { ...number({ least: 1 }), otherwise: '1' },
    ],
    ['--threads <number>', 'threads to use (default: one for each processor)', number({ least: 1 })],
    [
      '--out <folder>',
      'where the outcome is written; a run that was interrupted continues there',
      { otherwise: 'assay-prove' },
    ],
    ['--again', 'ignore earlier outcomes and try everything again'],
    ['--write-strength <file>', 'write how many faults each requirement is worth (whole runs only)'],
    ['--json', 'print the outcome as JSON instead of the tables'],
  ],
  note: `Ends with 1 if a mutant survives or fails only unrelated requirements. Also if a
variant is blamed, or a case or a requirement notices nothing.`,
  examples: ['prove', "prove --mutants --only 'node/title/*' v3-open", 'prove --variants --seeds 20'],
  run: async (io, words: ProveWords) => (await import('../run/prove.ts')).runProve(words, io),
}

/** `assay verify <bundle>`: whether what a bundle claims follows from what it holds. */
export const verify: Verb = {
  name: 'verify',
  summary: 'check that the verdict of a bundle follows from its evidence',
  description:
    'Checks the hashes in a bundle, and computes every verdict again from the evidence. Needs no network and no target. Names the first mismatch.',
  argument: ['<bundle>', 'the archive that `certify --bundle` wrote'],
  options: [
    ['--key <file>', 'public key (Ed25519, PEM) that must have signed the bundle'],
    ['--json', 'print the outcome as JSON'],
  ],
  note: 'Ends with 1 if something does not agree.',
  examples: ['verify claim.tgz --key public.pem'],
  async run(io, words: VerifyOptions, bundle: string) {
    const { runVerify } = await import('../run/verify.ts')
    const { whileDoing } = await import('../terminal/progress.ts')
    await whileDoing(io, `verifying ${bundle}`, () => runVerify(bundle, words, io))
  },
}
