import type { BindingVerbOptions } from '../run/binding.ts'
import type { AsJson } from '../terminal/io.ts'
import { BINDING, NAMES_BINDING, type OptionRow, type Verb } from './verb.ts'

const jobs = (): Promise<typeof import('../run/binding.ts')> => import('../run/binding.ts')

const COMMON: readonly OptionRow[] = [NAMES_BINDING, BINDING, ['--json', 'print it as JSON']]

const show: Verb = {
  name: 'show',
  summary: 'print the binding in force',
  description: 'Prints each operation and each answer with file and line.',
  options: COMMON,
  examples: ['binding show --binding ./binding.json'],
  run: async (io, words: BindingVerbOptions) => (await jobs()).showBinding(words, io),
}

const check: Verb = {
  name: 'check',
  summary: 'check a binding',
  description:
    'Checks a binding. Prints every problem with its place and the nearest known name. Ends with 2 if there is one.',
  options: COMMON,
  examples: ['binding check --binding ./binding.json'],
  run: async (io, words: BindingVerbOptions) => (await jobs()).checkBinding(words, io),
}

const explain: Verb = {
  name: 'explain',
  summary: 'list what a binding can say about an operation',
  description:
    'Lists the parameters, fields and answer names of an operation, with examples and what the binding says.',
  argument: ['<operation>', 'id of the operation, such as list-boards'],
  options: COMMON,
  examples: ['binding explain export-v2'],
  run: async (io, words: BindingVerbOptions, id: string) => (await jobs()).explainBinding(id, words, io),
}

const schema: Verb = {
  name: 'schema',
  summary: 'print the JSON Schema of a binding, for editors',
  description: 'Prints the JSON Schema of a binding. An editor completes a binding whose $schema names that file.',
  options: [
    ['--out <file>', 'where it is written (default: standard output)'],
    ['--json', 'print the path of the file as JSON'],
  ],
  examples: ['binding schema --out binding.schema.json'],
  run: async (io, words: AsJson & { readonly out?: string }) => (await jobs()).printBindingSchema(words, io),
}

/** `assay binding show|check|explain|schema`: what a binding says, whether it is right, and what it could say. */
export const binding: Verb = {
  name: 'binding',
  summary: 'show, check and explain a binding',
  description: 'Shows a binding with all that it inherits, checks it, or explains one of its operations.',
  examples: ['binding check --binding ./binding.json', 'binding explain export-v2'],
  verbs: [show, check, explain, schema],
}
