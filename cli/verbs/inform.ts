import type { ListOptions } from '../../engine/inform/ledger.ts'
import type { GapsWords } from '../run/inform.ts'
import type { OpenApiOptions } from '../run/openapi.ts'
import type { AsJson } from '../terminal/io.ts'
import { BINDING, NAMES_BINDING, type Verb } from './verb.ts'

/** `assay list`: the requirements and the gaps. */
export const list: Verb = {
  name: 'list',
  summary: 'list the requirements',
  description: 'Lists the requirements of the specification, a line each: id, level, category, text.',
  options: [
    ['--level <levels>', 'only these levels: stated, implied, declared, open'],
    ['--category <categories>', 'only these categories of the specification: pipelines, errors, …'],
    ['--feature <features>', 'only these features: pipelines, screen-removal, …'],
    ['--operation <operations>', 'only these operations: update-transform, …'],
    ['--json', 'print the entries as JSON'],
  ],
  examples: ['list --feature pipelines --level stated,implied', 'list --json'],
  run: async (io, words: ListOptions & AsJson) => (await import('../run/inform.ts')).runList(words, io),
}

/** `assay explain <id>`: all about one requirement or gap. */
export const explain: Verb = {
  name: 'explain',
  summary: 'explain a requirement: its section, how it is provoked and judged',
  description: 'Explains a requirement or a gap: text, section, schema constraints, cases, and how it is judged.',
  argument: ['<id>', 'id of a requirement, such as NODE-TITLE-MAX, in any letter case'],
  options: [['--json', 'print it as JSON']],
  examples: ['explain NODE-TITLE-MAX', 'explain GAP-TAP-ANSWER'],
  async run(io, words: AsJson, id: string) {
    const { runExplain } = await import('../run/inform.ts')
    const { allCases } = await import('../../suites/cases/index.ts')
    runExplain(id, words, io, allCases())
  },
}

/** `assay gaps`: what the specification leaves unsaid, and how a target's binding answers it. */
export const gaps: Verb = {
  name: 'gaps',
  summary: 'list the gaps of the specification and the answers in force',
  description: 'Lists what the specification leaves open: the answer in force, its binding, and what depends on it.',
  options: [NAMES_BINDING, BINDING, ['--unanswered', 'only gaps without an answer'], ['--json', 'print them as JSON']],
  examples: ['gaps --binding reference', 'gaps --unanswered'],
  run: async (io, words: GapsWords) => (await import('../run/inform.ts')).runGaps(words, io),
}

/** `assay openapi`: the interface, under a binding, in a form that other tools can read. */
export const openapi: Verb = {
  name: 'openapi',
  summary: 'print the interface under a binding as an OpenAPI document',
  description:
    'Prints the whole interface as OpenAPI 3.1, made of the schemas that judge targets. It has the requirement of each constraint, examples, security schemes, and the gaps as extensions.',
  options: [
    NAMES_BINDING,
    BINDING,
    ['--out <file>', 'write it into a file instead of printing it'],
    ['--json', 'with --out: print the path and the number of operations as JSON'],
  ],
  note: 'Without a binding it holds what the specification itself gives a path for.',
  examples: ['openapi --binding reference --out openapi.json', 'openapi --binding ./my-binding.json'],
  run: async (io, words: OpenApiOptions) => (await import('../run/openapi.ts')).runOpenApi(words, io),
}

/** `assay completion <shell>`: a script for the shell that completes verbs and options. */
export const completion: Verb = {
  name: 'completion',
  summary: 'print a script that completes verbs and options in a shell',
  description: 'Prints a script for bash, zsh or fish that completes verbs and options.',
  argument: ['<shell>', 'bash, zsh or fish'],
  options: [['--json', 'print the places and what may stand there as JSON']],
  examples: ['completion bash >> ~/.bashrc', 'completion fish > ~/.config/fish/completions/assay.fish'],
  async run(io, words: AsJson, shell: string, { program }) {
    const { runCompletion } = await import('../run/completion.ts')
    runCompletion(program, shell, words, io)
  },
}
