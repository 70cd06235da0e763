import type { Command } from 'commander'

/** The options that say what a report is compared with, and how it is written and printed. */
export function concluding(command: Command): Command {
  return command
    .option('--fail-on <what...>', 'server-error: exit with 1 if a well-formed request got a 5xx')
    .option('--reporter <name...>', 'also write these: ctrf, markdown, badge, badge-json, table, text')
    .option('--format <name>', 'what is printed: text, table, markdown, json, … (default: text)')
    .option('--expect <file>', 'known failures: they must occur, and do not fail the run')
    .option('--baseline <report>', 'an earlier report: only what is worse than there fails the run')
    .option('--annotations <where>', 'github or none (default: github within GitHub Actions)')
    .option('--all', 'list every requirement that was not judged, with its cause')
    .option('--json', 'print the report as JSON instead of the summary')
}
