import { RUN_NUMBERS, speedOption } from '../../engine/options.ts'
import type { ReplayWords } from '../run/replay.ts'
import { BINDING, CONFIG, number, TARGET, type Verb } from './verb.ts'

/** `assay replay <recording>`: sends what was recorded to a target again, and compares. */
export const replay: Verb = {
  name: 'replay',
  summary: 'send a recording to a target again, and compare the responses',
  description:
    'Sends the requests of a recording to a target, with new ids, times and credentials. The rules judge every response, and the replay compares it with the recorded one.',
  argument: ['<recording>', 'folder of a recording, evidence of a run, or HAR file'],
  options: [
    TARGET,
    ['--embedded', 'replay against the reference target, started for this'],
    CONFIG,
    BINDING,
    [
      '--speed <how>',
      'recorded, max, or how many times faster than recorded, such as 10',
      { read: speedOption, otherwise: 'max' },
    ],
    ['--concurrency <number>', 'requests under way at once (default: 16)', number(RUN_NUMBERS.concurrency)],
    ['--filter <what...>', 'compare only these operations, cases, statuses, or paths with *'],
    ['--ignore <file>', 'file of places that are not compared'],
    ['--no-shift', 'send times as they were recorded'],
    ['--timeout <ms>', 'milliseconds that a request may take (default: 30000)', number(RUN_NUMBERS.timeout)],
    ['--yes-modify-target', 'consent: the replay creates, changes and deletes what was recorded'],
    ['--full-bodies', 'keep whole bodies in the new recording'],
    ['--out <folder>', 'where the outcome and the new exchanges are written (default: assay-replay)'],
    ['--json', 'print the outcome as JSON instead of the summary'],
  ],
  note: 'Ends with 0: no difference, 1: a difference or a newly broken rule, 4: not all was sent.',
  examples: [
    'replay recordings/today --target http://127.0.0.1:8080 --yes-modify-target',
    'replay recordings/today --embedded --filter update-transform',
    'replay recordings/today --target http://127.0.0.1:8080 --ignore noise.json --yes-modify-target',
  ],
  tells: true,
  async run(io, words: ReplayWords, recording: string, { problems }) {
    const { runReplay } = await import('../run/replay.ts')
    await runReplay(recording, words, problems, io)
  },
}
