import type { FixturesJob, FixturesWords } from '../run/fixtures.ts'
import { KEEP, type OptionRow, type Verb } from './verb.ts'

type Job = 'runStats' | 'runExport' | 'runImport' | 'runDistill' | 'runRepair'

/** What a job with a recording is called and takes, but for what it does. */
type About = Pick<Verb, 'name' | 'summary' | 'description' | 'argument' | 'options' | 'examples'>

function job(name: Job, about: About): Verb {
  return {
    ...about,
    examples: about.examples.map((example) => `fixtures ${example}`),
    async run(io, words: FixturesWords, path: string) {
      const jobs: Readonly<Record<Job, FixturesJob>> = await import('../run/fixtures.ts')
      await jobs[name](path, words, io)
    },
  }
}

const RECORDING = ['<recording>', 'folder, segment or HAR file'] as const

const TARGET: readonly OptionRow[] = [
  [
    '--config <file>',
    'target configuration: binding, credentials that get labels, and base URL where none is recorded',
  ],
  ['--target <url>', 'address of the service (default: as recorded, or that of most requests)'],
  ['--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with)'],
]

const REDACTING: readonly OptionRow[] = [
  ...TARGET,
  ['--key-file <file>', 'key of the pseudonyms; created if missing; keep it away from recordings'],
  KEEP,
]

/** `assay fixtures …`: what can be done with recordings beside checking, replaying and serving them. */
export const fixtures: Verb = {
  name: 'fixtures',
  summary: 'show, convert, shrink and repair recordings',
  description: 'Shows recordings, converts them to HAR and back, shrinks and repairs them.',
  examples: ['fixtures stats recordings/today', 'fixtures distill recordings/today --out recordings/small'],
  verbs: [
    job('runStats', {
      name: 'stats',
      summary: 'show what a recording holds',
      description: 'Shows operations, sizes, the span of time, and which requirements the exchanges show.',
      argument: RECORDING,
      options: [...TARGET, ['--json', 'print it as JSON']],
      examples: ['stats recordings/today', 'stats session.har --target https://logs.example.com'],
    }),
    job('runExport', {
      name: 'export',
      summary: 'write a recording as a HAR file',
      description: 'Writes a recording as one HAR 1.2 file, with the whole bodies that were kept.',
      argument: RECORDING,
      options: [
        ...REDACTING,
        ['--out <file>', 'the HAR file (required)'],
        ['--json', 'print the path and the number of entries as JSON'],
      ],
      examples: ['export recordings/today --out session.har'],
    }),
    job('runImport', {
      name: 'import',
      summary: 'make a recording from a HAR file',
      description: 'Makes a recording from a HAR file of any tool, without its secrets.',
      argument: ['<file>', 'HAR file; or a recording of an older version'],
      options: [
        ...REDACTING,
        ['--out <folder>', 'folder of the recording (required)'],
        ['--json', 'print the path, exchanges and bytes as JSON'],
      ],
      examples: ['import session.har --out recordings/session'],
    }),
    job('runExport', {
      name: 'anonymise',
      summary: 'remove the secrets from a HAR file',
      description: 'Writes a HAR file again without its secrets: a pseudonym of the same form replaces each.',
      argument: ['<file>', 'HAR file'],
      options: [
        ...REDACTING,
        ['--out <file>', 'the new HAR file (required)'],
        ['--json', 'print the path and the number of entries as JSON'],
      ],
      examples: ['anonymise foreign.har --out clean.har'],
    }),
    job('runDistill', {
      name: 'distill',
      summary: 'keep the smallest part of a recording that shows the same',
      description: 'Keeps the exchanges that show the same operations, statuses, shapes, edges and findings.',
      argument: RECORDING,
      options: [
        ...TARGET,
        ['--out <folder>', 'folder of the new recording (required)'],
        ['--all-edges', 'keep every edge of a field and every wrong value, not bounds and a few of each'],
        ['--json', 'print what was kept and dropped as JSON'],
      ],
      examples: ['distill recordings/today --out recordings/small'],
    }),
    job('runRepair', {
      name: 'repair',
      summary: 'repair a recording that was cut off',
      description:
        'Leaves out what cannot be read, says what was lost, and keeps the broken files beside the new ones.',
      argument: ['<folder>', 'folder of the recording'],
      options: [['--json', 'print what was done as JSON']],
      examples: ['repair recordings/today'],
    }),
  ],
}
