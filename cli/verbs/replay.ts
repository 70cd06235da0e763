import type { Command } from 'commander'
import type { ReplayWords } from '../run/replay-options.ts'
import type { Io } from '../terminal/io.ts'

/** `assay replay <recording>`: sends what was recorded to a target again, and compares. */
export function register(program: Command, io: Io): void {
  program
    .command('replay')
    .summary('send a recording to a target again, and compare the answers')
    .description(
      'Sends the requests of a recording to a target, with ids, times and credentials of its own in their place. The rules judge every response, and the replay compares it with the recorded one.',
    )
    .argument('<recording>', 'folder of a recording, evidence of a run, or HAR file')
    .option('--target <url>', 'base URL of the target; from the configuration where it is left out')
    .option('--embedded', 'replay against the reference target that comes with assay, started for this')
    .option('--config <file>', 'target configuration (default: assay.config.json, .ts or .js here)')
    .option('--binding <name>', 'shipped binding or binding file; wins over the configuration')
    .option('--speed <how>', 'recorded, max, or how many times faster than recorded, such as 10', 'max')
    .option('--concurrency <number>', 'requests under way at once (default: 16)')
    .option('--filter <what...>', 'only these operations, cases, or paths with *, and what they need')
    .option('--shard <i/n>', 'only the i-th of n parts; `report merge` puts what came of them together')
    .option('--baseline', 'replay twice, and ignore what differs by itself')
    .option('--ignore <file>', 'file of places that are not compared; with --baseline, what is learned is added to it')
    .option('--no-shift', 'send times as they were recorded')
    .option('--timeout <ms>', 'milliseconds that a request may take (default: 30000)')
    .option('--yes-modify-target', 'agree that the replay creates, changes and deletes on the target what was recorded')
    .option('--full-bodies', 'keep the whole bodies of what is sent and answered')
    .option('--out <folder>', 'where the outcome and the new exchanges are written (default: assay-replay)')
    .option('--json', 'print the outcome as JSON instead of the summary')
    .addHelpText(
      'after',
      `
Ends with 0 where nothing differs, with 1 where something does or a rule is newly broken.

Examples:
  assay replay recordings/today --target http://127.0.0.1:8080 --yes-modify-target
  assay replay recordings/today --embedded --filter update-transform
  assay replay recordings/today --embedded --shard 2/8 --out shard-2
  assay replay recordings/today --target http://127.0.0.1:8080 --baseline --ignore noise.json --yes-modify-target`,
    )
    .action(async (recording: string, options: ReplayWords) => {
      const { runReplay } = await import('../run/replay.ts')
      await runReplay(recording, options, io)
    })
}
