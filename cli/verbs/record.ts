import { resolve } from 'node:path'
import { addressOption, portOption } from '../../engine/listening.ts'
import { RUN_NUMBERS } from '../../engine/options.ts'
import type { RecordOptions } from '../../engine/record/plan.ts'
import { readPem } from '../../fixtures/plain-file.ts'
import type { AsJson } from '../terminal/io.ts'
import { BINDING, CONFIG, KEEP, KEY_FILE, number, type OptionMore, STRICT, TARGET, type Verb } from './verb.ts'

const PEM: OptionMore = {
  read(path, where, { cwd }) {
    // That it is empty is told of every option alike.
    if (path === '') return path
    try {
      return readPem(resolve(cwd, path))
    } catch (thrown) {
      return { where, what: `${path}: ${(thrown as Error).message}`, hint: 'name a PEM file' }
    }
  },
}

/** `assay record`: a proxy before a target that writes down and judges what passes. */
export const record: Verb = {
  name: 'record',
  summary: 'record and judge the traffic between clients and a target',
  description:
    'Forwards every request to one target, and its response back, unchanged but for the address of the target in Location. Records the traffic without secrets, and judges it by the specification. Ctrl-C ends it.',
  options: [
    TARGET,
    [
      '--listen <address>',
      'address and port to listen on; port 0: any free one',
      { read: addressOption, otherwise: '127.0.0.1:9000' },
    ],
    ['--out <folder>', 'where the recording is written', { otherwise: 'recording' }],
    CONFIG,
    BINDING,
    [
      '--mode <name>',
      'watch: only record; guard: refuse requests and responses that do not conform',
      { choices: ['watch', 'guard'], otherwise: 'watch' },
    ],
    ['--annotate', 'name what a request breaks in the header Assay-Findings of its response'],
    STRICT,
    [
      '--max-body <bytes>',
      'longest body in bytes that is kept whole; of longer ones: beginning, length, hash',
      { ...number({ least: 0 }), otherwise: '1048576' },
    ],
    ['--full-bodies', 'keep long bodies whole, in files beside the recording'],
    KEEP,
    KEY_FILE,
    [
      '--timeout <ms>',
      'milliseconds to wait for a byte from the target',
      { ...number(RUN_NUMBERS.timeout), otherwise: '120000' },
    ],
    ['--keep-host', 'forward the client’s Host header (default: it names the target)'],
    ['--insecure', 'do not check the certificate of the target'],
    ['--ca <file>', 'PEM file of authorities that signed the certificate of the target', PEM],
    ['--tls-cert <file>', 'PEM file of the certificate of the proxy, which then speaks https', PEM],
    ['--tls-key <file>', 'PEM file of its key', PEM],
    ['--ui [port]', 'show exchanges and findings on a page, on this machine only', { read: portOption }],
    ['--no-compress', 'leave finished segments uncompressed'],
    ['--json', 'print the summary as JSON'],
  ],
  examples: [
    'record --target https://logs.example.com --out recordings/today',
    'record --config my.json --listen 127.0.0.1:0 --mode guard --ui',
  ],
  async run(io, words: RecordOptions & AsJson) {
    const { runRecord } = await import('../run/record.ts')
    await runRecord(words, io)
  },
}
