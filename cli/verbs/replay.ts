import type { Command } from 'commander'
import type { ReplayWords } from '../run/replay-options.ts'
import type { Io } from '../terminal/io.ts'

/** `assay replay <recording>`: sends what was recorded to a target again, and compares. */
export function register(program: Command, io: Io): void {
  program
    .command('replay')
    .summary('send a recording to a target again, and compare the responses')
    .description(
      'Sends the requests of a recording to a target, with new ids, times and credentials. The rules judge every response, and the replay compares it with the recorded one.',
    )
    .argument('<recording>', 'folder of a recording, evidence of a run, or HAR file')
    .option('--target <url>', 'base URL of the target (default: that of the configuration)')
    .option('--embedded', 'replay against the reference target, started for this')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file, instead of the configured one')
    .option('--speed <how>', 'recorded, max, or how many times faster than recorded, such as 10', 'max')
    .option('--concurrency <number>', 'requests under way at once (default: 16)')
    .option('--filter <what...>', 'compare only these operations, cases, statuses, or paths with *')
    .option('--baseline', 'replay twice, and ignore what differs by itself')
    .option('--ignore <file>', 'file of places that are not compared; --baseline adds what it learns')
    .option('--no-shift', 'send times as they were recorded')
    .option('--timeout <ms>', 'milliseconds that a request may take (default: 30000)')
    .option('--yes-modify-target', 'consent: the replay creates, changes and deletes what was recorded')
    .option('--full-bodies', 'keep whole bodies in the new recording')
    .option('--out <folder>', 'where the outcome and the new exchanges are written (default: assay-replay)')
    .option('--json', 'print the outcome as JSON instead of the summary')
    .addHelpText(
      'after',
      `
Ends with 0 if nothing differs, with 1 if something does or a rule is newly broken.

Examples:
  assay replay recordings/today --target http://127.0.0.1:8080 --yes-modify-target
  assay replay recordings/today --embedded --filter update-transform
  assay replay recordings/today --target http://127.0.0.1:8080 --baseline --ignore noise.json --yes-modify-target`,
    )
    .action(async (recording: string, options: ReplayWords) => {
      const { runReplay } = await import('../run/replay.ts')
      await runReplay(recording, options, io)
    })
}
