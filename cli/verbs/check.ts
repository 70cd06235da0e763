import type { Command } from 'commander'
import type { CheckWords } from '../run/check.ts'
import type { Io } from '../terminal/io.ts'

/** `assay check <recording...>`: judges what was recorded by the rules that judge a run. */
export function register(program: Command, io: Io): void {
  program
    .command('check')
    .summary('judge recorded traffic by the rules that judge a run')
    .description(
      'Judges every exchange of recordings, of the evidence of a run, or of HAR files, and writes the report that a run writes. What was not seen in the traffic is said, and is no failure.',
    )
    .argument('<recording...>', 'folder of a recording, one of its segments, or a HAR file')
    .option('--config <file>', 'target configuration: base URL, binding, features, settle time')
    .option('--target <url>', 'address of the service; of HAR, what most requests went to where it is left out')
    .option('--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with)')
    .option('--features <name...>', 'features that the target claims (default: those that were used)')
    .option('--strict', 'what the specification implies counts like what it states')
    .option('--alone', 'nobody but the recorded clients used the account, before or meanwhile: more can be judged')
    .option(
      '--clock-skew <ms>',
      'how far apart the clocks of several recordings may be (default: 1000; 0 of one machine)',
    )
    .option('--shard <i/n>', 'only the i-th of n parts of the rules; `report merge` puts the reports together')
    .option('--threads <n>', 'threads that judge (default: as many as there are processors, and as are worth while)')
    .option('--out <folder>', 'where the report is written (default: assay-report)')
    .option('--allow-partial', 'exit with 0 where nothing failed but not everything was seen')
    .option('--fail-on <what...>', 'server-error: exit with 1 where a well-formed request was answered with 5xx')
    .option('--reporter <name...>', 'also write these: ctrf, markdown, badge, badge-json, table, text')
    .option('--format <name>', 'what is printed: text, table, markdown, json, … (default: text)')
    .option('--expect <file>', 'known failures: they do not fail the check, but have to be there')
    .option('--baseline <report>', 'an earlier report: only what is worse than there fails')
    .option('--annotations <where>', 'github or none (default: github within GitHub Actions)')
    .option('--all', 'name every requirement that was not judged, and every cause')
    .option('--json', 'print the report as JSON instead of the summary')
    .addHelpText(
      'after',
      `
Examples:
  assay check recordings/today
  assay check session.har --target https://logs.example.com --binding default
  assay check assay-report/evidence
  assay check recordings --shard 2/8 --out shard-2`,
    )
    .action(async (recordings: string[], options: CheckWords) => {
      const { runCheck } = await import('../run/check.ts')
      await runCheck(recordings, options, io)
    })
}
