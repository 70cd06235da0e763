import { CHECK_NUMBERS } from '../../engine/options.ts'
import type { CheckWords } from '../run/check.ts'
import { CONCLUDING, number, STRICT, type Verb } from './verb.ts'

/** `assay check <recording...>`: judges what was recorded by the rules that judge a run. */
export const check: Verb = {
  name: 'check',
  summary: 'judge recorded traffic by the rules that judge a run',
  description:
    'Judges every exchange of recordings, of the evidence of a run, or of HAR files, and writes a report like that of a run. The report names what the traffic did not show; that is no failure.',
  argument: ['<recording...>', 'folder of a recording, one of its segments, or a HAR file'],
  options: [
    ['--config <file>', 'target configuration: base URL, binding, features, settle time'],
    ['--target <url>', 'address of the service (default: as recorded; of HAR, that of most requests)'],
    ['--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with)'],
    ['--features <name...>', 'features that the target claims (default: those that were used)'],
    STRICT,
    ['--alone', 'only the recorded clients used the account, before and meanwhile: judges more'],
    [
      '--clock-skew <ms>',
      'how far the clocks of several recordings may differ (default: 1000; 0 on one machine)',
      number(CHECK_NUMBERS.clockSkew),
    ],
    ['--out <folder>', 'where the report is written (default: assay-report)'],
    ['--allow-partial', 'exit with 0 if nothing failed but not everything was seen'],
    ...CONCLUDING,
  ],
  examples: [
    'check recordings/today',
    'check session.har --target https://logs.example.com --binding default',
    'check assay-report/evidence',
  ],
  tells: true,
  async run(io, words: CheckWords, recordings: string[], { problems }) {
    const { tuneForJudging } = await import('../../engine/fast/v8-tuning.ts')
    tuneForJudging()
    const { runCheck } = await import('../run/check.ts')
    await runCheck(recordings, words, problems, io)
  },
}
