import { hostOption, portOption } from '../../engine/listening.ts'
import type { MockWords } from '../run/mock.ts'
import type { ServeWords } from '../run/serve.ts'
import type { OptionRow, Verb } from './verb.ts'

const PORT: OptionRow = ['--port <number>', 'port to listen on; 0: any free one', { read: portOption, otherwise: '0' }]
const HOST: OptionRow = ['--host <address>', 'address to listen on', { read: hostOption, otherwise: '127.0.0.1' }]

/** `assay serve`: runs the reference target by itself, until it is interrupted. */
export const serve: Verb = {
  name: 'serve',
  summary: 'run the reference target',
  description: 'Runs the reference target with an empty memory, and prints its URL and credentials.',
  options: [
    PORT,
    HOST,
    ['--fault <name...>', 'with these deliberate faults; list: print all faults and what they break'],
    ['--json', 'print URL, credentials and resources as JSON'],
  ],
  examples: ['serve --port 8080', 'serve --fault list', 'serve --fault update-view-not-applied --port 8080'],
  run: async (io, words: ServeWords) => (await import('../run/serve.ts')).runServe(words, io),
}

/** `assay mock <recording>`: serves a recording, until it is interrupted. */
export const mock: Verb = {
  name: 'mock',
  summary: 'serve a recording as a server, for developers of clients',
  description:
    'Answers requests with their recorded responses. A request may differ in times, the order of fields and replaced words. What was created can be read back. What was deleted is gone, as far as that was recorded. Any other request gets a 501.',
  argument: ['<recording>', 'folder of a recording, evidence of a run, or HAR file'],
  options: [
    PORT,
    HOST,
    ['--binding <name>', 'shipped binding or binding file (default: the one that it was recorded with, or default)'],
    ['--config <file>', 'target configuration: its binding, and the credentials that the page hides'],
    ['--ui [port]', 'show requests and responses on a page of this machine', { read: portOption }],
    ['--accept-lines', 'take any well-formed batch of lines, recorded or not'],
    ['--delays', 'answer as slowly as the recorded target did'],
    ['--json', 'print the URL and the number of exchanges as JSON'],
  ],
  examples: ['mock recordings/today --port 9000'],
  run: async (io, words: MockWords, recording: string) =>
    (await import('../run/mock.ts')).runMock(recording, words, io),
}
