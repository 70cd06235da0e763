import type { MergeOptions, ReportWords } from '../run/report.ts'
import { CONCLUDING, type OptionRow, type Verb } from './verb.ts'

const jobs = (): Promise<typeof import('../run/report.ts')> => import('../run/report.ts')

/** In which format something is written, and where. */
const WRITTEN: readonly OptionRow[] = [
  ['--format <name>', 'text, markdown, json or html (default: by the name of --out, else text)'],
  ['--out <file>', 'write it into a file'],
  ['--json', 'the same as --format json'],
]

const compare: Verb = {
  name: 'compare',
  summary: 'compare reports',
  description:
    'Compares reports, requirement by requirement: newly failing, fixed, no longer judged, and what the targets do in the gaps. The first report is the baseline.',
  argument: ['<reports...>', 'two reports or more'],
  options: [['--all', 'also show what is the same'], ...WRITTEN],
  note: 'Ends with 1 if a report is worse than the first one.',
  examples: [
    'report compare before/report.json after/report.json',
    'report compare ours theirs --all --out compare.html',
  ],
  run: async (io, words: ReportWords, paths: readonly string[]) => (await jobs()).runCompare(paths, words, io),
}

const merge: Verb = {
  name: 'merge',
  summary: 'make one report of several about the same target',
  description:
    'Makes one report of several about the same target: of shards, or of certify, check and replay. Evidence adds up, and every verdict is decided anew. Missing shards are named.',
  argument: ['<reports...>', 'the reports, in any order'],
  options: [
    ['--out <folder>', 'where the report is written (default: assay-report)'],
    ['--allow-partial', 'exit with 0 if nothing failed but not everything was run'],
    ...CONCLUDING,
  ],
  examples: ['report merge shard-*/report.json --out merged'],
  run: async (io, words: MergeOptions, paths: readonly string[]) => (await jobs()).runMerge(paths, words, io),
}

const render: Verb = {
  name: 'render',
  summary: 'write a report in another format',
  description: 'Prints a report in another format.',
  argument: ['<report>', 'the report'],
  options: [
    [
      '--format <name>',
      'text, table, markdown, html, junit, ctrf, badge-json or json (default: by the name of --out, else text)',
    ],
    ['--out <file>', 'write it into a file'],
    ['--all', 'for text: list every requirement that was not judged, with its cause'],
    ['--json', 'the same as --format json'],
  ],
  examples: ['report render assay-report/report.json --format markdown'],
  run: async (io, words: ReportWords, path: string) => (await jobs()).runRender(path, words, io),
}

/** `assay report compare|merge|render`: what can be done with reports that are there. */
export const report: Verb = {
  name: 'report',
  summary: 'compare, merge and render reports',
  description: 'Works on reports that certify, check and replay wrote: files, or folders that hold a report.json.',
  examples: ['report compare before after', 'report merge shard-*/report.json --out merged'],
  verbs: [compare, merge, render],
}
