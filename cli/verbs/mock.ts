import type { Command } from 'commander'
import type { MockWords } from '../run/mock.ts'
import type { Io } from '../terminal/io.ts'

/** `assay mock <recording>`: serves a recording, until it is interrupted. */
export function register(program: Command, io: Io): void {
  program
    .command('mock')
    .summary('serve a recording as a server, for developers of clients')
    .description(
      'Answers requests with their recorded responses. What was created can be read back, what was deleted is gone. Times and the order of fields may differ from the recording.',
    )
    .argument('<recording>', 'folder of a recording, evidence of a run, or HAR file')
    .option('--port <number>', 'port to listen on; 0: any free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--binding <name>',
      'shipped binding or binding file (default: the one that it was recorded with, or default)',
    )
    .option('--config <file>', 'target configuration: its binding, and the credentials that the page hides')
    .option('--ui [port]', 'show requests and responses on a page of this machine')
    .option('--delays', 'answer as slowly as the recorded target did')
    .option('--json', 'print the URL and the number of exchanges as JSON')
    .addHelpText('after', '\nExamples:\n  assay mock recordings/today --port 9000')
    .action(async (recording: string, words: MockWords) => {
      const { runMock } = await import('../run/mock.ts')
      await runMock(recording, words, io)
    })
}
