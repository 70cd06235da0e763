import type { Command } from 'commander'
import type { CheckWords } from '../run/check.ts'
import type { Io } from '../terminal/io.ts'

/** `assay check <recording...>`: judges what was recorded by the rules that judge a run. */
export function register(program: Command, io: Io): void {
  program
    .command('check')
    .summary('judge recorded traffic by the rules that judge a run')
    .description(
      'Judges every exchange of recordings, of the evidence of a run, or of HAR files, and writes a report like that of a run. The report names what the traffic did not show; that is no failure.',
    )
    .argument('<recording...>', 'folder of a recording, one of its segments, or a HAR file')
    .option('--config <file>', 'target configuration: base URL, binding, features, settle time')
    .option('--target <url>', 'address of the service (default: as recorded; of HAR, that of most requests)')
    .option('--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with)')
    .option('--features <name...>', 'features that the target claims (default: those that were used)')
    .option('--strict', 'implied and declared requirements fail instead of warning')
    .option('--alone', 'only the recorded clients used the account, before and meanwhile: judges more')
    .option(
      '--clock-skew <ms>',
      'how far the clocks of several recordings may differ (default: 1000; 0 on one machine)',
    )
    .option('--out <folder>', 'where the report is written (default: assay-report)')
    .option('--allow-partial', 'exit with 0 if nothing failed but not everything was seen')
    .option('--fail-on <what...>', 'server-error: exit with 1 if a well-formed request got a 5xx')
    .option('--reporter <name...>', 'also write these: ctrf, markdown, badge, badge-json, table, text')
    .option('--format <name>', 'what is printed: text, table, markdown, json, … (default: text)')
    .option('--expect <file>', 'known failures: they must occur, and do not fail the check')
    .option('--baseline <report>', 'an earlier report: only what is worse than there fails')
    .option('--annotations <where>', 'github or none (default: github within GitHub Actions)')
    .option('--all', 'list every requirement that was not judged, with its cause')
    .option('--json', 'print the report as JSON instead of the summary')
    .addHelpText(
      'after',
      `
Examples:
  assay check recordings/today
  assay check session.har --target https://logs.example.com --binding default
  assay check assay-report/evidence`,
    )
    .action(async (recordings: string[], options: CheckWords) => {
      const { tuneForJudging } = await import('../../engine/fast/v8-tuning.ts')
      tuneForJudging()
      const { runCheck } = await import('../run/check.ts')
      await runCheck(recordings, options, io)
    })
}
