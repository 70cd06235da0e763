import type { BindVerbOptions } from '../run/bind.ts'
import type { Verb } from './verb.ts'

/** `assay bind`: finds out how a target has the operations, and writes it as a binding. */
export const bind: Verb = {
  name: 'bind',
  summary: 'write a binding: how a target has the operations',
  description:
    'Finds out where a target has each operation, and how it names and places fields. Writes that as a binding. Uncertain parts stay open, as questions.',
  options: [
    ['--probe [url]', 'ask the target; the address is in the configuration where it is left out'],
    ['--openapi <file...>', 'read OpenAPI 3 documents, JSON or YAML'],
    ['--from <recording...>', 'read recorded traffic: recordings, evidence of a run, HAR files'],
    [
      '--yes-modify-target',
      'agree that one thing of each kind is made on the target, and removed; otherwise only reads are sent',
    ],
    ['--config <file>', 'target configuration, for address, credentials and consent (default: assay.config.* here)'],
    [
      '--out <file>',
      'the binding; one that is there stays, and another is written beside it',
      { otherwise: 'binding.json' },
    ],
    ['--account <id>', 'id for a document whose paths all stand in an account, as in /v1/accounts/{id}/boards'],
    ['--name <name>', 'name of the binding (default: that of the file)'],
    ['--replace', 'write over a file that is there already'],
    ['--all', 'also show operations that were not found, and every question'],
    ['--json', 'print the binding, the operations and the questions as JSON'],
  ],
  examples: [
    'bind --probe http://127.0.0.1:8080 --config assay.config.json',
    'bind --probe --yes-modify-target --out our-binding.json',
    'bind --openapi openapi.yaml --probe http://127.0.0.1:8080',
    'bind --from traffic.har',
  ],
  run: async (io, words: BindVerbOptions) => (await import('../run/bind.ts')).runBind(words, io),
}
