import { type Command, Option } from 'commander'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { type NumberBounds, numberOption } from '../../engine/options.ts'
import type { Io } from '../terminal/io.ts'

/** Makes the value of an option of its word, or says what is wrong with it. `where`: the option, as it is written. */
export type Read = (text: string, where: string, io: Io) => unknown

/** What else there is to say of an option. */
export interface OptionMore {
  readonly read?: Read
  /** where it is left out; read as if it had been given */
  readonly otherwise?: string
  readonly choices?: readonly string[]
}

export type OptionRow = readonly [flags: string, help: string, more?: OptionMore]

/** A verb as data: its help, its completion, the page of commands and the check of its words follow from it. */
export interface Verb {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly argument?: readonly [name: string, help: string]
  readonly options?: readonly OptionRow[]
  /** stands before the examples */
  readonly note?: string
  /** command lines, without the name of the program */
  readonly examples: readonly string[]
  readonly verbs?: readonly Verb[]
  /** It tells what is wrong with its words itself, together with all else that is. */
  readonly tells?: true
  /** Loads what it needs only now: help has to come up at once. */
  run?(io: Io, words: never, argument: never, more: Called): Promise<void> | void
}

/** What a verb may want to know of its call. */
export interface Called {
  readonly program: Command
  /** what is wrong with its words */
  readonly problems: readonly Problem[]
}

/** In the place of a word that is wrong: commander takes null and undefined for an empty text. */
const WRONG = Symbol('wrong')

/** Adds a verb, and those below it, to a program. */
export function addVerb(parent: Command, verb: Verb, io: Io, program: Command = parent): void {
  const command = parent.command(verb.name).summary(verb.summary).description(verb.description)
  if (verb.argument) command.argument(...verb.argument)
  // Of an option that is given twice the last word counts, so only that may be wrong.
  const problems = new Map<string, Problem>()
  for (const row of verb.options ?? []) command.addOption(optionOf(row, io, problems))
  const examples = verb.examples.map((example) => `  assay ${example}`)
  command.addHelpText('after', ['', ...(verb.note ? [verb.note, ''] : []), 'Examples:', ...examples].join('\n'))
  for (const one of verb.verbs ?? []) addVerb(command, one, io, program)
  if (!verb.run) return
  command.action(async (...given) => {
    const [argument, all] = verb.argument ? given : [undefined, given[0]]
    // An option with a wrong word counts as left out.
    const words = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== WRONG))
    if (!verb.tells && problems.size > 0) throw new UsageError(...problems.values())
    await verb.run?.(io, words as never, argument as never, { program, problems: [...problems.values()] })
  })
}

function optionOf([flags, help, more = {}]: OptionRow, io: Io, problems: Map<string, Problem>): Option {
  const { read, otherwise, choices } = more
  const option = new Option(flags, help)
  if (choices) option.choices(choices)
  const parse = (text: string): unknown => {
    const where = option.long ?? flags
    const value = read?.(text, where, io)
    problems.delete(where)
    if (typeof value !== 'object' || value === null || !('what' in value)) return value
    problems.set(where, value as Problem)
    return WRONG
  }
  if (otherwise !== undefined) option.default(read ? parse(otherwise) : otherwise, otherwise)
  return read ? option.argParser(parse) : option
}

/** Reads a number within bounds. */
export function number(bounds: NumberBounds): OptionMore {
  return { read: (text, where) => numberOption(where, text, bounds) }
}

export const BINDING: OptionRow = ['--binding <name>', 'shipped binding or binding file, instead of the configured one']
export const NAMES_BINDING: OptionRow = [
  '--config <file>',
  'target configuration that names the binding (default: assay.config.json here)',
]
export const KEEP: OptionRow = [
  '--keep <what>',
  'named: what the class of each field allows; all: all but secrets, not safe to share; nothing: no texts of people (default: named)',
  { choices: ['named', 'all', 'nothing'] },
]
export const CONFIG: OptionRow = [
  '--config <file>',
  'target configuration (default: assay.config.json, .ts or .js here)',
]
export const TARGET: OptionRow = ['--target <url>', 'base URL of the target (default: that of the configuration)']
export const STRICT: OptionRow = ['--strict', 'implied and declared requirements fail instead of warning']
export const KEY_FILE: OptionRow = [
  '--key-file <file>',
  'key of the pseudonyms; created if missing (default: a new key each time)',
]

/** What a report is compared with, and how it is written and printed. */
export const CONCLUDING: readonly OptionRow[] = [
  ['--fail-on <what...>', 'server-error: exit with 1 if a well-formed request got a 5xx'],
  ['--reporter <name...>', 'also write these: ctrf, markdown, badge-json, table, text'],
  ['--format <name>', 'what is printed: text, table, markdown, json, … (default: text)'],
  ['--expect <file>', 'known failures: they must occur, and fail nothing'],
  ['--baseline <report>', 'an earlier report: only what is worse than there fails'],
  ['--annotations <where>', 'github or none (default: github within GitHub Actions)'],
  ['--all', 'list every requirement that was not judged, with its cause'],
  ['--json', 'print the report as JSON instead of the summary'],
]
