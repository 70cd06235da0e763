import type { Command } from 'commander'
import type { CompareOptions, MergeOptions, RenderOptions } from '../run/report.ts'
import type { Io } from '../terminal/io.ts'

/** `assay report compare|history|merge|render`: what can be done with reports that are there. */
export function register(program: Command, io: Io): void {
  const report = program
    .command('report')
    .summary('compare, merge and render reports, and tell their history')
    .description('Works on reports that certify, check and replay wrote: files, or folders that hold a report.json.')
    .addHelpText(
      'after',
      '\nExamples:\n  assay report compare before after\n  assay report merge shard-*/report.json --out merged',
    )

  const compare = report
    .command('compare')
    .summary('lay reports side by side')
    .description(
      'Lays reports side by side, requirement by requirement: what is newly failing, fixed, no longer judged, and what the targets do in the gaps. The first report is what the others are held to.',
    )
    .argument('<reports...>', 'two reports or more')
    .option('--all', 'also what is the same in all of them')
  written(compare)
    .addHelpText(
      'after',
      `
Exits with 1 where a report is worse than the first one.

Examples:
  assay report compare before/report.json after/report.json
  assay report compare ours theirs --all --out compare.html`,
    )
    .action(async (paths: string[], options: CompareOptions) => {
      const { runCompare } = await import('../run/report.ts')
      await runCompare(paths, options, io)
    })

  const history = report
    .command('history')
    .summary('tell what became of each requirement over time')
    .description(
      'Tells what became of each requirement over several runs: since which version it is broken, and which ones are flaky, held and broken on one version. Shows what is broken, flaky or changed.',
    )
    .argument('<reports...>', 'reports, or folders below which they stand')
    .option('--all', 'also requirements that always held')
  written(history)
    .addHelpText(
      'after',
      `
Set \`version\` in the configuration: only runs of one version can be flaky.

Examples:
  assay report history reports
  assay report history monday tuesday --out history.html`,
    )
    .action(async (paths: string[], options: CompareOptions) => {
      const { runHistory } = await import('../run/report.ts')
      await runHistory(paths, options, io)
    })

  concluding(
    report
      .command('merge')
      .summary('make one report of several over the same target')
      .description(
        'Makes one report of several over the same target: of shards, or of certify, check and replay. Evidence adds up and every verdict is decided anew; a shard that is not there is said.',
      )
      .argument('<reports...>', 'the reports, in any order')
      .option('--out <folder>', 'where the report is written (default: assay-report)')
      .option('--allow-partial', 'exit with 0 where nothing failed but not everything was run'),
  )
    .option('--all', 'name every requirement that was not judged, and every cause')
    .option('--json', 'print the report as JSON instead of the summary')
    .addHelpText('after', '\nExamples:\n  assay report merge shard-*/report.json --out merged')
    .action(async (paths: string[], options: MergeOptions) => {
      const { runMerge } = await import('../run/report.ts')
      await runMerge(paths, options, io)
    })

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
    .option('--all', 'of text: name every requirement that was not judged, and every cause')
    .option('--json', 'the same as --format json')
    .addHelpText('after', '\nExamples:\n  assay report render assay-report/report.json --format markdown')
    .action(async (path: string, options: RenderOptions) => {
      const { runRender } = await import('../run/report.ts')
      await runRender(path, options, io)
    })
}

/** In which format something is written, and where. */
function written(command: Command): Command {
  return command
    .option('--format <name>', 'text, markdown, json or html (default: by the name of --out, else text)')
    .option('--out <file>', 'write it into a file')
    .option('--json', 'the same as --format json')
}

/** What is written and printed of a report that is made, and what it is held to. */
function concluding(command: Command): Command {
  return command
    .option('--fail-on <what...>', 'server-error: exit with 1 where a well-formed request was answered with 5xx')
    .option('--reporter <name...>', 'also write these: ctrf, markdown, badge, badge-json, table, text')
    .option('--format <name>', 'what is printed: text, table, markdown, json, … (default: text)')
    .option('--expect <file>', 'known failures: they do not fail the run, but have to be there')
    .option('--baseline <report>', 'an earlier report: only what is worse than there fails the run')
    .option('--annotations <where>', 'github or none (default: github within GitHub Actions)')
}
