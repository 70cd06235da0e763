import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { UsageError } from '../engine/errors.ts'
import { packageInfo } from '../engine/package-info.ts'
import { visible } from '../reports/text.ts'
import { EXIT } from './terminal/exit-codes.ts'
import { helpOnOneScreen } from './terminal/help.ts'
import { type Io, printError } from './terminal/io.ts'
import { bind } from './verbs/bind.ts'
import { binding } from './verbs/binding.ts'
import { certify } from './verbs/certify.ts'
import { check } from './verbs/check.ts'
import { fixtures } from './verbs/fixtures.ts'
import { completion, explain, gaps, list, openapi } from './verbs/inform.ts'
import { prove, verify } from './verbs/proof.ts'
import { record } from './verbs/record.ts'
import { replay } from './verbs/replay.ts'
import { report } from './verbs/report.ts'
import { mock, serve } from './verbs/serve.ts'
import { cleanup, doctor, init } from './verbs/setup.ts'
import { addVerb, type Verb } from './verbs/verb.ts'

// A verb's file says what it takes, and imports what it does only when it is called: help has to come up at once.
const VERBS: readonly Verb[] = [
  ...[certify, init, bind, binding, doctor, serve, record, check, fixtures, report, verify],
  ...[list, explain, gaps, openapi, prove, cleanup, completion, replay, mock],
]

/**
 * Runs a command line, without the names of node and of the script, and returns the exit code. Never throws, and never
 * ends the process.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    const program = createProgram(io, args.includes('--all'))
    if (args.length === 0) {
      program.outputHelp({ error: true })
      return EXIT.usage
    }
    const [first, asked] = args
    if (first === 'help' && asked !== undefined && !program.commands.some((verb) => verb.name() === asked)) {
      const names = program.commands.map((verb) => verb.name())
      const { didYouMean } = await import('../engine/config/nearest.ts')
      const hint = didYouMean(asked, names, '`assay --help` lists all verbs')
      throw new UsageError({ where: 'help', what: `there is no verb ${JSON.stringify(asked)}`, hint })
    }
    await program.parseAsync(args, { from: 'user' })
    return io.exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(io, error)
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  }
}

/** Every verb with its arguments, for `run` and for what documents them. `all`: help lists every option */
export function createProgram(io: Io, all: boolean = false): Command {
  const program = new Command('assay')
    .description('Certifies implementations of the log and pipeline configuration service, specification 2.1.')
    .version(packageInfo().version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp({ formatHelp: helpOnOneScreen(all) })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Its messages quote the words of the command line.
      writeErr: (text) => void io.stderr.write(text.split('\n').map(visible).join('\n')),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .addHelpText(
      'after',
      `
Exit codes: 0 conformant, 1 non-conformant, 2 wrong usage or configuration,
3 target not reachable, 4 partial, 5 invalid, 130 interrupted.
ASSAY_DEBUG=1 shows where an error comes from; NO_COLOR=1 turns
colours off, FORCE_COLOR=1 turns them on.`,
    )
  for (const verb of VERBS) addVerb(program, verb, io)
  program.hook('preAction', async (_, verb) => {
    requireValues(verb)
    await requireAnswers(verb.opts(), io)
  })
  pointAtHelp(program, program.name())
  return program
}

/** Verbs refuse an empty address or name by themselves, together with all else that is wrong. */
const REFUSED_BY_VERBS = /<(url|name|address)>|^url$/

/**
 * A variable that is not set leaves an empty word behind. As a path it would be the current folder. @throws UsageError
 */
function requireValues(verb: Command): void {
  const of = (value: unknown, where: string): void => {
    if (Array.isArray(value)) for (const one of value) of(one, where)
    else if (value === '')
      throw new UsageError({ where, what: 'its value is empty', hint: 'give one, or leave it out' })
  }
  const given = verb.opts()
  for (const option of verb.options) {
    if (!REFUSED_BY_VERBS.test(option.flags)) of(given[option.attributeName()], option.long ?? option.flags)
  }
  for (const [place, value] of verb.processedArgs.entries()) {
    const name = verb.registeredArguments[place]?.name() ?? 'argument'
    if (!REFUSED_BY_VERBS.test(name)) of(value, name)
  }
}

/** Options that name a place to write to. */
const PLACES = ['out', 'record']

async function requireAnswers(words: Readonly<Record<string, unknown>>, io: Io): Promise<void> {
  const given = PLACES.filter((name) => typeof words[name] === 'string')
  if (given.length === 0) return
  const { requireAnswer } = await import('../engine/writable.ts')
  for (const name of given) await requireAnswer(resolve(io.cwd, String(words[name])), `--${name}`)
}

/** commander breaks some errors into lines; a user gets one, and where to read on. */
function pointAtHelp(command: Command, words: string): void {
  command.configureOutput({
    outputError: (text, write) =>
      write(`${withoutValue(text).trim().replaceAll('\n', ' ')}; \`${words} --help\` shows what there is\n`),
  })
  for (const one of command.commands) pointAtHelp(one, `${words} ${one.name()}`)
}

/** An unknown option may be a slip, and its value a secret: only the option is named. */
function withoutValue(text: string): string {
  return text.replace(/unknown option '(-[^=']*)=.*'/s, "unknown option '$1'")
}
