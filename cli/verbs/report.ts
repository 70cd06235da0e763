import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'
import { concluding } from '../terminal/report-options.ts'

/** `assay report compare|history|merge|render`: what can be done with reports that are there. */
export function register(program: Command, io: Io): void {
  const report = program
    .command('report')
    .summary('compare, merge and render reports, and show their history')
    .description('Works on reports that certify, check and replay wrote: files, or folders that hold a report.json.')
    .addHelpText(
      'after',
      '\nExamples:\n  assay report compare before after\n  assay report merge shard-*/report.json --out merged',
    )
  registerCompare(report, io)
  registerHistory(report, io)
  registerMerge(report, io)
  registerRender(report, io)
}

function registerCompare(report: Command, io: Io): void {
  const compare = report
    .command('compare')
    .summary('compare reports')
    .description(
      'Compares reports, requirement by requirement: newly failing, fixed, no longer judged, and what the targets do in the gaps. The first report is the baseline.',
    )
    .argument('<reports...>', 'two reports or more')
    .option('--all', 'also show what is the same')
  written(compare)
    .addHelpText(
      'after',
      `
Ends with 1 if a report is worse than the first one.

Examples:
  assay report compare before/report.json after/report.json
  assay report compare ours theirs --all --out compare.html`,
    )
    .action(calls(({ runCompare }) => runCompare, io))
}

function registerHistory(report: Command, io: Io): void {
  const history = report
    .command('history')
    .summary('show the verdicts over time')
    .description(
      'Shows the verdicts of several runs over time: the first bad version of each broken requirement, and which ones are flaky. A flaky requirement passed and failed on the same version.',
    )
    .argument('<reports...>', 'reports, or folders below which they stand')
    .option('--all', 'also show requirements that always held')
  written(history)
    .addHelpText(
      'after',
      `
Set \`version\` in the configuration: only runs of one version can be flaky.

Examples:
  assay report history reports
  assay report history monday tuesday --out history.html`,
    )
    .action(calls(({ runHistory }) => runHistory, io))
}

function registerMerge(report: Command, io: Io): void {
  concluding(
    report
      .command('merge')
      .summary('make one report of several about the same target')
      .description(
        'Makes one report of several about the same target: of shards, or of certify, check and replay. Evidence adds up, and every verdict is decided anew. Missing shards are named.',
      )
      .argument('<reports...>', 'the reports, in any order')
      .option('--out <folder>', 'where the report is written (default: assay-report)')
      .option('--allow-partial', 'exit with 0 if nothing failed but not everything was run'),
  )
    .addHelpText('after', '\nExamples:\n  assay report merge shard-*/report.json --out merged')
    .action(calls(({ runMerge }) => runMerge, io))
}

function registerRender(report: Command, io: Io): void {
  report
    .command('render')
    .summary('write a report in another format')
    .description('Prints a report in another format.')
    .argument('<report>', 'the report')
    .option(
      '--format <name>',
      'text, table, markdown, html, junit, ctrf, badge, badge-json or json (default: by the name of --out, else text)',
    )
    .option('--out <file>', 'write it into a file')
    .option('--all', 'for text: list every requirement that was not judged, with its cause')
    .option('--json', 'the same as --format json')
    .addHelpText('after', '\nExamples:\n  assay report render assay-report/report.json --format markdown')
    .action(calls(({ runRender }) => runRender, io))
}

type Actions = typeof import('../run/report.ts')

/** Loads what a verb does when it is called. */
function calls<G, O>(
  choose: (actions: Actions) => (given: G, options: O, io: Io) => Promise<void>,
  io: Io,
): (given: G, options: O) => Promise<void> {
  return async (given, options) => choose(await import('../run/report.ts'))(given, options, io)
}

/** In which format something is written, and where. */
function written(command: Command): Command {
  return command
    .option('--format <name>', 'text, markdown, json or html (default: by the name of --out, else text)')
    .option('--out <file>', 'write it into a file')
    .option('--json', 'the same as --format json')
}
